#include "sanitizer/step_use.h"

#include <cstdint>

#include "sanitizer/access_cells.h"

namespace lanediff::lint {
namespace {

/// Those cells of which the first is there and comes before the second.
RangeList CellsWhere(const AccessCells& cells,
                     const std::vector<std::int32_t>& first,
                     const std::vector<std::int32_t>& second) {
  RangeList list;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] < second[i]) list.Append(cells.cells()[i]);
  }
  return list;
}

/// In a step the reads of an iteration come before its writes, and iterations
/// after each other: only bytes that are both read and written need a look.
void SetOrder(isa::Memory memory, const std::vector<isa::Access>& accesses,
              MemoryUse& use) {
  const RangeList both = Common(use.reads, use.writes);
  if (both.empty()) {
    use.read_first = use.reads;
    use.read_after = use.reads;
    return;
  }
  const AccessCells cells(both, memory, accesses);
  const AccessCells::Which read{.write = false};
  const AccessCells::Which write{.write = true};
  const RangeList first = CellsWhere(cells, cells.First(accesses, read),
                                     cells.First(accesses, write));
  const RangeList after = CellsWhere(cells, cells.Last(accesses, write),
                                     cells.Last(accesses, read));
  use.read_first = Without(use.reads, Without(both, first));
  use.read_after = Without(use.reads, Without(both, after));
}

}  // namespace

void StepUse::Set(const std::vector<isa::Access>& accesses) {
  for (MemoryUse& use : uses_) {
    use.reads.Clear();
    use.writes.Clear();
    use.read_first.Clear();
    use.read_after.Clear();
  }
  for (const isa::Access& access : accesses) {
    MemoryUse& use = uses_[static_cast<std::size_t>(access.memory)];
    (access.write ? use.writes : use.reads)
        .Append({access.at, access.at + access.bytes});
  }
  for (std::size_t m = 0; m < uses_.size(); ++m) {
    uses_[m].reads.Tidy();
    uses_[m].writes.Tidy();
    SetOrder(static_cast<isa::Memory>(m), accesses, uses_[m]);
  }
}

}  // namespace lanediff::lint
