#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "differential/targets/target.h"

namespace lanediff::diff {

/// Counts how often an outside target failed, and how many cases it ran.
/// Any number of threads.
class Restarts {
 public:
  /// It has failed, and is to be started again.
  void Count() { ++failures_; }
  bool given_up() const;
  /// Why it runs no more cases; nothing as long as it does.
  std::optional<NoOutcome> WhyNot(std::string_view name) const;

  /// True for every 64th case, which is to be repeated in a fresh process.
  bool IsCaseToRepeat() { return ++cases_ % kRepeatEvery == 0; }

 private:
  static constexpr std::uint64_t kRepeatEvery = 64;

  std::atomic<std::int64_t> failures_ = 0;
  std::atomic<std::uint64_t> cases_ = 0;
};

/// That `fresh` is another outcome than `had`; nothing where it is none. Rules
/// and notes that either doesn't report are passed over. `last`: the id of the
/// case before it in the process that is not fresh.
std::optional<NoOutcome> StateDifference(const Outcome& had,
                                         const Outcome& fresh,
                                         std::string_view last);

}  // namespace lanediff::diff
