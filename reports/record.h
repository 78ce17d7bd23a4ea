#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/compare/signature.h"
#include "differential/records/fuzz_stats.h"
#include "differential/targets/account.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_error.h"
#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/changes.h"
#include "reports/headline.h"
#include "reports/reasons.h"
#include "reports/target_record.h"

namespace lanediff::reports {

struct RunRecord;

/// Why a run is no success although nothing disagrees.
Reasons ReasonsOf(const RunRecord& record);

/// What became of one case.
enum class Verdict : std::uint8_t {
  kAgree,
  kDisagree,
  kUnsupported,  ///< a side can't do a step; nothing was compared
  kMalformed,    ///< the file is no case, or what was recorded no outcome of it
  kKnown,        ///< it disagrees, in known issues only
  /// A target that checks no rules executed what the documents refuse; what it
  /// left was not compared.
  kTolerated,
};

/// The command that shows a finding again.
inline constexpr Allowed kReproduce = {.pattern = "^lanediff "};

/// Fields of a case that the document of a shard has, and that of a run does
/// not.
struct CasePlace {
  /// Among the cases of the run, or of a sweep's instruction, whichever shard
  /// ran it.
  std::uint64_t number = 0;
  std::string slug;         ///< of a sweep's case
  std::string what;         ///< of a sweep's case: what it was made for
  bool unrecorded = false;  ///< unsupported, as nothing was recorded of it
  std::string reproduce;    ///< the command that shows the findings again

  static void Fields(auto& p, auto& v) {
    v.Required(
        "number", p.number,
        {.description =
             "among the cases of the whole run, or of a sweep's instruction"});
    v.Renamed("instruction", "room");
    v.Optional("instruction", p.slug,
               {.description = "of a sweep's case", .filled = true});
    v.Optional("what", p.what,
               {.description = "what a sweep made it for", .filled = true});
    v.Optional("unrecorded", p.unrecorded);
    v.Required("reproduce", p.reproduce);
  }
};

/// One case of a run.
struct CaseRecord : CasePlace {
  std::string path;
  std::string id;       ///< empty where the file is malformed
  std::string edition;  ///< by which it was judged; empty: the newest
  bool open_memory = false;
  Verdict verdict = Verdict::kAgree;
  std::string error;  ///< of a malformed file: pointer, what was found, allowed
  std::string reason;  ///< of an unsupported case: why, if more is known
  std::vector<diff::Finding> findings;
  std::string known_reason;  ///< of a known case: why it is accepted, and link
  std::uint64_t times = 0;   ///< how often a fuzzer found it; 0: not counted
  std::size_t steps = 0;
  std::int64_t compared_bytes = 0;
  diff::OpenCounts open = {};
  std::uint64_t nodes = 0;
  std::vector<std::string> instructions;
  std::vector<std::string> witness;
  std::vector<std::string> kernel_notes;
  std::vector<isa::RuleId> enforced;   ///< broken, and refused by both sides
  std::vector<isa::RuleId> tolerated;  ///< broken, and executed all the same

  /// Whether verdict and findings contradict each other.
  std::optional<CaseError> Fault() const;

  static void Fields(auto& c, auto& v) {
    v.Required("path", c.path, kFilled);
    v.Required("id", c.id);
    v.Optional("edition", c.edition,
               {.description = "of the documents, by which it was judged, "
                               "where it is not the newest",
                .filled = true});
    LANEDIFF_REQUIRED(v, c.verdict, c.steps);
    v.Required("comparedBytes", c.compared_bytes, kNotNegative);
    v.Required("nodes", c.nodes);
    v.Optional("open", c.open,
               {.description = "results compared by their distance from the "
                               "correctly rounded value: not among the bytes",
                .filled = true});
    v.Optional("openMemory", c.open_memory,
               {.description = "it expects nothing of memory, which was "
                               "compared with the reference alone"});
    v.Optional("error", c.error, kFilled);
    v.Optional("reason", c.reason,
               {.description = "why it is unsupported, where more is known",
                .filled = true});
    v.Optional("known", c.known_reason, kFilled);
    v.Optional("times", c.times, {.low = 1});
    v.Optional("instructions", c.instructions,
               {.description = "that were compared", .filled = true});
    v.Optional("enforced", c.enforced,
               {.description = "rules that it breaks, and both sides refused",
                .filled = true});
    v.Optional("tolerated", c.tolerated,
               {.description = "rules that it breaks, and the target executed",
                .filled = true});
    v.Optional("witness", c.witness,
               {.description = "what shows that it breaks rules: a line for "
                               "each operand or field at fault",
                .filled = true});
    v.Optional(
        "kernelNotes", c.kernel_notes,
        {.description =
             "of a kernel: rules that are noted and no finding, and how often",
         .filled = true});
    v.OptionalIf(!c.findings.empty(), "reproduce", c.reproduce, kReproduce);
    v.Optional("findings", c.findings, kFilled);
    v.Together("findings", "reproduce");
  }
};

/// The edition of `c` where it is not the newest; else empty.
inline std::string OlderEdition(const Case& c) {
  return c.edition == isa::kNewestEdition ? ""
                                          : std::string(isa::Name(c.edition));
}

/// One fuzz program of a run.
struct FuzzerRecord : make::FuzzStats {
  std::string instruction;
  std::uint64_t seed = 0;
  std::uint64_t crashes = 0;  ///< inputs that ended it
  std::string error;          ///< why it ended early, if it did

