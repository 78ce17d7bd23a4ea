#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case_error.h"
#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/changes.h"
#include "reports/reasons.h"

namespace lanediff::reports {

struct MutantsRecord;
struct Report;

/// Why the run is no success although no mutant survived.
Reasons ReasonsOf(const MutantsRecord& record);

/// What a hunt came to. A mutant that survived is only *not found* if every
/// checker came to its end.
enum class MutantVerdict : std::uint8_t { kFound, kNotFound, kNotFinished };

/// What one checker made of one mutant, for one or several seeds.
struct CheckerRecord {
  std::string checker;
  /// For each seed the number of cases up to the one that found it; none where
  /// it was not found.
  std::vector<std::optional<std::uint64_t>> found_after;
  std::uint64_t tried = 0;  ///< cases, of all seeds together
  bool capped = false;      ///< ended by the clock, not by its budget
  bool left_out = false;    ///< not run: another one had found it before
  std::string error = {};   ///< why it was not run

  /// Found with at least half of the seeds: the middle number of cases.
  std::optional<std::uint64_t> Median() const;
  bool found() const;  ///< with any seed

  static void Fields(auto& c, auto& v) {
    v.Required("checker", c.checker, kFilled);
    v.Required("tried", c.tried);
    v.Required("capped", c.capped, {.description = "ended by the clock"});
    v.Required("leftOut", c.left_out,
               {.description = "not run: another one had found it before"});
    v.Required("foundAfter", c.found_after,
               {.description = "for each seed; null: not found"});
    v.Optional("error", c.error, kFilled);
  }
};

/// One defective emulator.
struct MutantHead {
  std::string name;
  std::string instruction;
  std::string rule;
  std::string defect;
  std::string modelled_on;

  static void Fields(auto& m, auto& v) {
    v.Required("name", m.name, kFilled);
    v.Required("instruction", m.instruction, kFilled);
    v.Required("rule", m.rule, kRuleText);
    v.Required("defect", m.defect, kFilled);
    v.Required("modelledOn", m.modelled_on);
  }
};

/// Who found it.
struct MutantRecord : MutantHead {
  std::vector<CheckerRecord> checkers;

  MutantVerdict verdict() const;
  bool found() const { return verdict() == MutantVerdict::kFound; }

  /// Whether there is no checker, or no result of one.
  std::optional<CaseError> Fault() const;

  static void Fields(auto& m, auto& v) {
    MutantHead::Fields(m, v);
    v.Derived("verdict", [&] { return m.verdict(); });
    v.Required("checkers", m.checkers);
  }
};

/// A hunt for all mutants.
struct MutantsRecord {
  std::string vectors;  ///< that the emulator computes with
  std::string edition;
  std::string product = {};  ///< as which cases were run; empty: their own
  std::uint64_t seed = 0;
  std::uint64_t seeds = 1;
  std::uint64_t cases = 0;  ///< budget of each checker
  double seconds = 0;
  bool interrupted = false;
  std::vector<MutantRecord> mutants;
  std::optional<MutantsChanges> changes = {};

  std::size_t Count(MutantVerdict verdict) const;
  std::size_t found() const { return Count(MutantVerdict::kFound); }
  bool complete() const { return ReasonsOf(*this).empty(); }
  /// Guided cases to baseline cases, geometric mean over the mutants on which
  /// the baseline needs more than 1,000; none if there is no such mutant. Where
  /// the baseline found nothing, its budget counts.
  struct Ratio {
    double mean = 0;
    double worst = 0;
    std::string worst_mutant;
    std::size_t mutants = 0;

    static void Fields(auto& r, auto& v) {
      v.Required("mean", r.mean, kNotNegative);
      v.Required("worst", r.worst, kNotNegative);
      v.Required("worstMutant", r.worst_mutant);
      v.Required("mutants", r.mutants, {.low = 1});
    }
  };
  std::optional<Ratio> GuidedToBaseline() const;

  struct Summary {
    std::size_t mutants = 0;
    std::size_t found = 0;
    std::size_t not_found = 0;
    std::size_t not_finished = 0;
    std::optional<Ratio> guided_to_baseline = {};

    static void Fields(auto& s, auto& v) {
      LANEDIFF_REQUIRED(v, s.mutants, s.found, s.not_found, s.not_finished);
      v.Optional("guidedToBaseline", s.guided_to_baseline);
    }
  };
  Summary Sums() const;

  static void Fields(auto& r, auto& v) {
    v.Document("mutants");
    v.Required("vectors", r.vectors,
               {.description = "of the emulator: avx2, …, plain for none; "
                               "several where shards ran apart"});
    v.Optional("edition", r.edition,
               {.description = "of the documents, by which cases were judged; "
                               "several with commas in between"});
    v.Optional("product", r.product,
               {.description = "as which cases were run; else as their own",
                .filled = true});
    v.Required("seed", r.seed, kAllBits);
    v.Required("seeds", r.seeds, {.low = 1});
    v.Required("cases", r.cases);
    v.Required("seconds", r.seconds, kNotNegative);
    CompleteFields(v, ReasonsOf(r));
    v.Derived("summary", [&] { return r.Sums(); });
    v.Required("mutants", r.mutants);
    v.Optional(
        "changes", r.changes,
        {.description =
             "mutants found now and not before, survived now and not before, "
             "not hunted to the end before, not hunted to the end now"});
  }
};

/// Names of the checkers that the ratio speaks of.
inline constexpr const char* kGuided = "guided";
inline constexpr const char* kBaseline = "baseline";

std::string MutantsJson(const MutantsRecord& record);
/// A text has a row for each mutant that was not found, if verbose for each,
/// and the sums. JUnit has a test for each mutant, failed if it survived, in
/// error if the hunt was not finished.
Report ToReport(const MutantsRecord& record);

}  // namespace lanediff::reports

template <>
struct lanediff::isa::Words<lanediff::reports::MutantVerdict> {
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "found", "not found", "not finished"};
};
