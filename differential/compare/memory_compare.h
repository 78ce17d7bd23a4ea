#pragma once

#include <optional>
#include <span>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/memory/memory_set.h"
#include "isa/access.h"

namespace lanediff::diff {

/// Elements of a known type at a known place: what a step wrote, or what an
/// expectation lists.
struct TypedRun : isa::Access {
  bool moved = false;    ///< from elsewhere: every bit counts, of NaNs too
  std::size_t step = 0;  ///< that wrote it, where the caller notes that
};

/// The last run that covers `byte`, null if none does.
const TypedRun* RunAt(std::span<const TypedRun> runs, isa::Memory memory,
                      std::int64_t byte);

/// The step that wrote `byte` last; of a byte that none wrote, the last that
/// wrote any, or `otherwise` where none did.
std::size_t WriterOf(std::span<const TypedRun> runs, isa::Memory memory,
                     std::int64_t byte, std::size_t otherwise);

/// The writes among `accesses`, in their order.
std::vector<TypedRun> WritesOf(const std::vector<isa::Access>& accesses);
/// The elements whose types `regions` name, as written to `operand`.
std::vector<TypedRun> RunsOf(const RegionsByMemory& regions,
                             std::string_view operand);
/// The writes, as `moved` those of a `step` whose instruction does not compute
/// (`Instruction::arithmetic`) but moves bits: DC-BITS, DCP-BITS, VT-BITS,
/// DUPLICATE-VALUE.
std::vector<TypedRun> WritesOf(const isa::Step& step,
                               const std::vector<isa::Access>& accesses);

/// Compares every byte of every memory. Two NaNs of a floating type are equal
/// where a run computed an element of that type and no later run wrote a part
/// of it; a later run is looked at before an earlier one. Returns the first
/// difference, and in it the number of differing bytes.
std::optional<ElementDifference> CompareMemory(const MemorySet& expected,
                                               const MemorySet& actual,
                                               std::span<const TypedRun> runs);

/// What stands in `memory` at the element that differs.
std::uint64_t BitsAt(const MemorySet& memory, const ElementDifference& d);

/// Notes in `difference` what stood there in `before`.
void NoteBefore(const MemorySet& before, ElementDifference& difference);

/// "UB byte 2, dst element of iteration 1 lane 0 (half): expected …, found …".
std::string Describe(const ElementDifference& difference);

}  // namespace lanediff::diff
