#include "sanitizer/access_cells.h"

#include <algorithm>

namespace lanediff::lint {

AccessCells::AccessCells(const RangeList& bytes, isa::Memory memory,
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
  for (Range range : bytes) {
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
  auto cell = std::ranges::lower_bound(cells_, access.at, {}, &Range::begin);
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

}  // namespace lanediff::lint
