#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/compare/known_issues.h"
#include "differential/records/exhaust_state.h"
#include "differential/records/shard.h"
#include "differential/testcase/record.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// What a shard of a run leaves for `lanediff merge`: a document
/// of the kind `shard` (reports/schema/shard.schema.json).
namespace lanediff::reports {

/// A larger file is refused before it is parsed.
inline constexpr std::size_t kMaxShardBytes = std::size_t{256} << 20;

/// What the processes of an audit came to.
struct AuditShard {
  std::uint64_t crashed = 0;
  std::uint64_t hung = 0;
  std::string stopped;
  std::optional<make::SampleSize> sample;
  JsonText tally = {"{}"};

  static void Fields(auto& a, auto& v) {
    LANEDIFF_REQUIRED(v, a.crashed, a.hung);
    v.Required("stopped", a.stopped,
               {.description = "why the target was given up; else empty"});
    v.Optional("sample", a.sample,
               {.description = "what its cases are, if they are one"});
    v.Required("tally", a.tally,
               {.description =
                    "sums over its cases, for programs of the same version"});
  }
};

/// One shard's result, and what makes it a part of the same run as others.
struct ShardRecord {
  std::string program;  ///< version of lanediff
  std::string verb;
  make::Shard shard;
  /// Whether the shard did all that it had to; one that was interrupted or
  /// could not save something did not.
  bool complete = true;
  std::string day;  ///< on which it ended, YYYY-MM-DD in UTC
  /// What was requested, by option: the same in all shards of one run.
  std::vector<std::pair<std::string, std::string>> options = {};
  /// The folder of results, as it was named; paths of kept cases begin with it.
  std::string out;

  // Of check and fuzz.
  std::vector<diff::KnownIssue> known_issues = {};
  std::set<std::string, std::less<>> occurred = {};  ///< their signatures

  // The result, by verb.
  std::optional<RunRecord> run = {};              ///< check, fuzz, sweep
  std::optional<MutantsRecord> mutants = {};      ///< mutants
  std::vector<make::exhaust::State> states = {};  ///< exhaust
  AuditShard audit = {};                          ///< audit

  /// Of one that is not complete, a line each.
  std::vector<std::string> Reasons() const;
  /// "sweep.3-of-8.json": by which a folder's shards are found.
  std::string FileName() const;
};

/// Of which shard of which verb a file is that `FileName` named so; nothing if
/// it names none so.
struct ShardName {
  std::string verb;
  make::Shard shard;
};
std::optional<ShardName> ParseShardFileName(std::string_view name);

std::string ShardJson(const ShardRecord& record);

/// Reads such a document. The error is one line: JSON pointer, what was found
/// and what is allowed.
std::expected<ShardRecord, std::string> ReadShard(std::string_view text);

inline constexpr std::array<std::string_view, 6> kShardVerbs = {
    "audit", "check", "exhaust", "fuzz", "mutants", "sweep"};

/// A known issue and the file from which it was read.
struct ListedIssue : diff::KnownIssue {
  static void Fields(auto& i, auto& v) {
    diff::KnownIssue::Fields(i, v);
    v.Required("file", i.file);
  }
};

/// Of a fuzz program, of which a run holds rates only.
struct FuzzerPace {
  std::string build;
  diff::Pace pace;

