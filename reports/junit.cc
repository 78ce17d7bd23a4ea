#include <fmt/format.h>

#include <algorithm>

#include "reports/junit_nodes.h"
#include "reports/lint.h"
#include "reports/printers.h"

namespace lanediff::reports {
namespace {

void AddCase(JunitSuite& suite, const std::string& group,
             const CaseRecord& record) {
  pugi::xml_node test = suite.AddTest(group, record.path);
  switch (record.verdict) {
    case Verdict::kAgree:
      break;
    case Verdict::kDisagree:
      suite.AddFailure(test, record.findings.front().message, CaseText(record),
                       record.findings.front().signature);
      break;
    case Verdict::kUnsupported:
      suite.AddSkipped(
          test,
          "unsupported" + (record.reason.empty() ? "" : ": " + record.reason));
      break;
    case Verdict::kTolerated:
      suite.AddSkipped(test, CaseText(record));
      break;
    case Verdict::kMalformed:
      suite.AddOutcome(test, "error", record.error, record.path);
      break;
    case Verdict::kKnown:
      suite.AddSkipped(
          test, "known: " + record.known_reason + '\n' + CaseText(record));
      break;
  }
}

void AddFuzzer(JunitSuite& suite, const FuzzerRecord& record) {
  pugi::xml_node test =
      suite.AddTest("lanediff.fuzz", "fuzz/" + record.instruction);
  JunitSuite::SetAttribute(test, "time", fmt::format("{:.3f}", record.seconds));
  if (record.findings > 0) {
    suite.AddOutcome(test, "failure",
                     fmt::format("{} findings", record.findings),
                     FuzzerText(record));
  } else if (!record.error.empty()) {
    suite.AddOutcome(test, "error", record.error, FuzzerText(record));
  }
}

void AddSweep(JunitSuite& suite, const SweepRecord& record) {
  pugi::xml_node test =
      suite.AddTest("lanediff.sweep", "sweep/" + record.instruction);
  if (record.disagree > 0) {
    suite.AddOutcome(
        test, "failure",
        fmt::format("{} of {} cases disagree", record.disagree, record.cases),
        SweepText(record));
  } else if (record.unsupported + record.tolerated == record.cases) {
    suite.AddSkipped(
        test,
        record.tolerated > 0
            ? fmt::format("nothing was compared; {} of {} cases tolerated",
                          record.tolerated, record.cases)
            : "nothing was compared");
  }
}

constexpr const char* kLintSuite = "lanediff.lint";

void AddLinted(const LintedCase& linted, JunitSuite& suite) {
  const std::string group =
      fmt::format("{}.{}", kLintSuite, isa::Name(linted.product));
  pugi::xml_node test = suite.AddTest(group, linted.path);
  const auto news = std::ranges::find_if(
      linted.findings, [](const LintFinding& f) { return f.known.empty(); });
  if (news != linted.findings.end()) {
    suite.AddFailure(
        test, news->message,
        LintText(linted, 0) + "reproduce: " + linted.reproduce + "\n",
        news->signature);
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

std::string RunJunit(const RunRecord& record) {
  const std::string group = "lanediff." + record.verb;
  JunitDocument document;
  document.AddProperty("target", record.target);
  if (!record.vectors.empty()) document.AddProperty("vectors", record.vectors);
  if (!record.edition.empty()) document.AddProperty("edition", record.edition);
  JunitSuite suite = document.AddSuite(group);
  for (const CaseRecord& c : record.cases) AddCase(suite, group, c);
  for (const FuzzerRecord& f : record.fuzzers) AddFuzzer(suite, f);
  for (const std::string& line : record.stale_issues) {
    suite.AddBare("lanediff.known-issues", line, "failure", line);
  }
  for (const SweepRecord& s : record.sweeps) AddSweep(suite, s);
  const std::string why =
      record.unfinished.empty() ? ShortfallText(record) : record.unfinished;
  if (!why.empty()) {
    suite.AddBare(group, "complete", "error", why, SummaryText(record));
  }
  return document.Text();
}

std::string LintJunit(const LintRecord& record) {
  JunitDocument document;
  if (!record.cases.empty()) {
    document.AddProperty("edition", EditionsOf(record));
  }
  JunitSuite suite = document.AddSuite(kLintSuite);
  for (const LintedCase& linted : record.cases) AddLinted(linted, suite);
  for (const MalformedFile& file : record.malformed) {
    suite.AddBare(kLintSuite, file.path, "error", file.error, file.path);
  }
  for (const std::string& line : record.stale_issues) {
    suite.AddBare("lanediff.known-issues", line, "failure", line);
  }
  if (!record.unfinished.empty()) {
    suite.AddBare(kLintSuite, "complete", "error", record.unfinished,
                  LintSummary(record));
  }
  return document.Text();
}

}  // namespace lanediff::reports
