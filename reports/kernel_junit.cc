#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/junit_nodes.h"
#include "reports/kernel.h"
#include "reports/kernel_status.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

using kernel::Finding;

constexpr const char* kSuite = "lanediff.kernel";

/// Findings and refusals of a site.
struct SiteTest {
  std::string op;
  std::vector<const Finding*> findings;
  std::vector<const kernel::Refusal*> refusals;
};

using SiteTests = std::map<kernel::Site, SiteTest>;

SiteTests TestsOf(const kernel::RunRecord& record) {
  SiteTests tests;
  const auto at = [&](const kernel::Site& site,
                      const std::string& op) -> SiteTest& {
    SiteTest& test = tests[site];
    if (test.op.empty()) test.op = op;
    return test;
  };
  for (const kernel::SiteRow& row : record.sites) at(row.site, row.op);
  for (const Finding& finding : record.findings) {
    at(finding.later.site, finding.later.op).findings.push_back(&finding);
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    at(refusal.site, refusal.name).refusals.push_back(&refusal);
  }
  return tests;
}

void AddSite(const kernel::Site& site, const SiteTest& results,
             JunitSuite& suite) {
  pugi::xml_node test = suite.AddTest(
      fmt::format("{}.{}", kSuite, InOneLine(site.file)),
      fmt::format("line {} {}{}", site.line, InOneLine(results.op),
                  site.call > 1 ? fmt::format(" (call {})", site.call) : ""));
  std::string text;
  const Finding* first = nullptr;
  std::string reasons;
  for (const Finding* finding : results.findings) {
    if (finding->suppressed.empty()) {
      if (first == nullptr) first = finding;
      text += KernelFindingText(*finding);
    } else {
      reasons +=
          fmt::format("suppressed: {}\n{}", InOneLine(finding->suppressed),
                      KernelFindingText(*finding));
    }
  }
  for (const kernel::Refusal* refusal : results.refusals) {
    text += RefusalText(*refusal) + '\n';
  }
  if (first != nullptr) {
    suite.AddFailure(test, InOneLine(first->message), text,
                     InOneLine(first->rule));
  } else if (!results.refusals.empty()) {
    suite.AddOutcome(test, "error", RefusalText(*results.refusals.front()),
                     text);
  } else if (!reasons.empty()) {
    suite.AddSkipped(test, reasons);
  }
}

}  // namespace

std::string KernelJunit(const kernel::RunRecord& record) {
  JunitDocument document;
  document.AddProperty("program", InOneLine(record.program));
  document.AddProperty("product",
                       std::string(isa::Name(record.settings.product)));
  document.AddProperty("edition",
                       std::string(isa::Name(record.settings.edition)));
  JunitSuite suite = document.AddSuite(kSuite);
  for (const auto& [site, results] : TestsOf(record)) {
    AddSite(site, results, suite);
  }
  const auto add = [&](const char* group, const char* element,
                       const std::vector<std::string>& lines) {
    for (const std::string& one : lines) {
      const std::string line = InOneLine(one);
      suite.AddBare(group, line, element, line);
    }
  };
  add("lanediff.suppressions", "failure", record.suppression_faults);
  add("lanediff.expectations", "failure", record.expectation_faults);
  add("lanediff.run", "error", EndLines(record));
  return document.Text();
}

}  // namespace lanediff::reports
