#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>

#include "kernel/carried/carried.h"
#include "kernel/carried/family.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

/// Calls whose results are computed lane by lane: what they touch, and how
/// their lanes come to a loop over neighbours in memory and back.
namespace lanediff::kernel::carried {

/// What a loop works on: `count` neighbours of each operand.
struct Slice {
  std::array<const void*, 3> in{};
  void* out = nullptr;
  std::int64_t count = 0;
  std::uint64_t scalar = 0;  ///< its bits, low end first
};
using LaneLoop = void (*)(const Slice&);

struct Flow {
  struct Source {
    std::uint32_t operand = 0;
    Place place;
  };
  Lanes lanes{};
  std::array<Source, 3> sources{};
  std::uint32_t source_count = 0;
  Source result{};

  void AddSource(std::uint32_t operand, Place place) {
    sources[source_count++] = {operand, place};
  }
};

/// A call of this kind: the rows of a file of calls name a function that finds
/// it, and have the rest from here.
struct LaneCall {
  Flow flow{};
  LaneLoop loop = nullptr;
  std::uint64_t scalar = 0;
  bool approximate = false;
};
using Resolved = std::expected<LaneCall, std::string>;

/// What it reads and writes, by iteration.
void PlanFlow(const CarriedCall& call, const Flow& flow, CarriedPlan& plan);

/// Runs the loop on all lanes that take part, iteration by iteration; each
/// reads before it writes.
void RunFlow(const CarriedCall& call, const Flow& flow, LaneLoop loop,
             std::uint64_t scalar);

template <Resolved (*kResolve)(Parameters&)>
Planned PlanLanes(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const Resolved resolved = kResolve(parameters);
  if (!resolved) return std::unexpected(resolved.error());
  plan.approximate = resolved->approximate;
  PlanFlow(call, resolved->flow, plan);
  return plan;
}

template <Resolved (*kResolve)(Parameters&)>
std::uint64_t ComputeLanes(const CarriedCall& call, const CarriedPlan&,
                           VectorState&) {
  Parameters parameters(call);
  const Resolved resolved = kResolve(parameters);
  RunFlow(call, resolved->flow, resolved->loop, resolved->scalar);
  return 0;
}

}  // namespace lanediff::kernel::carried
