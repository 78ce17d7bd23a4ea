#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
                  const Visit& visit) const {
    for (const isa::Interval& range : bytes) {
      touches_[static_cast<std::size_t>(memory)].ForEach(
          range, [&](const isa::Interval& run, const LastTouch& touch) {
            if (touch.writer != LastTouch::kNoStep) visit(run, touch.writer);
          });
    }
  }

  /// The operation was executed as step number `step`.
  void Executed(const StepUse& use, isa::Pipe pipe, std::int32_t step);

 private:
  std::array<isa::IntervalMap<LastTouch>, isa::kCount<isa::Memory>> touches_;
};

}  // namespace lanediff::lint
