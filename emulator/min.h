#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulator/address.h"
#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/min.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// Where a call that passes stage 1 reads and writes, in bytes of the Unified
/// Buffer. The count form is laid out as iterations without gaps.
struct MinPlan {
  isa::DType dtype = isa::DType::kHalf;
  std::int64_t iterations = 0;  // 0 where nothing is read or written
  LaneMask lanes;               // of all iterations but the last
  LaneMask last_lanes;
  VectorOperand dst;
  VectorOperand src0;
  VectorOperand src1;
  bool saturation = true;

  const LaneMask& LanesOf(std::int64_t iteration) const {
    return iteration + 1 < iterations ? lanes : last_lanes;
  }
};

/// The results of one iteration, block after block; only the lanes that take
/// part mean something.
using MinLanes = std::array<std::uint8_t, kIterationBytes>;

/// Fills `result` for the lanes that take part in `iteration`.
using MinKernel = void (*)(const MinPlan& plan, std::int64_t iteration,
                           std::span<const std::uint8_t> ub, MinLanes& result);

/// Kernel and write-back of all iterations at once, for a legal plan that has
/// iterations and lanes and whose DataBlocks lie in `ub`. Never `Path::kPlain`.
using MinVectors = Path (*)(const MinPlan& plan, std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
struct MinSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::Min& call, const State& state);
  MinPlan (*plan)(const isa::Min& call, const State& state);
  MinKernel half_kernel;
  MinKernel float_kernel;
  MinKernel int16_kernel;
  MinKernel int32_kernel;
  void (*write_back)(const MinPlan& plan, std::int64_t iteration,
                     const MinLanes& result, std::span<std::uint8_t> ub);
  /// In the place of kernel and write-back, where not null.
  MinVectors vectors = nullptr;
};

/// The plain implementation.
extern const MinSeams kMin;

/// The plain address plan.
MinPlan PlanMin(const isa::Min& call, const State& state);

/// Executes `call` on `state`, or changes nothing and says which rules it
/// breaks.
isa::StepResult Run(const isa::Min& call, const MinSeams& seams, State& state);

}  // namespace lanediff::emulator
