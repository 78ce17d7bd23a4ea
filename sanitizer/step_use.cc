#include "sanitizer/step_use.h"

#include <algorithm>
#include <cstdint>

namespace lanediff::lint {
namespace {

/// Those cells of which the first is there and comes before the second.
isa::IntervalSet CellsWhere(const AccessCells& cells,
                            const std::vector<std::int32_t>& first,
                            const std::vector<std::int32_t>& second) {
  isa::IntervalSet list;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] < second[i]) list.Append(cells.cells()[i]);
  }
  return list;
}

/// In a step the reads of an iteration come before its writes, and iterations
/// after each other: only bytes that are both read and written need a look.
void SetOrder(isa::Memory memory, const std::vector<isa::Access>& accesses,
              MemoryUse& use) {
  const isa::IntervalSet both = Common(use.reads, use.writes);
  if (both.empty()) {
    use.read_first = use.reads;
    use.read_after = use.reads;
    return;
  }
  const AccessCells cells(both, memory, accesses);
  const AccessCells::Which read{.write = false};
  const AccessCells::Which write{.write = true};
  const isa::IntervalSet first = CellsWhere(cells, cells.First(accesses, read),
                                            cells.First(accesses, write));
  const isa::IntervalSet after = CellsWhere(cells, cells.Last(accesses, write),
                                            cells.Last(accesses, read));
  use.read_first = Without(use.reads, Without(both, first));
  use.read_after = Without(use.reads, Without(both, after));
}

}  // namespace

AccessCells::AccessCells(const isa::IntervalSet& bytes, isa::Memory memory,
                         const std::vector<isa::Access>& accesses,
                         const std::vector<isa::Access>& others)
    : memory_(memory) {
  std::vector<std::int64_t> cuts;
  for (const auto* list : {&accesses, &others}) {
    for (const isa::Access& access : *list) {
      if (access.memory != memory) continue;
      cuts.push_back(access.at);
      cuts.push_back(access.at + access.bytes);
    }
  }
  std::ranges::sort(cuts);
  cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
  for (isa::Interval range : bytes) {
    auto cut = std::ranges::upper_bound(cuts, range.begin);
    for (; cut != cuts.end() && *cut < range.end; ++cut) {
      cells_.push_back({range.begin, *cut});
      range.begin = *cut;
    }
    cells_.push_back(range);
  }
}

void AccessCells::Paint(const isa::Access& access, std::int32_t number,
                        std::vector<std::int32_t>& numbers) const {
  auto cell =
      std::ranges::lower_bound(cells_, access.at, {}, &isa::Interval::begin);
  for (; cell != cells_.end() && cell->begin < access.at + access.bytes;
       ++cell) {
    numbers[static_cast<std::size_t>(cell - cells_.begin())] = number;
  }
}

std::vector<std::int32_t> AccessCells::First(
    const std::vector<isa::Access>& accesses, const Which& which) const {
  std::vector<std::int32_t> numbers(cells_.size(), kNone);
  for (std::size_t i = accesses.size(); i-- > 0;) {
    if (!Counts(accesses[i], which)) continue;
    Paint(accesses[i], static_cast<std::int32_t>(i), numbers);
  }
  return numbers;
}

std::vector<std::int32_t> AccessCells::Last(
    const std::vector<isa::Access>& accesses, const Which& which) const {
  std::vector<std::int32_t> numbers(cells_.size(), kNone);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (!Counts(accesses[i], which)) continue;
    Paint(accesses[i], static_cast<std::int32_t>(i), numbers);
  }
  return numbers;
}

void StepUse::Set(const std::vector<isa::Access>& accesses) {
  for (MemoryUse& use : uses_) {
    use.reads.Clear();
    use.writes.Clear();
    use.read_first.Clear();
    use.read_after.Clear();
  }
  for (const isa::Access& access : accesses) {
    MemoryUse& use = uses_[static_cast<std::size_t>(access.memory)];
    (access.write ? use.writes : use.reads).Append(BytesOf(access));
  }
  for (std::size_t m = 0; m < uses_.size(); ++m) {
    uses_[m].reads.Tidy();
    uses_[m].writes.Tidy();
    SetOrder(static_cast<isa::Memory>(m), accesses, uses_[m]);
  }
}

}  // namespace lanediff::lint
