#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "differential/testcase/record_json.h"
#include "reports/kernel.h"
#include "reports/kernel_status.h"
#include "reports/printable.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using Place = Report::Place;

Place PlaceOf(const kernel::Site& site, const std::string& op,
              std::string message = {}) {
  Place place = {
      .file = site.file,
      .line = static_cast<std::size_t>(std::max<std::int64_t>(site.line, 1)),
      .message = std::move(message)};
  if (!op.empty()) place.logical = {{InOneLine(op), "function"}};
  return place;
}

/// What stays the same when lines are added elsewhere.
Report::Texts PrintsOf(std::string_view rule, const kernel::Site& site,
                       const KernelSources& sources) {
  const std::string_view line = sources.Line(site.file, site.line);
  return {{"lanediffRuleFileLine/v1",
           fmt::format("{} {}: {}", InOneLine(rule), InOneLine(site.file),
                       line.empty() ? fmt::format("line {}", site.line)
                                    : InOneLine(line))}};
}

std::vector<Place> RelatedTo(const kernel::Finding& finding) {
  std::vector<Place> related;
  if (const auto& other = finding.earlier) {
    related.push_back(PlaceOf(
        other->site, other->op,
        fmt::format("the other access: {}{}", InOneLine(other->op),
                    other->pipe ? fmt::format(" on {}", isa::Name(*other->pipe))
                                : std::string())));
  }
  if (const auto& cause = finding.follows_from) {
    related.push_back(
        PlaceOf(cause->site, "", "the cause: " + InOneLine(cause->rule)));
  }
  return related;
}

Report::Finding ResultOf(const kernel::Finding& finding,
                         const KernelSources& sources) {
  Report::Finding result = {
      .rule = InOneLine(finding.rule),
      .level = "error",
      .message = fmt::format(
          "{}. First met in {}{}{}.{}", InOneLine(finding.message),
          OccurrenceText(finding), finding.missing.empty() ? "" : "; missing: ",
          InOneLine(finding.missing),
          finding.follows_from
              ? fmt::format(" Follows from {}.", CauseText(finding))
              : ""),
      .place = PlaceOf(finding.later.site, finding.later.op),
      .related = RelatedTo(finding),
      .fingerprints = PrintsOf(finding.rule, finding.later.site, sources),
      .known = finding.suppressed,
      .times = finding.times,
      .properties = {{"group", isa::Name(finding.group)}}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) result.properties[name] = text;
  };
  add("followsFrom", CauseText(finding));
  add("unknown", UnknownText(finding));
  add("repair", InOneLine(finding.repair));
  add("case", InOneLine(finding.case_path));
  add("reproduce", ReproduceText(finding));
  return result;
}

/// A test for each site, in the order of the sites.
std::map<kernel::Site, Report::Test> TestsOf(const kernel::RunRecord& record) {
  using enum Report::Outcome;
  std::map<kernel::Site, Report::Test> tests;
  const auto at = [&](const kernel::Site& site,
                      const std::string& op) -> Report::Test& {
    const std::string name =
        fmt::format("line {} {}{}", site.line, InOneLine(op),
                    site.call > 1 ? fmt::format(" (call {})", site.call) : "");
    const std::string group = "lanediff.kernel." + InOneLine(site.file);
    return tests.try_emplace(site, Report::Test{group, name}).first->second;
  };
  for (const kernel::SiteRow& row : record.sites) at(row.site, row.op);
  // What is suppressed counts where nothing else is wrong.
  for (const kernel::Finding& finding : record.findings) {
    if (finding.suppressed.empty()) continue;
    Report::Test& test = at(finding.later.site, finding.later.op);
    test.outcome = kSkipped;
    test.text +=
        fmt::format("suppressed: {}\n{}", InOneLine(finding.suppressed),
                    KernelFindingText(finding));
  }
  const auto add = [&](Report::Test& test, Report::Outcome outcome,
                       const std::string& message, const std::string& rule,
                       const std::string& text) {
    if (test.outcome == kPassed || test.outcome == kSkipped) {
      test.outcome = outcome;
      test.message = message;
      test.type = rule;
      test.text.clear();
    }
    test.text += text;
  };
  for (const kernel::Finding& finding : record.findings) {
    if (!finding.suppressed.empty()) continue;
    add(at(finding.later.site, finding.later.op), kFailed,
        InOneLine(finding.message), InOneLine(finding.rule),
        KernelFindingText(finding));
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    const std::string text = RefusalText(refusal);
    add(at(refusal.site, refusal.name), kError, text, "", text + '\n');
  }
  return tests;
}

std::string_view ExitWords(int status) {
  constexpr std::string_view kTexts[] = {
      "no finding", "findings",
      "wrong usage, a source that does not compile, a refused call, or nothing "
      "was checked",
      "the program crashed, timed out or failed"};
  return kTexts[static_cast<std::size_t>(status)];
}

}  // namespace

Reasons ReasonsOf(const kernel::RunRecord& record) {
  Reasons reasons;
  for (const kernel::Refusal& refusal : record.refusals) {
    reasons.push_back({.text = RefusalText(refusal),
                       .place = PlaceOf(refusal.site, refusal.name),
                       .has_test = true});
  }
  for (std::string& line : EndLines(record)) {
    reasons.push_back({.text = std::move(line), .has_test = true});
  }
  return reasons;
}

Report ToReport(const kernel::RunRecord& record, const KernelSources& sources) {
  const int status = KernelStatus(record);
  Report report = {
      .category = "lanediff/run/",
      .group = "lanediff.run",
      .properties = {{"program", InOneLine(record.program)},
                     {"product",
                      std::string(isa::Name(record.settings.product))},
                     {"edition",
                      std::string(isa::Name(record.settings.edition))}},
      .counts = {{"counts", RecordJson(record.counts)}},
      .suites = {{"lanediff.kernel"}},
      .reasons = ReasonsOf(record),
      .exit_status = status,
      .exit_text = ExitWords(status),
      .lists_catalogue = false};
  for (const kernel::Finding& finding : record.findings) {
    report.findings.push_back(ResultOf(finding, sources));
  }
  for (const kernel::Note& note : record.notes) {
    report.findings.push_back(
        {.rule = InOneLine(note.rule),
         .level = "note",
         .message = InOneLine(note.message),
         .place = PlaceOf(note.site, ""),
         .fingerprints = PrintsOf(note.rule, note.site, sources),
         .times = note.times});
  }
  for (auto& [site, test] : TestsOf(record)) {
    report.suites.front().tests.push_back(std::move(test));
  }
  const auto add = [&](const char* group, Report::Outcome outcome,
                       const std::string& line) {
    report.suites.front().tests.push_back({group, line, outcome, line});
  };
  const auto add_faults = [&](const char* group,
                              const std::vector<std::string>& faults) {
    for (const std::string& fault : faults) {
      report.notifications.push_back({InOneLine(fault)});
      add(group, Report::Outcome::kFailed, InOneLine(fault));
    }
  };
  add_faults("lanediff.suppressions", record.suppression_faults);
  add_faults("lanediff.expectations", record.expectation_faults);
  for (const std::string& line : EndLines(record)) {
    add("lanediff.run", Report::Outcome::kError, line);
  }
  AddForPeople(record, sources, report);
  return report;
}

}  // namespace lanediff::reports