  std::vector<RateLine> Rates() const {
    return RateLines(instruction, build, pace, seconds);
  }

  static void Fields(auto& f, auto& v) {
    v.Required("instruction", f.instruction, kFilled);
    v.Required("seed", f.seed, kAllBits);
    make::FuzzStats::ReportedFields(f, v);
    v.Required("crashes", f.crashes);
    v.Optional("beyond", f.beyond,
               {.description = "inputs that the target does not claim, which "
                               "were not put to it"});
    v.Derived("rates", [&] { return f.Rates(); },
              {.description = "cases of one kind, how many a second, and "
                              "shares of their time, which add up to 1"});
    v.Optional("error", f.error, kFilled);
  }
};

/// One bin of the functional coverage that a run did not reach.
struct HoleRecord {
  std::string bin;
  std::string filler;  ///< a case that reaches it; empty where none is known
  std::string reason;  ///< why no case can; else empty

  static void Fields(auto& h, auto& v) {
    v.Required("bin", h.bin, kFilled);
    v.Optional("filledBy", h.filler, kFilled);
    v.Optional("never", h.reason, kFilled);
  }
};

/// The functional coverage of one instruction.
struct CoverageRecord {
  std::string slug;
  std::size_t bins = 0;
  std::size_t reached = 0;
  std::vector<HoleRecord> holes;

  /// Holes that some case could fill.
  std::size_t open() const;

  static void Fields(auto& c, auto& v) {
    v.Renamed("instruction", "room");
    v.Required("instruction", c.slug, kFilled);
    LANEDIFF_REQUIRED(v, c.bins, c.reached);
    v.Derived("open", [&] { return c.open(); });
    v.Required("holes", c.holes);
  }
};

/// How often a sweep met one rule.
struct SweptRule {
  isa::RuleId id;
  std::uint64_t alone = 0;     ///< broken, and no other with it
  std::uint64_t together = 0;  ///< broken with others
  std::uint64_t noted = 0;     ///< executed steps that noted it
  std::uint64_t kept = 0;      ///< executed cases made for it

  bool Reached() const { return alone + together + noted + kept > 0; }

  static void Fields(auto& r, auto& v) {
    v.Required("id", r.id);
    v.Required("brokenAlone", r.alone);
    v.Required("brokenWithOthers", r.together);
    LANEDIFF_REQUIRED(v, r.noted, r.kept);
  }
};

/// The systematic cases of one instruction.
struct SweepRecord {
  std::string instruction;
  std::string with;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;  ///< executed to the end by the reference
  std::uint64_t rejected = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t beyond = 0;     ///< not in `cases`: not supported by the target
  std::uint64_t tolerated = 0;  ///< of the rejected: the target executed them
  std::uint64_t disagree = 0;
  std::size_t steps = 0;
  std::int64_t compared_bytes = 0;
  diff::OpenCounts open = {};
  std::uint64_t nodes = 0;
  /// The rules of the instruction, and others that its cases met.
  std::vector<SweptRule> rules;
  std::vector<diff::SignatureCount> signatures;  ///< of all that disagree

  static void Fields(auto& s, auto& v) {
    v.Required("instruction", s.instruction, kFilled);
    v.Optional(
        "with", s.with,
        {.description =
             "of program: only sequences of steps that call this instruction; "
             "of exhaust: the space",
         .filled = true});
    LANEDIFF_REQUIRED(v, s.cases, s.legal, s.rejected, s.unsupported);
    v.Optional(
        "beyond", s.beyond,
        {.description =
             "not in its cases: not supported by the target, and skipped"});
    v.Optional("tolerated", s.tolerated,
               {.description = "of the rejected: a target that checks no rules "
                               "executed them, and nothing was compared"});
    LANEDIFF_REQUIRED(v, s.disagree, s.steps);
    v.Required("comparedBytes", s.compared_bytes, kNotNegative);
    LANEDIFF_REQUIRED(v, s.nodes, s.rules);
    v.Optional("open", s.open,
               {.description = "results compared by their distance from the "
                               "correctly rounded value: not among the bytes",
                .filled = true});
    v.Optional("signatures", s.signatures,
               {.description = "of its cases that disagree, kept or not"});
  }
};

/// Sums over all that was compared, by verdict. A sweep keeps but a few of its
/// cases.
struct RunSums {
  std::size_t agree = 0;
  std::size_t disagree = 0;
  std::size_t unsupported = 0;
  std::size_t unrecorded = 0;  ///< of the unsupported
  std::size_t malformed = 0;
  std::size_t known = 0;
  std::size_t tolerated = 0;
  std::size_t steps = 0;
  std::int64_t compared_bytes = 0;
  diff::OpenCounts open = {};
  std::uint64_t nodes = 0;
  std::size_t open_memory = 0;  ///< compared, but for an expected memory

