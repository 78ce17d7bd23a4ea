#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/testcase/record_json.h"
#include "isa/catalogue.h"
#include "reports/headline.h"
#include "reports/printers.h"
#include "reports/record_table.h"
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

/// Findings, what shows them, and the command that shows them again.
std::vector<Report::Line> FoundIn(const CaseRecord& record) {
  std::vector<Report::Line> lines;
  const auto add = [&](std::string_view label, std::string text,
                       Report::Look look = Report::Look::kPlain) {
    lines.push_back(
        {.text = std::move(text), .label = std::string(label), .look = look});
  };
  std::string_view signature;
  for (const diff::Finding& finding : record.findings) {
    add(isa::Name(finding.kind),
        fmt::format("{} against {}: {}", finding.side, finding.reference,
                    finding.message));
    if (finding.signature == signature) continue;  // it stands there already
    signature = finding.signature;
    add("signature", finding.signature, Report::Look::kCode);
  }
  for (const std::string& line : record.witness) add("witness", line);
  if (!record.kernel_notes.empty()) {
    add("notes", fmt::format("{}", fmt::join(record.kernel_notes, ", ")));
  }
  if (!record.known_reason.empty()) add("known", record.known_reason);
  if (record.times > 0) add("times", std::to_string(record.times));
  if (!record.findings.empty()) {
    add("reproduce", record.reproduce, Report::Look::kCommand);
  }
  return lines;
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

Report::Test SweepTest(const SweepRecord& record, const std::string& verb) {
  const std::string group = "lanediff." + verb;
  std::string name = fmt::format("{}/{}", verb, record.instruction);
  if (verb == "exhaust") name += "/" + record.with;
  if (record.disagree > 0) {
    return {
        group, name, kFailed,
        fmt::format("{} of {} cases disagree", record.disagree, record.cases),
        verb == "sweep" ? SweepText(record) : ""};
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

using Line = Report::Line;
using Look = Report::Look;
using Section = Report::Section;

Section SweptRulesSection(const std::vector<SweepRecord>& sweeps) {
  Section section = {.title = "How often each rule was met", .noun = "rule"};
  for (const SweepRecord& sweep : sweeps) {
    for (const SweptRule& rule : sweep.rules) {
      AddRecord(rule, section, "instruction", sweep.instruction);
    }
  }
  return section;
}

Section CoverageSection(const RunRecord& record) {
  Section section = TableOf("Coverage", record.coverage);
  if (record.target_coverage) {
    std::string text = TargetCoverageText(*record.target_coverage);
    text.pop_back();
    section.lines.push_back({std::move(text)});
  }
  return section;
}

Section HolesSection(const std::vector<CoverageRecord>& coverage) {
  Section section = {.title = "Bins that were not reached", .noun = "hole"};
  for (const CoverageRecord& one : coverage) {
    for (const HoleRecord& hole : one.holes) AddRecord(hole, section);
  }
  return section;
}

Look LookOf(Verdict verdict) {
  return verdict == Verdict::kAgree ? Look::kGood
         : verdict == Verdict::kDisagree || verdict == Verdict::kMalformed
             ? Look::kBad
             : Look::kMild;
}

Section CasesSection(const std::vector<CaseRecord>& cases,
                     const std::set<std::string>& pages) {
  constexpr auto kWords = isa::Words<Verdict>::kSpelling;
  Section section = {
      .title = "Cases",
      .columns = {{"case"},
                  {.title = "verdict", .words = {kWords.begin(), kWords.end()}},
                  {"what was found"},
                  {"steps", Report::Column::Kind::kNumber},
                  {"bytes", Report::Column::Kind::kNumber}},
      .noun = "case"};
  for (const CaseRecord& c : cases) {
    Line name = CaseLine(c.id, c.path, pages);
    if (name.text != c.path) {
      name.below = {{.text = c.path, .look = Look::kSoft}};
    }
    section.rows.push_back(
        {.cells = {std::move(name),
                   {.text = std::string(isa::Name(c.verdict)),
                    .look = LookOf(c.verdict)},
                   {.text = c.error.empty() ? c.reason : c.error,
                    .below = FoundIn(c)},
                   {std::to_string(c.steps)},
                   {std::to_string(c.compared_bytes)}}});
  }
  return section;
}

void AddForPeople(const RunRecord& record, const std::set<std::string>& pages,
                  Report& report) {
  report.title = fmt::format("{}: {} against {}", record.verb, record.target,
                             record.reference);
  report.summary = SummaryText(record);
  AddFront({.headline = HeadlineOf(record),
            .groups = GroupsOf(record),
            .target = record.target,
            .about = record.about ? &*record.about : nullptr,
            .vectors = record.vectors,
            .edition = record.edition,
            .since = record.changes ? SinceText(record.changes->file,
                                                record.changes->signatures)
                                    : "",
            .pages = pages},
           report);
  Section known = {.title = "Known issues"};
  for (const std::string& line : record.stale_issues) {
    known.lines.push_back({line});
  }
  report.sections.push_back(std::move(known));
  if (record.changes) {
    report.sections.push_back(ChangesSection(*record.changes));
  }
  const std::vector<Section> tables = {
      TableOf("Fuzz programs", record.fuzzers),
      TableOf(std::string(kRatesTitle), record.Rates()),
      TableOf("Instructions", record.sweeps),
      CasesSection(record.cases, pages),
      SweptRulesSection(record.sweeps),
      CoverageSection(record),
      HolesSection(record.coverage)};
  report.sections.insert(report.sections.end(), tables.begin(), tables.end());
}

}  // namespace

std::string CaseText(const CaseRecord& record) {
  Line line = {.text = record.path, .below = FoundIn(record)};
  if (record.error != kPathNotFound) {
    line.text = fmt::format("{} {}", isa::Name(record.verdict), record.path);
  }
  for (const std::string& why : {record.error, record.reason}) {
    if (!why.empty()) line.text += ": " + why;
  }
  if (record.verdict == Verdict::kTolerated) {
    std::vector<std::string_view> rules;
    for (isa::RuleId id : record.tolerated) rules.push_back(id.text());
    line.text += fmt::format(": executed though it breaks {}; not compared",
                             fmt::join(rules, ", "));
  }
  return ToText(line);
}

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

Report ToReport(const RunRecord& record, int exit_status,
                const std::set<std::string>& pages) {
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
      .exit_status = exit_status};
  if (record.verb == "exhaust") {  // it counts its points
    for (const char* const name : {"steps", "comparedBytes", "nodes"}) {
      report.counts.erase(name);
    }
  }
  AddForPeople(record, pages, report);
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
  for (const SweepRecord& one : record.sweeps) {
    tests.push_back(SweepTest(one, record.verb));
  }
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
