#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isa/access.h"
#include "isa/units.h"

/// Sets of bytes of one memory, and values of bytes. Neither emulator nor
/// oracle includes it: one has closed forms, the other marks of its own.
namespace lanediff::isa {

/// The bytes [begin, end) of one memory.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  bool empty() const { return begin >= end; }
  bool operator==(const Interval&) const = default;
};

inline Interval Common(const Interval& a, const Interval& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

inline Interval BytesOf(const Access& access) {
  return {access.at, access.at + access.bytes};
}

/// Whether the accesses have a byte in common.
inline bool ShareBytes(const Access& a, const Access& b) {
  return a.memory == b.memory && !Common(BytesOf(a), BytesOf(b)).empty();
}

/// The next multiple of `unit`, which is positive; `value` is not negative.
constexpr std::int64_t RoundUp(std::int64_t value,
                               std::int64_t unit = kDataBlockBytes) {
  return (value + unit - 1) / unit * unit;
}

/// Bytes of one memory as intervals that ascend and neither overlap nor touch.
class IntervalSet {
 public:
  IntervalSet() = default;
  /// Of intervals in any order that may overlap.
  explicit IntervalSet(std::vector<Interval> intervals);

  /// Adds an interval; cheap where they come in ascending order, otherwise
  /// `Tidy` must be called before anything but `empty` is read.
  void Append(const Interval& bytes) {
    if (bytes.empty()) return;
    if (intervals_.empty() || intervals_.back().end < bytes.begin) {
      intervals_.push_back(bytes);
    } else if (bytes.begin >= intervals_.back().begin) {
      intervals_.back().end = std::max(intervals_.back().end, bytes.end);
    } else {
      intervals_.push_back(bytes);
      tidy_ = false;
    }
  }
  void Tidy();

  void Insert(Interval bytes);
  void Erase(const Interval& bytes);
  void Clear() {
    intervals_.clear();
    tidy_ = true;
  }

  /// Whether one of the bytes is in the set.
  bool Intersects(const Interval& bytes) const {
    const auto first = EndingBehind(bytes.begin);
    return !bytes.empty() && first != end() && first->begin < bytes.end;
  }
  /// The part that lies in `bytes`.
  IntervalSet In(const Interval& bytes) const;

  bool empty() const { return intervals_.empty(); }
  std::int64_t bytes() const;
  std::vector<Interval>::const_iterator begin() const {
    return tidied().begin();
  }
  std::vector<Interval>::const_iterator end() const { return tidied().end(); }
  std::size_t size() const { return tidied().size(); }
  const Interval& front() const { return tidied().front(); }
  const Interval& back() const { return tidied().back(); }

  bool operator==(const IntervalSet& other) const {
    return tidied() == other.tidied();
  }

 private:
  const std::vector<Interval>& tidied() const {
    assert(tidy_);
    return intervals_;
  }
  /// The first interval that ends behind `at`.
  std::vector<Interval>::const_iterator EndingBehind(std::int64_t at) const {
    return std::ranges::upper_bound(tidied(), at, {}, &Interval::end);
  }

  std::vector<Interval> intervals_;
  bool tidy_ = true;
};

IntervalSet Common(const IntervalSet& a, const IntervalSet& b);
/// What of `a` isn't in `b`.
IntervalSet Without(const IntervalSet& a, const IntervalSet& b);

/// A value for some bytes of one memory; neighbours with equal values are one
/// interval.
template <class T>
class IntervalMap {
 public:
  bool empty() const { return runs_.empty(); }
  void Clear() { runs_.clear(); }

  /// Calls `visit(interval, value)` for each part of `bytes` that has one
  /// value, ascending.
  template <class Visit>
  void ForEach(const Interval& bytes, const Visit& visit) const {
    if (bytes.empty()) return;
    for (auto run = EndingBehind(runs_, bytes.begin);
         run != runs_.end() && run->first < bytes.end; ++run) {
      visit(Common(Interval{run->first, run->second.end}, bytes),
            run->second.value);
    }
  }
  /// The same for all bytes with a value.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (const auto& [begin, run] : runs_) {
      visit(Interval{begin, run.end}, run.value);
    }
  }
  /// The lowest part of `bytes` that has a value; none if no byte has one.
  std::optional<std::pair<Interval, T>> FirstIn(const Interval& bytes) const {
    const auto run = EndingBehind(runs_, bytes.begin);
    if (bytes.empty() || run == runs_.end() || run->first >= bytes.end) {
      return std::nullopt;
    }
    return std::pair(Common(Interval{run->first, run->second.end}, bytes),
                     run->second.value);
  }

  void Set(const Interval& bytes, T value) {
    if (bytes.empty()) return;
    const Iterator behind = Remove(bytes);
    Add(behind, bytes, std::move(value));
  }
  /// Sets those of `bytes` that have no value.
  void SetMissing(const Interval& bytes, const T& value) {
    for (std::int64_t at = bytes.begin; at < bytes.end;) {
      const Iterator run = EndingBehind(runs_, at);
      const bool last = run == runs_.end() || run->first >= bytes.end;
      const std::int64_t end = last ? bytes.end : run->first;
      const std::int64_t next = last ? bytes.end : run->second.end;
      if (at < end) Add(run, {at, end}, value);
      at = next;
    }
  }
  void Erase(const Interval& bytes) {
    if (!bytes.empty()) Remove(bytes);
  }
  /// Calls `change(value)` for each part of `bytes` that has a value.
  template <class Change>
  void ForEachValue(const Interval& bytes, const Change& change) {
    if (bytes.empty()) return;
    CutAt(bytes.end);
    Iterator run = CutAt(bytes.begin);
    for (; run != runs_.end() && run->first < bytes.end; ++run) {
      change(run->second.value);
      run = JoinBefore(run);
    }
    JoinBefore(run);
  }

 private:
  struct Run {
    std::int64_t end;
    T value;
  };
  using Runs = std::map<std::int64_t, Run>;  ///< by the first byte
  using Iterator = typename Runs::iterator;

  /// The first run that ends behind `at`.
  template <class Map>
  static auto EndingBehind(Map& runs, std::int64_t at) {
    auto run = runs.upper_bound(at);
    if (run != runs.begin() && std::prev(run)->second.end > at) --run;
    return run;
  }
  /// Makes no run hold both `at` and the byte before; the run behind.
  Iterator CutAt(std::int64_t at) {
    const Iterator run = EndingBehind(runs_, at);
    if (run == runs_.end() || run->first >= at) return run;
    const Run rest = run->second;
    run->second.end = at;
    return runs_.emplace_hint(std::next(run), at, rest);
  }
  /// Leaves `bytes`, which are some, without values; the run behind them.
  Iterator Remove(const Interval& bytes) {
    Iterator run = CutAt(bytes.begin);
    while (run != runs_.end() && run->second.end <= bytes.end) {
      run = runs_.erase(run);
    }
    if (run == runs_.end() || run->first >= bytes.end) return run;
    auto node = runs_.extract(run++);
    node.key() = bytes.end;
    return runs_.insert(run, std::move(node));
  }
  /// Gives `bytes`, which are some and have no value, a value; `behind`: the
  /// run behind them.
  void Add(Iterator behind, const Interval& bytes, T value) {
    JoinBefore(runs_.emplace_hint(behind, bytes.begin,
                                  Run{bytes.end, std::move(value)}));
    JoinBefore(behind);
  }
  /// Makes `run` one with the run before where it continues that one; the
  /// whole.
  Iterator JoinBefore(Iterator run) {
    if (run == runs_.end() || run == runs_.begin()) return run;
    const Iterator before = std::prev(run);
    if (before->second.end != run->first ||
        !(before->second.value == run->second.value)) {
      return run;
    }
    before->second.end = run->second.end;
    runs_.erase(run);
    return before;
  }

  Runs runs_;
};

}  // namespace lanediff::isa
