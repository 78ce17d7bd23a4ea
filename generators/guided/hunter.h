#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::make {

/// Tries cases on several targets until each has differed from the reference.
/// The reference runs once for all of them.
class Hunter {
 public:
  struct Result {
    /// Number of cases up to and with the one on which the target differed.
    std::optional<std::uint64_t> found_after;
    diff::Finding finding;  ///< of that case
  };

  /// Tries at most `budget` cases.
  Hunter(std::span<const diff::Target* const> targets,
         const diff::Target& reference, std::uint64_t budget)
      : reference_(reference),
        budget_(budget),
        left_(targets.begin(), targets.end()),
        places_(targets.size()),
        results_(targets.size()) {
    std::iota(places_.begin(), places_.end(), std::size_t{0});
  }

  /// Whether another case helps: the budget is not spent, and there is a
  /// target that has not differed yet.
  bool GoesOn() const { return tried_ < budget_ && !left_.empty(); }

  /// Runs `c` on the targets that have not differed yet.
  void Try(const Case& c, const diff::StepObserver& observer = {}) {
    ++tried_;
    auto comparisons = diff::CompareCase(c, left_, reference_, observer);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (comparisons[i].findings.empty()) {
        left_[kept] = left_[i];
        places_[kept++] = places_[i];
        continue;
      }
      results_[places_[i]] = {
          .found_after = tried_,
          .finding = std::move(comparisons[i].findings.front())};
    }
    left_.resize(kept);
    places_.resize(kept);
  }

  std::uint64_t tried() const { return tried_; }
  /// One for each target, in their order.
  const std::vector<Result>& results() const { return results_; }

 private:
  const diff::Target& reference_;
  std::uint64_t budget_;
  std::uint64_t tried_ = 0;
  std::vector<const diff::Target*> left_;
  std::vector<std::size_t> places_;  ///< of `left_` among the results
  std::vector<Result> results_;
};

}  // namespace lanediff::make
