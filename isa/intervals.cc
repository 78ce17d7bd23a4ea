#include "isa/intervals.h"

namespace lanediff::isa {

IntervalSet::IntervalSet(std::vector<Interval> intervals)
    : intervals_(std::move(intervals)), tidy_(false) {
  Tidy();
}

void IntervalSet::Tidy() {
  if (tidy_) return;
  std::ranges::sort(intervals_, {}, &Interval::begin);
  std::size_t kept = 0;
  for (const Interval& bytes : intervals_) {
    if (bytes.empty()) continue;
    if (kept > 0 && bytes.begin <= intervals_[kept - 1].end) {
      Interval& last = intervals_[kept - 1];
      last.end = std::max(last.end, bytes.end);
    } else {
      intervals_[kept++] = bytes;
    }
  }
  intervals_.resize(kept);
  tidy_ = true;
}

void IntervalSet::Insert(Interval bytes) {
  assert(tidy_);
  if (intervals_.empty() || intervals_.back().begin <= bytes.begin) {
    return Append(bytes);
  }
  if (bytes.empty()) return;
  const auto first =
      std::ranges::lower_bound(intervals_, bytes.begin, {}, &Interval::end);
  auto last = first;
  for (; last != intervals_.end() && last->begin <= bytes.end; ++last) {
    bytes.begin = std::min(bytes.begin, last->begin);
    bytes.end = std::max(bytes.end, last->end);
  }
  if (first == last) {
    intervals_.insert(first, bytes);
  } else {
    *first = bytes;
    intervals_.erase(first + 1, last);
  }
}

void IntervalSet::Erase(const Interval& bytes) {
  const auto first = EndingBehind(bytes.begin);
  auto last = first;
  while (last != end() && last->begin < bytes.end) ++last;
  if (bytes.empty() || first == last) return;
  const Interval before{first->begin, bytes.begin};
  const Interval behind{bytes.end, std::prev(last)->end};
  auto at = intervals_.erase(first, last);
  if (!behind.empty()) at = intervals_.insert(at, behind);
  if (!before.empty()) intervals_.insert(at, before);
}

IntervalSet IntervalSet::In(const Interval& bytes) const {
  IntervalSet part;
  for (auto one = EndingBehind(bytes.begin);
       one != end() && one->begin < bytes.end; ++one) {
    part.Append(Common(*one, bytes));
  }
  return part;
}

std::int64_t IntervalSet::bytes() const {
  std::int64_t bytes = 0;
  for (const Interval& one : tidied()) bytes += one.size();
  return bytes;
}

IntervalSet Common(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet common;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    common.Append(Common(*i, *j));
    i->end < j->end ? ++i : ++j;
  }
  return common;
}

IntervalSet Without(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet rest;
  auto j = b.begin();
  for (Interval bytes : a) {
    while (j != b.end() && j->end <= bytes.begin) ++j;
    for (auto k = j; k != b.end() && k->begin < bytes.end; ++k) {
      rest.Append({bytes.begin, k->begin});
      bytes.begin = std::max(bytes.begin, k->end);
    }
    rest.Append(bytes);
  }
  return rest;
}

}  // namespace lanediff::isa
