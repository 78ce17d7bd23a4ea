#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/json.h"
#include "differential/testcase/record.h"
#include "reports/shard.h"

/// The document of a `ShardRecord`. Fields that the documents of its results
/// lack stand in lists beside them.
namespace lanediff::reports {

inline constexpr std::array<std::string_view, 6> kShardVerbs = {
    "audit", "check", "exhaust", "fuzz", "mutants", "sweep"};

/// A known issue and the file from which it was read.
struct ListedIssue : diff::KnownIssue {
  template <class Self, class Visitor>
  static void Fields(Self& i, Visitor& v) {
    diff::KnownIssue::Fields(i, v);
    v.Required("file", i.file);
  }
};

/// Of a fuzz program, of which a run holds rates only.
struct FuzzerPace {
  std::string build;
  diff::Pace pace;

  template <class Self, class Visitor>
  static void Fields(Self& f, Visitor& v) {
    v.Required("build", f.build);
    diff::Pace::Fields(f.pace, v);
  }
};

struct ShardDocument {
  ShardRecord record;  ///< but for what stands below
  std::vector<ListedIssue> known_issues;
  std::vector<CasePlace> places;  ///< of `record.run`
  std::vector<FuzzerPace> paces;  ///< of `record.run`

  /// Whether the run is of another verb, or has other cases or fuzz programs
  /// than there are places and paces.
  std::optional<CaseError> Fault() const;

  template <class Self, class Visitor>
  static void Fields(Self& d, Visitor& v) {
    auto& r = d.record;
    v.Format("lanediff-shard/1");
    v.Required("program", r.program,
               {.description = "version of lanediff", .filled = true});
    v.Required("verb", r.verb, {.words = kShardVerbs});
    v.Required("shard", r.shard);
    v.Required("complete", r.complete,
               {.description = "false: it was interrupted or could not save "
                               "something"});
    v.Required(
        "day", r.day,
        {.description = "on which it ended, in UTC", .pattern = kDayPattern});
    v.Required("options", r.options,
               {.description = "as given: the same in all shards of a run"});
    v.Required("out", r.out,
               {.description = "its folder, as it was named; paths of kept "
                               "cases begin with it",
                .filled = true});
    v.Required("knownIssues", d.known_issues);
    v.Required("occurred", r.occurred,
               {.description = "signatures of known issues"});
    const bool is_run =
        r.verb == "check" || r.verb == "fuzz" || r.verb == "sweep";
    v.RequiredIf(is_run, "run", r.run,
                 {.description = "of check, fuzz and sweep: see "
                                 "run.schema.json",
                  .elsewhere = true});
    v.RequiredIf(is_run, "places", d.places,
                 {.description = "fields of cases that `run` lacks, one for "
                                 "each"});
    v.RequiredIf(is_run, "paces", d.paces,
                 {.description = "fields of fuzz programs that `run` lacks, "
                                 "one for each"});
    v.RequiredIf(r.verb == "mutants", "mutants", r.mutants,
                 {.description = "see mutants.schema.json", .elsewhere = true});
    v.RequiredIf(r.verb == "exhaust", "states", r.states,
                 {.description = "of exhaust, one for each space: what its "
                                 "state files hold",
                  .filled = true,
                  .elsewhere = true});
    v.RequiredIf(r.verb == "audit", "audit", r.audit);
  }
};

}  // namespace lanediff::reports
