#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/intervals.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "sanitizer/order.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {

/// Who touched a byte last: the step that wrote it, and of each pipe the last
/// step that has read it since.
struct LastTouch {
  static constexpr std::int32_t kNoStep = -1;

  LastTouch() { readers.fill(kNoStep); }
  std::int32_t writer = kNoStep;
  std::array<std::int32_t, isa::kCount<isa::Pipe>> readers;

  bool operator==(const LastTouch&) const = default;
};

/// The last touches of all bytes of one memory. Kept for runs of bytes, in
/// pages: cost follows the runs that a step touches, not the memory's size.
class ByteHistory {
 public:
  /// Calls `visit(range, touch)` for each run of `bytes`, ascending.
  template <class Visit>
  void ForEach(const isa::IntervalSet& bytes, Visit visit) const;

  /// `step` writes; no step has read since.
  void Write(const isa::IntervalSet& bytes, std::int32_t step);
  /// `step` reads on `pipe`.
  void Read(const isa::IntervalSet& bytes, isa::Pipe pipe, std::int32_t step);

 private:
  static constexpr std::int64_t kPageBytes = 4096;

  /// A run of a page, up to where the next one begins.
  struct Run {
    std::int32_t begin = 0;
    LastTouch touch;
  };
  /// Ascending; the first one begins at 0.
  using Page = std::vector<Run>;

  template <class Change>
  void ChangePages(const isa::IntervalSet& bytes, Change change);
  static std::size_t CutAt(Page& page, std::size_t from, std::int32_t offset);
  static std::size_t RunAt(const Page& page, std::size_t from,
                           std::int32_t offset);
  static std::int32_t EndOf(const Page& page, std::size_t run) {
    return run + 1 < page.size() ? page[run + 1].begin
                                 : static_cast<std::int32_t>(kPageBytes);
  }

  std::unordered_map<std::int64_t, Page> pages_;
};

template <class Visit>
void ByteHistory::ForEach(const isa::IntervalSet& bytes, Visit visit) const {
  std::int64_t last_start = -1;
  const Page* page = nullptr;
  std::size_t run = 0;  // ranges ascend, and so do the runs they touch
  for (const isa::Interval& range : bytes) {
    for (std::int64_t at = range.begin; at < range.end;) {
      const std::int64_t start = at / kPageBytes * kPageBytes;
      const std::int64_t end = std::min(range.end, start + kPageBytes);
      if (start != last_start) {
        const auto found = pages_.find(start);
        page = found == pages_.end() ? nullptr : &found->second;
        last_start = start;
        run = 0;
      }
      if (page != nullptr) {
        run = RunAt(*page, run, static_cast<std::int32_t>(at - start));
        for (std::size_t r = run;
             r < page->size() && start + (*page)[r].begin < end; ++r) {
          visit(Common(isa::Interval{start + (*page)[r].begin,
                                     start + EndOf(*page, r)},
                       isa::Interval{at, end}),
                (*page)[r].touch);
        }
      }
      at = end;
    }
  }
}

/// Bytes of every memory.
using BytesOfMemories = std::array<isa::IntervalSet, isa::kCount<isa::Memory>>;

/// Two operations that nothing orders, and the bytes that they share.
struct Race {
  isa::RuleId rule;
  std::int32_t earlier = 0;
  BytesOfMemories bytes;
};

/// SYNC-RAW, -WAR and -WAW of one program, step by step.
class Races {
 public:
  /// The races of an operation of `pipe`, at hand, with those before it.
  /// `pipes` has the pipe of each step so far, where it has one.
  std::vector<Race> Look(const StepUse& use, isa::Pipe pipe,
                         const std::vector<isa::Pipe>& pipes,
                         const Order& order) const;

  /// Which steps wrote the bytes last, and how many each; most bytes first.
  std::vector<std::pair<std::size_t, std::int64_t>> WritersOf(
      isa::Memory memory, const isa::IntervalSet& bytes) const;

  /// Calls visit(range, step) for each run of the bytes that one step wrote
  /// last.
  template <class Visit>
  void ForWriters(isa::Memory memory, const isa::IntervalSet& bytes,
                  Visit visit) const {
    memories_[static_cast<std::size_t>(memory)].ForEach(
        bytes, [&](const isa::Interval& run, const LastTouch& touch) {
          if (touch.writer != LastTouch::kNoStep) visit(run, touch.writer);
        });
  }

  /// The operation was executed as step number `step`.
  void Executed(const StepUse& use, isa::Pipe pipe, std::int32_t step);

 private:
  std::array<ByteHistory, isa::kCount<isa::Memory>> memories_;
};

}  // namespace lanediff::lint
