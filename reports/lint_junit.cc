#include <fmt/format.h>

#include <algorithm>

#include "reports/junit_nodes.h"
#include "reports/lint.h"

namespace lanediff::reports {
namespace {

constexpr const char* kLintSuite = "lanediff.lint";

void AddLinted(const LintedCase& linted, JunitSuite& suite) {
  const std::string group =
      fmt::format("{}.{}", kLintSuite, isa::Name(linted.product));
  pugi::xml_node test = suite.AddTest(group, linted.path);
  const auto news = std::ranges::find_if(
      linted.findings, [](const LintFinding& f) { return f.known.empty(); });
  if (news != linted.findings.end()) {
    JunitSuite::SetAttribute(
        suite.AddOutcome(
            test, "failure", news->message,
            LintText(linted, 0) + "reproduce: " + linted.reproduce + "\n"),
        "type", news->signature);
  } else if (!linted.findings.empty()) {
    const LintFinding& first = linted.findings.front();
    suite.AddSkipped(test,
                     "known: " + first.known + '\n' + LintText(linted, 0));
  } else if (linted.verdict.unsupported) {
    suite.AddSkipped(
        test,
        fmt::format("unsupported: step {} {}", *linted.verdict.unsupported,
                    linted.ops[*linted.verdict.unsupported]));
  }
}

}  // namespace

std::string LintJunit(const LintRecord& record) {
  JunitDocument document;
  if (!record.cases.empty()) {
    document.AddProperty("edition", EditionsOf(record));
  }
  JunitSuite suite = document.AddSuite(kLintSuite);
  for (const LintedCase& linted : record.cases) AddLinted(linted, suite);
  for (const MalformedFile& file : record.malformed) {
    suite.AddOutcome(suite.AddTest(kLintSuite, file.path), "error", file.error,
                     file.path);
  }
  for (const std::string& line : record.stale_issues) {
    suite.AddOutcome(suite.AddTest("lanediff.known-issues", line), "failure",
                     line, "");
  }
  if (!record.unfinished.empty()) {
    suite.AddOutcome(suite.AddTest(kLintSuite, "complete"), "error",
                     record.unfinished, LintSummary(record));
  }
  return document.Text();
}

}  // namespace lanediff::reports
