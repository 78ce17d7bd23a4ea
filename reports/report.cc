#include "reports/report.h"

#include <fmt/format.h>

#include "differential/compare/finding.h"
#include "reports/printable.h"
#include "reports/record_table.h"

namespace lanediff::reports {

std::string IncompleteText(const Reasons& reasons) {
  if (reasons.empty()) return "";
  return fmt::format("NOT complete: {}{}\n", InOneLine(reasons.front().text),
                     reasons.size() > 1
                         ? fmt::format(" (and {} more)", reasons.size() - 1)
                         : "");
}

std::string ColumnTitle(std::string_view field) {
  std::string title;
  for (const char c : field) {
    if ('A' <= c && c <= 'Z') {
      title += ' ';
      title += static_cast<char>(c - 'A' + 'a');
    } else {
      title += c;
    }
  }
  return title;
}

void RowMaker::Add(std::string_view name, Report::Column::Kind kind,
                   std::string text) {
  columns.push_back({.title = ColumnTitle(name), .kind = kind});
  row.cells.push_back({std::move(text)});
}

Report::Look ToneOf(std::string_view tone) {
  return tone == "good"         ? Report::Look::kGood
         : tone == "incomplete" ? Report::Look::kMild
                                : Report::Look::kBad;
}

std::string OwnRule(diff::FindingKind kind) {
  std::string id = "LANEDIFF-";
  for (char c : isa::Name(kind)) {
    id += 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return id;
}

void AddStaleIssues(const std::vector<std::string>& lines, Report& report) {
  for (const std::string& line : lines) {
    report.findings.push_back(
        {.rule = std::string(kKnownIssueRule), .message = line});
    report.suites.front().tests.push_back(
        {"lanediff.known-issues", line, Report::Outcome::kFailed, line});
  }
}

}  // namespace lanediff::reports
