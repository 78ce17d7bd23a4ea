#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "reports/printable.h"
#include "reports/report.h"

namespace lanediff::reports {
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