  /// All that was looked at.
  std::size_t total() const {
    return agree + disagree + known + unsupported + malformed + tolerated;
  }

  static void Fields(auto& s, auto& v) {
    v.Derived("cases", [&] { return s.total(); });
    LANEDIFF_REQUIRED(v, s.agree, s.disagree, s.unsupported, s.unrecorded,
                      s.malformed, s.known);
    v.Required("tolerated", s.tolerated,
               {.description = "cases that break a rule, which a target that "
                               "checks none executed; not compared"});
    v.Required("steps", s.steps);
    v.Required("comparedBytes", s.compared_bytes, kNotNegative);
    v.Required("nodes", s.nodes);
    v.Optional("open", s.open,
               {.description = "results compared by their distance from the "
                               "correctly rounded value: not among the bytes",
                .filled = true});
    v.Optional(
        "openMemory", s.open_memory,
        {.description = "cases that expect nothing of memory", .low = 1});
  }
};

inline constexpr std::array<std::string_view, 3> kRunVerbs = {"check", "fuzz",
                                                              "sweep"};

/// Everything that a run did and found. Printers show it and compute nothing.
struct RunRecord : RunSums {
  std::string verb;
  std::string target;
  std::string vectors;
  std::string reference;
  std::string edition;
  std::vector<CaseRecord> cases;
  std::vector<FuzzerRecord> fuzzers;
  /// Known issues that have expired or did not occur, a line each.
  std::vector<std::string> stale_issues;
  std::vector<SweepRecord> sweeps;
  std::vector<CoverageRecord> coverage;
  /// Of a fuzz run on a plugin.
  std::optional<TargetCoverageRecord> target_coverage;
  /// The work of the target, if it is not part of lanediff.
  std::optional<diff::AccountRecord> account;
  std::optional<TargetRecord> about;  ///< who was under test
  std::optional<RunChanges> changes;  ///< since a baseline, if there is one
  /// Why not all was done, such as "interrupted after 3 of 5 cases"; empty
  /// where all was.
  std::string unfinished;
  std::optional<make::SampleSize> sample;  ///< of a sweep with --sample

  /// Appends `record` and adds to the sums.
  void Add(CaseRecord record);
  void AddSweep(SweepRecord record);
  /// Of all fuzz programs.
  std::vector<RateLine> Rates() const;
  /// Cases in which both sides executed the same.
  std::size_t LegalAgreeing() const;
  /// Makes the sums again.
  void SumUp();

  static void Fields(auto& r, auto& v) {
    v.Document("run");
    v.Required("verb", r.verb, {.words = kRunVerbs});
    v.Required("target", r.target, kFilled);
    v.Required("vectors", r.vectors,
               {.description =
                    "that the target computes with: scalar, sse4, avx2, avx3 "
                    "(AVX-512), neon or plain; of several machines with commas "
                    "in between; empty where it is no emulator"});
    v.Required("reference", r.reference, kFilled);
    v.Optional("edition", r.edition,
               {.description = "of the documents, by which cases were judged; "
                               "several with commas in between"});
    CompleteFields(v, ReasonsOf(r));
    v.Optional("unfinished", r.unfinished,
               {.description = "the reason, where the run ended early",
                .filled = true});
    v.Optional("sample", r.sample,
               {.description = "not all systematic cases: a sample of them, "
                               "which complete is about"});
    v.Derived("headline", [&] { return HeadlineOf(r); },
              {.description = "the sentence with which reports open"});
    v.Derived("summary", [&] { return RunSums(r); });
    v.Required("cases", r.cases);
    v.Derived("groups", [&] { return GroupsOf(r); },
              {.description = "the findings by signature, worst first"});
    v.Required("staleKnownIssues", r.stale_issues);
    v.Required("fuzzers", r.fuzzers);
    LANEDIFF_OPTIONAL(v, r.sweeps, r.coverage);
    v.Optional(
        "targetCoverage", r.target_coverage,
        {.description = "of a plugin's own code, as its compiler counts it"});
    v.Optional("account", r.account,
               {.description = "what a target that is not part of lanediff "
                               "could not do, and executed though illegal"});
    v.Optional("about", r.about, {.description = "who was under test"});
    v.Optional(
        "changes", r.changes,
        {.description = "what has changed since the run that --baseline names; "
                        "a finding is the same where id and signature are"});
  }
};

}  // namespace lanediff::reports

template <>
struct lanediff::isa::Words<lanediff::reports::Verdict> {
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "agree", "disagree", "unsupported", "malformed", "known", "tolerated"};
};
