#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/changes.h"

namespace lanediff::reports {

/// What one checker made of one mutant, for one or several seeds.
struct CheckerRecord {
  std::string checker;
  /// For each seed the number of cases up to the one that found it; none where
  /// it was not found.
  std::vector<std::optional<std::uint64_t>> found_after;
  std::uint64_t tried = 0;  ///< cases, of all seeds together
  bool capped = false;      ///< ended by the clock, not by its budget
  bool left_out = false;    ///< not asked: another one had found it before
  std::string error = {};   ///< why it was not run

  /// Found with at least half of the seeds: the middle number of cases.
  std::optional<std::uint64_t> Median() const;
  bool found() const;  ///< with any seed
};

/// What a hunt came to. A mutant that nobody found is only *not found* if every
/// checker came to its end.
enum class MutantVerdict { kFound, kNotFound, kNotFinished };

/// "found", "not found" or "not finished".
std::string_view Name(MutantVerdict verdict);

/// One defective emulator and who found it.
struct MutantRecord {
  std::string name;
  std::string instruction;
  std::string rule;
  std::string defect;
  std::string modelled_on;
  std::vector<CheckerRecord> checkers;

  MutantVerdict verdict() const;
  bool found() const { return verdict() == MutantVerdict::kFound; }
};

/// A hunt for all mutants.
struct MutantsRecord {
  std::string vectors;  ///< that the emulator computes with
  std::uint64_t seed = 0;
  std::uint64_t seeds = 1;
  std::uint64_t cases = 0;  ///< budget of each checker
  double seconds = 0;
  bool interrupted = false;
  std::vector<MutantRecord> mutants;
  /// Since a baseline, if there is one.
  std::optional<MutantsChanges> changes = {};

  std::size_t Count(MutantVerdict verdict) const;
  std::size_t found() const { return Count(MutantVerdict::kFound); }
  /// Whether every hunt came to its end.
  bool complete() const {
    return !interrupted && Count(MutantVerdict::kNotFinished) == 0;
  }
  /// Guided cases to baseline cases, geometric mean over the mutants on which
  /// the baseline needs more than 1,000; none if there is no such mutant. Where
  /// the baseline found nothing, its budget counts.
  struct Ratio {
    double mean = 0;
    double worst = 0;
    std::string worst_mutant;
    std::size_t mutants = 0;
  };
  std::optional<Ratio> GuidedToBaseline() const;
};

/// Names of the checkers that the ratio speaks of.
inline constexpr const char* kGuided = "guided";
inline constexpr const char* kBaseline = "baseline";

/// A line for each mutant, then the sums.
std::string MutantsText(const MutantsRecord& record);
std::string MutantsJson(const MutantsRecord& record);
/// A test case for each mutant, failed if nobody found it, in error if the hunt
/// was not finished.
std::string MutantsJunit(const MutantsRecord& record);

}  // namespace lanediff::reports
