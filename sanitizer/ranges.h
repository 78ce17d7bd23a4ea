#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lanediff::lint {

/// The bytes [begin, end) of one memory.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  bool empty() const { return begin >= end; }
  bool operator==(const Range&) const = default;
};

inline Range Common(const Range& a, const Range& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// Bytes of one memory as ranges that ascend and neither overlap nor touch.
class RangeList {
 public:
  RangeList() = default;
  /// Of ranges in any order that may overlap.
  explicit RangeList(std::vector<Range> ranges);

  /// Adds a range; cheap where they come in ascending order, otherwise `Tidy`
  /// must be called before anything is read.
  void Append(const Range& range) {
    if (range.empty()) return;
    if (ranges_.empty() || ranges_.back().end < range.begin) {
      ranges_.push_back(range);
    } else if (range.begin >= ranges_.back().begin) {
      ranges_.back().end = std::max(ranges_.back().end, range.end);
    } else {
      ranges_.push_back(range);
      tidy_ = false;
    }
  }
  void Tidy();
  void Clear() {
    ranges_.clear();
    tidy_ = true;
  }

  bool empty() const { return ranges_.empty(); }
  std::int64_t bytes() const;
  std::vector<Range>::const_iterator begin() const { return ranges_.begin(); }
  std::vector<Range>::const_iterator end() const { return ranges_.end(); }
  std::size_t size() const { return ranges_.size(); }
  const Range& front() const { return ranges_.front(); }
  const Range& back() const { return ranges_.back(); }

  bool operator==(const RangeList& other) const {
    return ranges_ == other.ranges_;
  }

 private:
  std::vector<Range> ranges_;
  bool tidy_ = true;
};

RangeList Common(const RangeList& a, const RangeList& b);
/// What of `a` isn't in `b`.
RangeList Without(const RangeList& a, const RangeList& b);

}  // namespace lanediff::lint
