#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/testcase/record.h"
#include "reports/reasons.h"

/// Many days of a campaign as reports show them: text, JSON and page. Filled
/// by tools/history/history.h; dates are texts that sort, YYYY-MM-DD or
/// YYYY-MM-DDTHH:MM:SSZ.
namespace lanediff::reports {

inline constexpr std::array<std::string_view, 4> kCampaignStates = {
    "came back", "open", "accepted", "fixed"};
inline constexpr std::array<std::string_view, 5> kCampaignClasses = {
    "failure", "legality", "result", "notes", "planted bug"};

/// A date, and the commit of a run then.
struct CampaignMoment {
  std::string date = {};
  std::string commit = {};  ///< empty: unknown

  bool operator==(const CampaignMoment&) const = default;

  static void Fields(auto& m, auto& v) {
    v.Required("date", m.date, kFilled);
    v.Optional("commit", m.commit);
  }
};

/// From when a finding was seen until a run showed that it was gone.
struct CampaignPeriod {
  CampaignMoment seen = {};
  CampaignMoment last_seen = {};
  std::optional<CampaignMoment> fixed = {};
  std::string fixed_by = {};  ///< the verb of the run that shows it
  /// The last run before `seen` that looked for it and did not see it.
  std::optional<CampaignMoment> before = {};
  /// From which dates on it was accepted, and from which on not. Not printed.
  std::map<std::string, bool> accepted = {};

  static void Fields(auto& p, auto& v) {
    LANEDIFF_REQUIRED(v, p.seen, p.last_seen);
    v.Optional(
        "fixed", p.fixed,
        {.description =
             "the first run that looked for it and did not see it any more"});
    v.Optional("fixedBy", p.fixed_by, {.description = "that run's verb"});
    v.Optional("before", p.before,
               {.description = "the last run before it was seen that looked "
                               "for it and did not see it"});
  }
};

struct CampaignFinding {
  std::string target = {};
  std::string signature = {};
  std::string instruction = {};  ///< our word for it, as signatures have it
  std::string badness = {};      ///< one of `kCampaignClasses`
  std::string state = {};        ///< one of `kCampaignStates`
  std::vector<CampaignPeriod> periods = {};  ///< a return begins one
  std::uint64_t times = 0;                   ///< in all runs together
  std::uint64_t days = 0;                    ///< on which it was seen
  std::uint64_t silent = 0;  ///< days of fuzzing since then that were silent
  std::vector<std::string> verbs = {};  ///< that saw it, sorted
  std::string accepted = {};            ///< why, where it is
  // Of the smallest case of the last day on which it was seen.
  std::string message = {};
  std::string reference = {};  ///< of the run that saw it
  std::string case_name = {};
  std::string case_file = {};  ///< beside the page; empty where none is kept
  std::string reproduce = {};

  static void Fields(auto& f, auto& v) {
    v.Required("target", f.target, kFilled);
    v.Required("signature", f.signature, diff::kSignatureText);
    v.Required("instruction", f.instruction);
    v.Required("class", f.badness, {.words = kCampaignClasses});
    v.Required("state", f.state, {.words = kCampaignStates});
    v.Required("periods", f.periods, kFilled);
    v.Required("times", f.times,
               {.description = "cases that showed it, or how often a fuzzer "
                               "did, in all runs together"});
    v.Required("days", f.days, {.description = "dates on which it was seen"});
    v.Optional("silent", f.silent,
               {.description = "of an open one: days of fuzzing since it was "
                               "seen that did not see it; too few for a fix"});
    v.Required("verbs", f.verbs, kFilled);
    v.Optional("accepted", f.accepted,
               {.description = "why, of a known issue"});
    LANEDIFF_REQUIRED(v, f.message, f.reference);
    v.Required("case", f.case_name);
    v.Optional("caseFile", f.case_file,
               {.description = "relative to the page"});
    v.Required("reproduce", f.reproduce);
  }
};

/// What was open after all runs of one date.
struct CampaignDay {
  std::string date = {};
  std::uint64_t runs = 0;
  std::uint64_t incomplete = 0;  ///< of them
  /// Open findings by class, in the order of `kCampaignClasses`.
  std::vector<std::uint64_t> open = {};
  std::uint64_t accepted = 0;
  // What happened on it: signatures.
  std::vector<std::string> fresh = {};
  std::vector<std::string> came_back = {};
  std::vector<std::string> fixed = {};

