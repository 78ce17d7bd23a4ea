#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/target_text.h"

namespace lanediff::reports {

std::string CaseText(const CaseRecord& record) {
  std::string text =
      fmt::format("{} {}", isa::Name(record.verdict), InOneLine(record.path));
  if (!record.error.empty()) text += ": " + InOneLine(record.error);
  if (!record.reason.empty()) text += ": " + InOneLine(record.reason);
  text += '\n';
  std::string_view signature;
  for (const diff::Finding& finding : record.findings) {
    text += fmt::format("  {}: {} against {}: {}\n", isa::Name(finding.kind),
                        InOneLine(finding.side), InOneLine(finding.reference),
                        InOneLine(finding.message));
    if (finding.signature == signature) continue;  // of one defect, told once
    signature = finding.signature;
    text += fmt::format("  signature: {}\n", InOneLine(signature));
  }
  if (!record.known_reason.empty()) {
    text += fmt::format("  known: {}\n", InOneLine(record.known_reason));
  }
  if (record.times > 0) text += fmt::format("  times: {}\n", record.times);
  if (!record.findings.empty()) {
    text += fmt::format("  reproduce: {}\n", InOneLine(record.reproduce));
  }
  return text;
}

std::string FuzzerText(const FuzzerRecord& r) {
  const auto cases = static_cast<double>(r.cases);
  const auto legal = static_cast<double>(r.legal);
  return fmt::format(
      "fuzzed {} for {:.0f} s with seed {}: {} cases, {:.0f} cases/s, {:.1f} % "
      "legal; a legal case has {:.0f} nodes and {:.0f} element operations, "
      "{:.1f} % have 64 iterations or more; {} cases disagreed, {} ended it"
      "{}{}\n",
      InOneLine(r.instruction), r.seconds, r.seed, r.cases,
      r.seconds > 0 ? cases / r.seconds : 0,
      r.cases > 0 ? 100 * legal / cases : 0,
      r.legal > 0 ? static_cast<double>(r.nodes) / legal : 0,
      r.legal > 0 ? static_cast<double>(r.operations) / legal : 0,
      r.legal > 0 ? 100 * static_cast<double>(r.long_repeats) / legal : 0,
      r.findings, r.crashes, r.error.empty() ? "" : "; ", InOneLine(r.error));
}

std::string CoverageText(const CoverageRecord& r) {
  constexpr std::size_t kTold = 3;
  std::string text = fmt::format(
      "coverage of {}: {} of {} bins reached, {} can't be, {} holes\n",
      InOneLine(r.room), r.reached, r.bins, r.holes.size() - r.open(),
      r.open());
  std::size_t told = 0;
  for (const HoleRecord& hole : r.holes) {
    if (!hole.reason.empty() || told++ == kTold) continue;
    if (told > kTold) break;
    text += fmt::format("  not reached: {}; {}\n", InOneLine(hole.bin),
                        hole.filler.empty()
                            ? "no case was found in the time there was"
                            : "reached by " + InOneLine(hole.filler));
  }
  return text;
}

std::string SweepText(const SweepRecord& r) {
  std::string text = fmt::format(
      "swept {}: {} cases, {} legal, {} rejected, {} unsupported, {} disagree; "
      "compared {} steps, {} bytes, {} nodes\n",
      InOneLine(r.instruction), r.cases, r.legal, r.rejected, r.unsupported,
      r.disagree, r.steps, r.compared_bytes, r.nodes);
  for (const SweptRule& rule : r.rules) {
    text += fmt::format(
        "  {}: broken alone {}, with others {}; noted {}; kept by cases made "
        "for it {}\n",
        rule.id.text(), rule.alone, rule.together, rule.noted, rule.kept);
  }
  return text;
}

namespace {

/// Worst first: what ends the target, then what is wrong, then what is said.
int Badness(diff::FindingKind kind) {
  using enum diff::FindingKind;
  constexpr diff::FindingKind kOrder[] = {
      kCrash,        kTimeout, kProtocol, kState, kNotDeterministic, kMemory,
      kReadsOutside, kOutcome, kRules,    kNotes, kExpectation};
  static_assert(std::size(kOrder) == isa::kCount<diff::FindingKind>);
  return static_cast<int>(std::ranges::find(kOrder, kind) - kOrder);
}

struct Group {
  int badness;
  std::size_t cases;
  std::string_view signature;
  std::string_view first;  ///< a case that shows it
};

std::vector<Group> GroupsOf(const RunRecord& r) {
  std::vector<Group> groups;
  for (const CaseRecord& record : r.cases) {
    if (record.verdict != Verdict::kDisagree) continue;
    const diff::Finding& finding = record.findings.front();
    const auto found =
        std::ranges::find(groups, finding.signature, &Group::signature);
    if (found != groups.end()) {
      ++found->cases;
    } else {
      groups.push_back(
          {Badness(finding.kind), 1, finding.signature, record.path});
    }
  }
  std::ranges::sort(groups, [](const Group& a, const Group& b) {
    return std::tie(a.badness, b.cases, a.signature) <
           std::tie(b.badness, a.cases, b.signature);
  });
  return groups;
}

}  // namespace

std::string SignaturesText(const RunRecord& r) {
  const std::vector<Group> groups = GroupsOf(r);
  std::string text;
  if (groups.empty() || r.cases.size() < 2) return text;
  text += fmt::format("{} different findings, worst first:\n", groups.size());
  for (const Group& group : groups) {
    text += fmt::format("  {:>6} {}  {}\n", group.cases,
                        InOneLine(group.signature), InOneLine(group.first));
  }
  return text;
}

std::string SummaryText(const RunRecord& r) {
  return fmt::format(
      "{}: {} cases: {} agree, {} disagree, {} unsupported{}, {} malformed{}; "
      "compared {} steps, {} bytes, {} nodes of {} against {}{}{}\n",
      r.verb, r.total(), r.agree, r.disagree, r.unsupported,
      r.unrecorded > 0
          ? fmt::format(" ({} without an outcome document)", r.unrecorded)
          : "",
      r.malformed, r.known > 0 ? fmt::format(", {} known", r.known) : "",
      r.steps, r.compared_bytes, r.nodes,
      InOneLine(TargetText(r.target, r.vectors)), InOneLine(r.reference),
      r.unfinished.empty() ? "" : "; not complete: ", InOneLine(r.unfinished));
}

}  // namespace lanediff::reports
