#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "case/case.h"
#include "lint/hazard.h"
#include "lint/tell.h"

namespace lanediff::reports {

/// One program that lint looked at.
struct LintedCase {
  std::string path;
  std::string id;
  isa::Product product = isa::Product::kAtlasA2;
  lint::Verdict verdict;
  /// Witnesses and repairs of the rejected steps, ascending; of the first ones.
  std::vector<lint::Told> told;
  /// The names of the program's steps.
  std::vector<std::string_view> ops;
};

/// All of them.
struct LintRecord {
  std::vector<LintedCase> cases;
  std::uint64_t malformed = 0;  ///< files that are no case
  std::string unfinished;       ///< why some weren't looked at; empty if all

  struct Sums {
    std::uint64_t clean = 0;
    std::uint64_t hazards = 0;
    std::uint64_t rejected = 0;      ///< cases
    std::uint64_t unsupported = 0;   ///< cases
    std::uint64_t no_racecheck = 0;  ///< cases
    std::uint64_t steps = 0;
    std::uint64_t operations = 0;
    std::uint64_t bytes = 0;
    std::uint64_t synchronizing = 0;
    std::uint64_t masked = 0;
    /// Hazards and broken rules; nothing of what follows a rejected step.
    std::map<std::string, std::uint64_t> by_rule;
    std::array<std::uint64_t, isa::kCount<lint::Group>> by_group = {};
  };
  Sums Sum() const;
};

/// What is told of step `step`; null if nothing is.
const lint::Told* ToldOf(const LintedCase& linted, std::size_t step);

/// What was found in one program, a line for each hazard and rejected step; at
/// most `most` hazards, 0 for all, with a line for the rest.
std::string LintText(const LintedCase& linted, std::uint64_t most);

/// A hazard in one line.
std::string HazardText(const lint::Hazard& hazard);

/// What was found, by rule and group, what was looked at, and what was not
/// done.
std::string LintSummary(const LintRecord& record);

/// The document of `lint --json`: docs/lint.md.
std::string LintJson(const LintRecord& record);

}  // namespace lanediff::reports