  static void Fields(auto& f, auto& v) {
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

  static void Fields(auto& d, auto& v) {
    auto& r = d.record;
    v.Document("shard");
    v.Required("program", r.program,
               {.description = "version of lanediff", .filled = true});
    v.Required("verb", r.verb, {.words = kShardVerbs});
    v.Required("shard", r.shard);
    v.Required("complete", r.complete,
               {.description =
                    "false: it was interrupted or could not save something"});
    v.Derived(
        "reasons",
        [&] { return r.complete ? std::nullopt : std::optional(r.Reasons()); },
        {.description = "why it is not complete", .filled = true});
    v.Required(
        "day", r.day,
        {.description = "on which it ended, in UTC", .pattern = kDayPattern});
    v.Required("options", r.options,
               {.description = "as given: the same in all shards of a run"});
    v.Required(
        "out", r.out,
        {.description =
             "its folder, as it was named; paths of kept cases begin with it",
         .filled = true});
    v.Required("knownIssues", d.known_issues);
    v.Required("occurred", r.occurred,
               {.description = "signatures of known issues"});
    const bool is_run =
        r.verb == "check" || r.verb == "fuzz" || r.verb == "sweep";
    v.RequiredIf(
        is_run, "run", r.run,
        {.description = "of check, fuzz and sweep: see run.schema.json",
         .elsewhere = true});
    v.RequiredIf(
        is_run, "places", d.places,
        {.description = "fields of cases that `run` lacks, one for each"});
    v.RequiredIf(
        is_run, "paces", d.paces,
        {.description =
             "fields of fuzz programs that `run` lacks, one for each"});
    v.RequiredIf(r.verb == "mutants", "mutants", r.mutants,
                 {.description = "see mutants.schema.json", .elsewhere = true});
    v.RequiredIf(
        r.verb == "exhaust", "states", r.states,
        {.description =
             "of exhaust, one for each space: what its state files hold",
         .filled = true,
         .elsewhere = true});
    v.RequiredIf(r.verb == "audit", "audit", r.audit);
  }
};

// Joins what all shards of one run left into what the run would have left
// without shards: each is added once, in the order of their index. The caller
// adds stale known issues. Elapsed times are added up. `Finish` needs one
// shard or more, and is called once. Errors are one line.

using Added = std::expected<void, std::string>;

/// What runs have in common.
class RunJoin {
 protected:
  /// Whether it is the first.
  bool Begin(const RunRecord& part);
  RunRecord End();

  RunRecord run_;

 private:
  std::set<std::string> vectors_;
  std::set<std::string> editions_;
};

/// Every case in its place; an error where one is given twice, is missing or
/// is another shard's. Holds all cases, as the joined run does.
class CheckJoin : RunJoin {
 public:
  Added Add(RunRecord part, const make::Shard& shard);
  std::expected<RunRecord, std::string> Finish();

 private:
  std::uint64_t shards_ = 1;
};

/// Sums by instruction, rule and signature; of each instruction's cases that
/// disagreed those that a sweep keeps.
class SweepJoin : RunJoin {
 public:
  Added Add(RunRecord part, const make::Shard& shard);
  RunRecord Finish();

 private:
  std::vector<SweepRecord> sums_;
  std::vector<std::vector<CaseRecord>> cases_;  ///< kept, by instruction
};

/// All fuzz programs, bins reached by any of them, findings united by their
/// signature, with the sum of their counts and the smallest case.
class FuzzJoin : RunJoin {
 public:
  using IsSmaller = std::function<bool(const CaseRecord&, const CaseRecord&)>;
  explicit FuzzJoin(IsSmaller smaller) : smaller_(std::move(smaller)) {}
  void Add(RunRecord part);
  RunRecord Finish();

 private:
  using ById = std::map<std::string, CaseRecord>;
  void AddFound(CaseRecord&& record, ById& found);

  IsSmaller smaller_;
  ById found_;
  ById unconfirmed_;
  std::map<std::string, CoverageRecord> coverage_;
};

/// Every mutant in its place.
class MutantsJoin {
 public:
  void Add(MutantsRecord part) { parts_.push_back(std::move(part)); }
  std::expected<MutantsRecord, std::string> Finish();

 private:
  std::vector<MutantsRecord> parts_;  ///< a mutant is in one of them
};

/// Of one space: sums, and the first findings by call.
class StateJoin {
 public:
  Added Add(make::exhaust::State part, const make::Shard& shard);
  make::exhaust::State Finish() { return *std::move(all_); }

 private:
  std::optional<make::exhaust::State> all_;
};

}  // namespace lanediff::reports
