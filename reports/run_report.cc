#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/testcase/record_json.h"
#include "isa/catalogue.h"
#include "reports/headline.h"
#include "reports/printers.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using enum Report::Outcome;

/// The rule in the signature, else LANEDIFF-KIND.
std::string RuleIn(std::string_view text) {
  const auto signature = diff::ParseSignature(text);
  if (!signature) return OwnRule(diff::FindingKind::kMemory);
  if (isa::FindRule(signature->what) != nullptr) return signature->what;
  return OwnRule(signature->kind);
}

Report::Texts PrintsOf(const FindingKey& key) {
  return {{"lanediffSignature/v1", key.signature}, {"lanediffCase/v1", key.id}};
}

std::string_view StateOf(const RunChanges& changes, const FindingKey& key) {
  const auto in = [&](const std::vector<ChangedFinding>& list) {
    return std::ranges::count(list, key, &ChangedFinding::key) > 0;
  };
  return in(changes.fresh)     ? "new"
         : in(changes.updated) ? "updated"
                               : "unchanged";
}

Report::Finding RunFinding(const CaseRecord& record,
                           const diff::Finding& finding,
                           const std::optional<RunChanges>& changes) {
  const FindingKey key{record.id.empty() ? record.path : record.id,
                       finding.signature};
  Report::Finding one = {
      .rule = RuleIn(finding.signature),
      .message = fmt::format("{} against {}: {}", finding.side,
                             finding.reference, finding.message),
      .place = Report::Place{.file = record.path,
                             .logical = {{finding.op, "function"}}},
      .fingerprints = PrintsOf(key),
      .since = changes ? StateOf(*changes, key) : "",
      .known = record.known_reason,
      .times = record.times,
      .properties = {{"kind", isa::Name(finding.kind)},
                     {"step", finding.step},
                     {"reproduce", record.reproduce}}};
  if (record.times > 0) one.properties["times"] = record.times;
  return one;
}

Report::Test CaseTest(const std::string& group, const CaseRecord& record) {
  const auto skipped = [&](const std::string& reason) {
    return Report::Test{group, record.path, kSkipped, "", reason};
  };
  switch (record.verdict) {
    case Verdict::kAgree:
      break;
    case Verdict::kDisagree:
      return {group,
              record.path,
              kFailed,
              record.findings.front().message,
              CaseText(record),
              record.findings.front().signature};
    case Verdict::kUnsupported:
      return skipped("unsupported" +
                     (record.reason.empty() ? "" : ": " + record.reason));
    case Verdict::kTolerated:
      return skipped(CaseText(record));
    case Verdict::kMalformed:
      return {group, record.path, kError, record.error, record.path};
    case Verdict::kKnown:
      return skipped("known: " + record.known_reason + '\n' + CaseText(record));
  }
  return {group, record.path};
}

Report::Test FuzzerTest(const FuzzerRecord& record) {
  Report::Test test = {.group = "lanediff.fuzz",
                       .name = "fuzz/" + record.instruction,
                       .seconds = record.seconds};
  if (record.findings == 0 && record.error.empty()) return test;
  test.outcome = record.findings > 0 ? kFailed : kError;
  test.message = record.findings > 0
                     ? fmt::format("{} findings", record.findings)
                     : record.error;
  test.text = FuzzerText(record);
  return test;
}

Report::Test SweepTest(const SweepRecord& record) {
  const std::string group = "lanediff.sweep";
  const std::string name = "sweep/" + record.instruction;
  if (record.disagree > 0) {
    return {
        group, name, kFailed,
        fmt::format("{} of {} cases disagree", record.disagree, record.cases),
        SweepText(record)};
  }
  if (record.unsupported + record.tolerated < record.cases) {
    return {group, name};
  }
  return {group, name, kSkipped, "",
          record.tolerated > 0
              ? fmt::format("nothing was compared; {} of {} cases tolerated",
                            record.tolerated, record.cases)
              : "nothing was compared"};
}

/// Why agreement of what was compared is no success; empty where it may be one.
std::string NothingComparedText(const RunRecord& record) {
  const bool only_refuses = record.about && record.about->names_no_rules &&
                            record.agree > 0 && record.LegalAgreeing() == 0;
  if (record.disagree > 0) return "";
  if (only_refuses) {
    return fmt::format(
        "nothing legal was compared: the target refuses {} and names no rule, "
        "as one that refuses everything would; fix: add legal cases",
        Counted(record.agree, "case"));
  }
  const bool compares =
      record.verb == "fuzz"
          ? std::ranges::any_of(record.fuzzers,
                                [](const auto& one) { return one.cases > 0; })
          : record.agree + record.known > 0;
  if (compares) return "";
  if (record.tolerated == 0) return "nothing was compared";
  return fmt::format(
      "nothing legal was compared: the target executed {} that the documents "
      "refuse; fix: add legal cases, or leave those out with --legal-only",
      Counted(record.tolerated, "case"));
}

}  // namespace

Reasons ReasonsOf(const RunRecord& record) {
  Reasons reasons;
  for (const CaseRecord& c : record.cases) {
    if (c.error.empty()) continue;
    reasons.push_back({.text = fmt::format("{}: {}", c.path, c.error),
                       .place = Report::Place{.file = c.path},
                       .has_test = true});
  }
  for (const FuzzerRecord& one : record.fuzzers) {
    if (one.error.empty()) continue;
    reasons.push_back(
        {.text = fmt::format("{}: {}", one.instruction, one.error),
         .has_test = true});
  }
  return ReasonsFrom({record.unfinished, NothingComparedText(record),
                      make::TooSmallText(record.sample),
                      record.account ? LackingText(*record.account) : ""},
                     std::move(reasons));
}

Report ToReport(const RunRecord& record, int exit_status) {
  const std::string group = "lanediff." + record.verb;
  Report report = {
      .category = fmt::format("lanediff/{}/{}/", record.verb, record.target),
      .group = group,
      .properties = {{"target", record.target},
                     {"vectors", record.vectors},
                     {"reference", record.reference},
                     {"edition", record.edition}},
      .counts = RecordJson<RunSums>(record),
      .suites = {{group}},
      .reasons = ReasonsOf(record),
      .summary = SummaryText(record),
      .exit_status = exit_status};
  auto& tests = report.suites.front().tests;
  for (const CaseRecord& c : record.cases) {
    for (const diff::Finding& finding : c.findings) {
      report.findings.push_back(RunFinding(c, finding, record.changes));
    }
    tests.push_back(CaseTest(group, c));
  }
  for (const FuzzerRecord& one : record.fuzzers) {
    tests.push_back(FuzzerTest(one));
  }
  // A baseline holds none to compare with.
  AddStaleIssues(record.stale_issues, report);
  for (const SweepRecord& one : record.sweeps) tests.push_back(SweepTest(one));
  if (!record.changes) return report;
  for (const GoneFinding& gone : record.changes->gone) {
    report.findings.push_back({.rule = RuleIn(gone.key.signature),
                               .message = gone.message,
                               .place = Report::Place{.file = gone.path},
                               .fingerprints = PrintsOf(gone.key),
                               .since = "absent",
                               .properties = {{"lookedAt", gone.looked_at}}});
  }
  return report;
}

}  // namespace lanediff::reports