  static void Fields(auto& d, auto& v) {
    v.Required("date", d.date, kFilled);
    LANEDIFF_REQUIRED(v, d.runs, d.incomplete);
    v.Required("open", d.open,
               {.description = "findings by class: failure, legality, result, "
                               "notes, planted bug"});
    v.Required("accepted", d.accepted);
    v.Required("new", d.fresh);
    LANEDIFF_REQUIRED(v, d.came_back, d.fixed);
  }
};

struct CampaignRun {
  std::string date = {};
  std::string verb = {};
  std::string target = {};
  std::string commit = {};
  std::string label = {};
  std::string edition = {};     ///< of the documents; of several, all
  std::string unfinished = {};  ///< why it is not complete; empty: it is
  std::uint64_t cases = 0;
  std::uint64_t nodes = 0;
  double seconds = 0;
  std::uint64_t findings = 0;  ///< of different signatures

  static void Fields(auto& r, auto& v) {
    v.Required("date", r.date, kFilled);
    v.Required("verb", r.verb, kFilled);
    v.Required("target", r.target, kFilled);
    LANEDIFF_OPTIONAL(v, r.commit, r.label);
    v.Optional("edition", r.edition,
               {.description = "of the documents, by which cases were judged; "
                               "several with commas in between"});
    v.TrueWithout("complete", "unfinished", r.unfinished);
    v.Optional("unfinished", r.unfinished);
    LANEDIFF_REQUIRED(v, r.cases, r.nodes);
    v.Required("seconds", r.seconds, kNotNegative);
    v.Required("findings", r.findings);
  }
};

/// How quick fuzz programs were on one date; a second is one of a program.
struct CampaignRate {
  std::string date = {};
  std::string target = {};
  std::string instruction = {};
  std::string build = {};  ///< "release", or its sanitizers
  double cases = 0;        ///< a second, as are the next three
  double legal = 0;
  double nodes = 0;
  double findings = 0;  ///< cases that disagreed

  static void Fields(auto& r, auto& v) {
    v.Required("date", r.date, kFilled);
    v.Required("target", r.target, kFilled);
    v.Required("instruction", r.instruction, kFilled);
    v.Required("build", r.build);
    v.Required("casesPerSecond", r.cases, kNotNegative);
    v.Required("legalPerSecond", r.legal, kNotNegative);
    v.Required("nodesPerSecond", r.nodes, kNotNegative);
    v.Required("findingsPerSecond", r.findings, kNotNegative);
  }
};

/// Functional coverage of fuzzing up to a date, that date's and all before.
struct CampaignCoverage {
  std::string date = {};
  std::string target = {};
  std::string instruction = {};
  std::uint64_t cases = 0;    ///< so far
  std::uint64_t reached = 0;  ///< bins, so far
  std::uint64_t bins = 0;     ///< that can be reached

  static void Fields(auto& c, auto& v) {
    v.Required("date", c.date, kFilled);
    v.Required("target", c.target, kFilled);
    v.Required("instruction", c.instruction, kFilled);
    LANEDIFF_REQUIRED(v, c.cases, c.reached, c.bins);
  }
};

struct CampaignRecord {
  std::uint64_t silent_days = 0;  ///< of fuzzing after which it is fixed
  std::vector<CampaignDay> days = {};
  std::vector<std::string> missing = {};       ///< days without a due run
  std::vector<CampaignFinding> findings = {};  ///< by state, then worst first
  std::vector<CampaignRun> runs = {};          ///< by date
  std::vector<CampaignRate> rates = {};
  std::vector<CampaignCoverage> coverage = {};

  std::uint64_t Count(std::string_view state) const;
  /// The sentence with which reports open.
  std::string Sentence() const;

  static void Fields(auto& r, auto& v) {
    v.Document("campaign");
    v.Derived("sentence", [&] { return r.Sentence(); });
    std::vector<std::string> reasons;
    for (const auto& day : r.missing) reasons.push_back("no run on " + day);
    CompleteFields(v, reasons);
    v.Required("silentDays", r.silent_days, {.low = 1});
    v.Required("days", r.days);
    v.Required(
        "missing", r.missing,
        {.description = "days on which a run was due and none is there"});
    LANEDIFF_REQUIRED(v, r.findings, r.runs, r.rates, r.coverage);
  }
};

/// The sentence and a line for each finding.
std::string CampaignText(const CampaignRecord& record);
std::string CampaignJson(const CampaignRecord& record);
/// The page: one self-contained HTML file.
std::string CampaignHtml(const CampaignRecord& record);

/// The class of a signature, one of `kCampaignClasses`.
std::string ClassOf(std::string_view signature);

}  // namespace lanediff::reports
