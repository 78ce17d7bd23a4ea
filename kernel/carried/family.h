#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernel/carried/carried.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

/// The rows of each file of calls.
namespace lanediff::kernel::carried {

struct Row {
  std::string_view name;
  CarriedPlan (*plan)(const CarriedCall& call);
  std::uint64_t (*compute)(const CarriedCall& call, VectorState& state);
};
using Rows = std::vector<Row>;

/// Of a call that kResolve(parameters) takes apart or refuses: kRun(memory,
/// resolved, state) lists what it touches, or does it.
template <auto kResolve, auto kRun>
Row RowOf(std::string_view name) {
  return {name,
          [](const CarriedCall& call) {
            CarriedPlan plan;
            plan.align.resize(call.operands.size());
            Parameters parameters(call, &plan);
            const auto resolved = kResolve(parameters);
            CallMemory memory(call, &plan);
            VectorState unchanged = call.state;
            kRun(memory, resolved, unchanged);
            return plan;
          },
          [](const CarriedCall& call, VectorState& state) {
            Parameters parameters(call);
            const auto resolved = kResolve(parameters);
            CallMemory memory(call);
            return kRun(memory, resolved, state);
          }};
}

Rows LanewiseRows();
Rows CastRows();
/// Fill, TLOAD, TSTORE.
Rows CopyRows();
Rows CompareRows();
/// Select, GatherMask.
Rows SelectRows();
Rows ReduceRows();
Rows RearrangeRows();
Rows SortRows();

}  // namespace lanediff::kernel::carried
