#include "reports/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "differential/compare/finding.h"
#include "reports/printable.h"
#include "reports/record_table.h"

namespace lanediff::reports {
namespace {

/// "broken with others" of "brokenWithOthers".
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

/// Columns as wide as their widest cell, the last one as it is.
std::string RowText(const std::vector<std::string>& cells,
                    const std::vector<Report::Column>& columns,
                    const std::vector<std::size_t>& widths) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    if (columns[i].kind == Report::Column::Kind::kNumber) {
      text += fmt::format("{:>{}}", cells[i], widths[i]);
    } else if (i + 1 == cells.size()) {
      text += cells[i];
    } else {
      text += fmt::format("{:<{}}", cells[i], widths[i]);
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string TableText(const Report::Section& section, bool verbose,
                      std::size_t indent) {
  std::vector<std::string> heads;
  std::vector<std::size_t> widths;
  for (const Report::Column& column : section.columns) {
    heads.push_back(InOneLine(column.title));
    widths.push_back(heads.back().size());
  }
  std::vector<std::pair<std::vector<std::string>, std::string>> rows;
  for (const Report::Row& row : section.rows) {
    if (row.verbose && !verbose) continue;
    auto& [cells, lines] = rows.emplace_back();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      cells.push_back(InOneLine(row.cells[i].text));
      widths[i] = std::max(widths[i], cells.back().size());
      for (const Report::Line& line : row.cells[i].below) {
        if (!line.page_only) lines += ToText(line, indent + 2);
      }
    }
  }
  if (rows.empty()) return "";
  const std::string margin(indent, ' ');
  std::string text = margin + RowText(heads, section.columns, widths);
  for (const auto& [cells, lines] : rows) {
    text += margin + RowText(cells, section.columns, widths) + lines;
  }
  return text;
}

}  // namespace

std::string IncompleteText(const Reasons& reasons) {
  if (reasons.empty()) return "";
  return fmt::format("NOT complete: {}{}\n", InOneLine(reasons.front().text),
                     reasons.size() > 1
                         ? fmt::format(" (and {} more)", reasons.size() - 1)
                         : "");
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

std::string ToText(const Report::Line& line, std::size_t indent) {
  std::string text =
      fmt::format("{:{}}{}{}{}\n", "", indent, InOneLine(line.label),
                  line.label.empty() ? "" : ": ", InOneLine(line.text));
  for (const Report::Line& below : line.below) {
    if (!below.page_only) text += ToText(below, indent + 2);
  }
  return text;
}

std::string ToText(const Report::Section& section, bool verbose) {
  const std::size_t indent = section.titled ? 2 : 0;
  std::string text;
  for (const Report::Line& line : section.lines) {
    if (!line.page_only) text += ToText(line, indent);
  }
  text += TableText(section, verbose, indent);
  if (!section.titled || text.empty()) return text;
  return InOneLine(section.title) + '\n' + text;
}

std::string ToText(const Report& report, bool verbose) {
  std::string text = InLines(report.opening);
  for (const Report::Line& line : report.found) {
    if (!line.page_only) text += ToText(line);
  }
  for (const Report::Section& section : report.sections) {
    if (section.in == Report::Section::In::kPage) continue;
    text += ToText(section, verbose);
  }
  return text + InLines(report.summary);
}

namespace {

using Outcome = Report::Outcome;

void Set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(InLines(value).c_str());
}

void PrintTest(const Report::Test& test, pugi::xml_node suite) {
  pugi::xml_node node = suite.append_child("testcase");
  Set(node, "classname", test.group);
  Set(node, "name", test.name);
  if (test.seconds) Set(node, "time", fmt::format("{:.3f}", *test.seconds));
  if (test.outcome == Outcome::kPassed && test.text.empty()) return;
  constexpr const char* kElements[] = {"system-out", "failure", "error",
                                       "skipped"};
  pugi::xml_node outcome =
      node.append_child(kElements[static_cast<std::size_t>(test.outcome)]);
  // Jenkins' schema allows a skipped test no message.
  if (test.outcome == Outcome::kFailed || test.outcome == Outcome::kError) {
    Set(outcome, "message", test.message);
  }
  if (!test.type.empty()) Set(outcome, "type", test.type);
  outcome.text().set(InLines(test.text).c_str());
}

void PrintSuite(const Report& report, const Report::Suite& suite,
                pugi::xml_node root) {
  pugi::xml_node node = root.append_child("testsuite");
  Set(node, "name", suite.name);
  node.append_attribute("tests").set_value(suite.tests.size());
  const auto count = [&](const char* name, Outcome outcome) {
    node.append_attribute(name).set_value(
        std::ranges::count(suite.tests, outcome, &Report::Test::outcome));
  };
  count("failures", Outcome::kFailed);
  count("errors", Outcome::kError);
  count("skipped", Outcome::kSkipped);
  pugi::xml_node properties;
  for (const auto& [name, value] : report.properties) {
    if (value.empty()) continue;
    if (!properties) properties = node.append_child("properties");
    pugi::xml_node property = properties.append_child("property");
    Set(property, "name", name);
    Set(property, "value", value);
  }
  for (const Report::Test& test : suite.tests) PrintTest(test, node);
}

/// Makes the test "complete" an error, for the reasons that have no test.
void AddReasons(Report& report) {
  Reasons reasons = report.reasons;
  std::erase_if(reasons, [](const auto& reason) { return reason.has_test; });
  if (reasons.empty()) return;
  auto suite =
      std::ranges::find(report.suites, report.group, &Report::Suite::name);
  if (suite == report.suites.end()) {
    suite = report.suites.insert(suite, {.name = report.group});
  }
  suite->tests.push_back(
      {.group = report.group,
       .name = "complete",
       .outcome = Outcome::kError,
       .message = fmt::format("{}", fmt::join(TextsOf(reasons), "; ")),
       .text = report.summary});
}

}  // namespace

std::string ToJunit(Report report) {
  AddReasons(report);
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  for (const Report::Suite& suite : report.suites) {
    PrintSuite(report, suite, root);
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace lanediff::reports
