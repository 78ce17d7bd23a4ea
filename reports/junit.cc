#include <fmt/format.h>

#include "reports/junit_nodes.h"
#include "reports/printers.h"
#include "reports/shortfall.h"

namespace lanediff::reports {
namespace {

void AddCase(JunitSuite& suite, const std::string& group,
             const CaseRecord& record) {
  pugi::xml_node test = suite.AddTest(group, record.path);
  switch (record.verdict) {
    case Verdict::kAgree:
      break;
    case Verdict::kDisagree:
      JunitSuite::SetAttribute(
          suite.AddOutcome(test, "failure", record.findings.front().message,
                           CaseText(record)),
          "type", record.findings.front().signature);
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
    suite.AddSkipped(test, record.tolerated > 0
                               ? fmt::format("nothing was compared; {} of {} "
                                             "cases tolerated",
                                             record.tolerated, record.cases)
                               : "nothing was compared");
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
    suite.AddOutcome(suite.AddTest("lanediff.known-issues", line), "failure",
                     line, "");
  }
  for (const SweepRecord& s : record.sweeps) AddSweep(suite, s);
  const std::string why =
      record.unfinished.empty() ? ShortfallText(record) : record.unfinished;
  if (!why.empty()) {
    suite.AddOutcome(suite.AddTest(group, "complete"), "error", why,
                     SummaryText(record));
  }
  return document.Text();
}

}  // namespace lanediff::reports
