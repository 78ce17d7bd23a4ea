#include "sanitizer/ranges.h"

#include <cstddef>
#include <utility>

namespace lanediff::lint {

RangeList::RangeList(std::vector<Range> ranges) : ranges_(std::move(ranges)) {
  tidy_ = false;
  Tidy();
}

void RangeList::Tidy() {
  if (tidy_) return;
  std::ranges::sort(ranges_, {}, &Range::begin);
  std::size_t kept = 0;
  for (const Range& range : ranges_) {
    if (range.empty()) continue;
    if (kept > 0 && range.begin <= ranges_[kept - 1].end) {
      ranges_[kept - 1].end = std::max(ranges_[kept - 1].end, range.end);
    } else {
      ranges_[kept++] = range;
    }
  }
  ranges_.resize(kept);
  tidy_ = true;
}

std::int64_t RangeList::bytes() const {
  std::int64_t bytes = 0;
  for (const Range& range : ranges_) bytes += range.size();
  return bytes;
}

RangeList Common(const RangeList& a, const RangeList& b) {
  RangeList common;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    common.Append(Common(*i, *j));
    if (i->end < j->end) {
      ++i;
    } else {
      ++j;
    }
  }
  return common;
}

RangeList Without(const RangeList& a, const RangeList& b) {
  RangeList rest;
  auto j = b.begin();
  for (Range range : a) {
    while (j != b.end() && j->end <= range.begin) ++j;
    for (auto k = j; k != b.end() && k->begin < range.end; ++k) {
      rest.Append({range.begin, k->begin});
      range.begin = std::max(range.begin, k->end);
    }
    rest.Append(range);
  }
  return rest;
}

}  // namespace lanediff::lint
