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
struct TypedRun {
  isa::Memory memory;
  std::int64_t at;
  std::int64_t bytes;
  isa::DType dtype;
  std::string_view operand;
  std::int64_t iteration;
  std::int64_t lane;     ///< of the first element
  bool moved = false;    ///< from elsewhere: every bit counts, of NaNs too
  std::size_t step = 0;  ///< that wrote it, where the caller notes that
};

/// Whether `byte` is in `run`.
inline bool Covers(const TypedRun& run, isa::Memory memory, std::int64_t byte) {
  return run.memory == memory && run.at <= byte && byte < run.at + run.bytes;
}

/// The last run that covers `byte`, null if none does.
const TypedRun* RunAt(std::span<const TypedRun> runs, isa::Memory memory,
                      std::int64_t byte);

/// The step that wrote `byte` last; of a byte that none wrote, the last that
/// wrote any, or `otherwise` where none did.
std::size_t WriterOf(std::span<const TypedRun> runs, isa::Memory memory,
                     std::int64_t byte, std::size_t otherwise);

/// The writes among `accesses`, in their order.
std::vector<TypedRun> WritesOf(const std::vector<isa::Access>& accesses);
/// The same, as `moved` those of a `step` whose instruction does not compute
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

/// Notes in `difference` what stood there in `before`.
void NoteBefore(const MemorySet& before, ElementDifference& difference);

/// "UB byte 2, dst element of iteration 1 lane 0 (half): expected …, found …".
std::string Describe(const ElementDifference& difference);

}  // namespace lanediff::diff
