#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "differential/compare/finding.h"
#include "differential/shrink/shrink.h"
#include "differential/testcase/case.h"

namespace lanediff::diff::shrink {

/// The smallest case so far, and the attempts at a smaller one.
class Attempts {
 public:
  /// `c` shows `finding`.
  Attempts(Case c, Finding finding, Shows shows, const ShrinkBudget& budget);

  const Case& best() const { return best_; }
  const Finding& finding() const { return finding_; }

  /// Keeps `candidate` as the best if it is well formed and shows the finding.
  /// A candidate that has failed once is not run again.
  bool Try(Case candidate);

  /// The same for the best case with `change` applied to it.
  template <class F>
  bool Change(F&& change) {
    Case candidate = best_;
    std::forward<F>(change)(candidate);
    return Try(std::move(candidate));
  }

  /// Brings a number from `now` toward `simplest` as far as the finding still
  /// shows: all the way, else by powers of two, large ones first. `set` puts a
  /// value into a candidate.
  bool Lower(std::int64_t now, std::int64_t simplest,
             const std::function<void(Case&, std::int64_t)>& set);

  bool exhausted() const;
  std::int64_t run() const { return run_; }
  double seconds() const;

 private:
  Case best_;
  Finding finding_;
  Shows shows_;
  ShrinkBudget budget_;
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
  std::int64_t run_ = 0;
  std::unordered_set<std::string> failed_;  ///< encodings
};

/// The passes. Each returns whether the best case became smaller.
bool ShrinkSteps(Attempts& attempts);
bool ShrinkLayout(Attempts& attempts);
bool ShrinkFields(Attempts& attempts);
bool ShrinkTiles(Attempts& attempts);
bool ShrinkData(Attempts& attempts);

}  // namespace lanediff::diff::shrink
