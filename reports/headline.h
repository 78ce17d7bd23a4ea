#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/targets/pace.h"
#include "differential/testcase/record.h"
#include "reports/audit_record.h"

/// The one sentence with which a report opens, and its findings by signature.
namespace lanediff::reports {

struct AuditChanges;
struct RunRecord;
struct SignatureChanges;
struct TargetRecord;

/// Findings that a page lists; the others are counted.
inline constexpr std::size_t kFirstFindings = 50;

/// Of a finding's message that a group shows.
inline constexpr std::size_t kMostMessageBytes = 400;
inline constexpr std::string_view kGroupClasses[] = {"failure", "legality",
                                                     "result", "notes"};
inline constexpr std::string_view kGroupSince[] = {"new", "still"};

/// Findings of one signature, and the smallest case that shows them: of fewest
/// steps, then of fewest arithmetic nodes, then the first.
struct FindingGroup {
  std::string signature = {};
  /// How bad, worst first: the target failed; it executes what is illegal,
  /// rejects what is legal, or names other rules; wrong bytes; notes.
  std::string badness = {};
  std::string instruction =
      {};                   ///< the documents' word; empty: of machine state
  std::uint64_t cases = 0;  ///< that show it, of a sweep kept or not
  std::uint64_t times = 0;  ///< how often a fuzzer found it; 0: not counted
  std::string id = {};      ///< of the smallest case
  std::string path = {};
  std::string message = {};  ///< at most 400 bytes of it
  std::string reproduce = {};
  std::string since = {};  ///< "new" or "still", where there is a baseline
  std::vector<std::string> rules = {};  ///< of an audit: that it speaks against
  std::vector<std::string> products = {};  ///< of an audit

  static void Fields(auto& g, auto& v) {
    v.Required("signature", g.signature, diff::kSignatureText);
    v.Required("class", g.badness, {.words = kGroupClasses});
    LANEDIFF_REQUIRED(v, g.instruction, g.cases);
    v.Optional("times", g.times);
    v.Required("case", g.id);
    LANEDIFF_REQUIRED(v, g.path, g.message, g.reproduce);
    v.Optional("since", g.since, {.words = kGroupSince});
    LANEDIFF_OPTIONAL(v, g.rules, g.products);
  }
};

inline constexpr std::string_view kTones[] = {"good", "incomplete", "bad"};

/// What came out, in one sentence and its numbers. Nothing that was not
/// compared is reported as good.
struct Headline {
  std::string sentence;
  /// "bad": something is wrong; "incomplete": nothing that was compared is, but
  /// not all was compared; "good": all was, and all agrees.
  std::string tone;
  std::uint64_t findings = 0;      ///< of different signatures
  std::uint64_t instructions = 0;  ///< that were compared
  std::uint64_t wrong = 0;         ///< instructions with findings
  std::uint64_t enforced = 0;      ///< rules, each under its worst verdict
  std::uint64_t tolerated = 0;
  std::uint64_t violated = 0;
  std::uint64_t confirmed = 0;      ///< of an audit: notes and semantics
  std::uint64_t contradicted = 0;   ///< likewise
  std::uint64_t suspected = 0;      ///< likewise
  std::uint64_t not_exercised = 0;  ///< of an audit: on no product
  /// What was not compared or not judged, a few words each.
  std::vector<std::string> not_compared;

  void Omit(std::string what) { not_compared.push_back(std::move(what)); }
  /// "3 cases that could not be run here"; nothing of none.
  void Omit(std::uint64_t count, std::string_view noun,
            std::string_view more = {});

  static void Fields(auto& h, auto& v) {
    v.Required("sentence", h.sentence, kFilled);
    v.Required("tone", h.tone, {.words = kTones});
    LANEDIFF_REQUIRED(v, h.findings, h.instructions);
    v.Required("instructionsWithFindings", h.wrong);
    v.Required("rulesEnforced", h.enforced);
    v.Required("rulesTolerated", h.tolerated);
    v.Required("rulesViolated", h.violated);
    v.Required("rulesConfirmed", h.confirmed);
    v.Required("rulesContradicted", h.contradicted);
    v.Required("rulesSuspected", h.suspected);
    v.Required("rulesNotExercised", h.not_exercised);
    v.Required("notCompared", h.not_compared, {.each = &kFilled});
  }
};

Headline HeadlineOf(const RunRecord& run);
/// `groups` are the audit's findings, `about` its target, null if not known.
Headline HeadlineOf(const audit::AuditRecord& record,
                    const std::vector<FindingGroup>& groups,
                    const TargetRecord* about);

/// Makes tone and sentence from the rest: `rules` is the sentence's part on
/// rules, empty for nothing; `compared` is whether anything was compared.
void PutIntoWords(Headline& headline, const std::vector<FindingGroup>& groups,
                  const std::string& rules, bool compared, bool wrong);

/// Of a run, those of known issues left out.
std::vector<FindingGroup> GroupsOf(const RunRecord& run);
/// Of an audit: its bad evidence.
std::vector<FindingGroup> GroupsOf(const audit::AuditRecord& record,
                                   const AuditChanges* changes);

/// The class of a signature, one of `kGroupClasses`.
std::string_view BadnessOf(std::string_view signature);

/// A group of which some case is no failure in a call that the documents
/// refuse, or none is.
struct GatheredGroup {
  FindingGroup group = {};
  bool legal = false;
};

/// The groups by their signatures; fills what follows from these. Those that
/// are not legal come last; worst first: what ends the target, then legality,
/// results, notes; within each the kinds in this order, then what more cases
/// show, then by signature.
std::vector<FindingGroup> Sorted(std::map<std::string, GatheredGroup> gathered,
                                 const SignatureChanges* changes);

/// A line for each group, worst first; nothing where there are none.
std::string GroupsText(const std::vector<FindingGroup>& groups);

// The rate table: how many cases a second, and where the time goes.

inline constexpr std::array<std::string_view, 2> kRateKinds = {"legal",
                                                               "illegal"};

inline constexpr std::string_view kRatesTitle =
    "Rates; shares of the time add up to 1";

/// One line of the table. Shares are of the time of these cases and add up to
/// 1: in the oracle, in the target, in the harness between them, and in what
/// makes the cases, which is counted alike for each.
struct RateLine {
  std::string instruction;
  std::string build;  ///< "release", or its sanitizers
  std::string kind;   ///< "legal" or "illegal"
  std::uint64_t cases = 0;
  double per_second = 0;
  double oracle = 0;
  double target = 0;
  double harness = 0;
  double fuzzer = 0;

  static void Fields(auto& l, auto& v) {
    v.Required("instruction", l.instruction, kFilled);
    v.Required("build", l.build);
    v.Required("kind", l.kind, {.words = kRateKinds});
    v.Required("cases", l.cases, {.low = 1});
    v.Required("perSecond", l.per_second, kNotNegative);
    v.Required("oracle", l.oracle, kNotNegative);
    v.Required("target", l.target, kNotNegative);
    v.Required("harness", l.harness);
    v.Required("fuzzer", l.fuzzer, kNotNegative);
  }
};

/// The lines of one program's cases, of which there were some; `seconds` is the
/// whole of its time.
std::vector<RateLine> RateLines(std::string_view instruction,
                                std::string_view build, const diff::Pace& pace,
                                double seconds);

/// The table as text, with a line of headings; empty without lines.
std::string RatesText(std::span<const RateLine> lines);

}  // namespace lanediff::reports
