#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "reports/printers.h"

namespace lanediff::reports {
namespace {

/// XML 1.0 has no way to say a control character.
std::string Printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') c = '?';
  }
  return text;
}

void SetAttribute(pugi::xml_node node, const char* name,
                  const std::string& value) {
  node.append_attribute(name).set_value(Printable(value).c_str());
}

pugi::xml_node AddTest(pugi::xml_node suite, const std::string& group,
                       const std::string& name) {
  pugi::xml_node test = suite.append_child("testcase");
  SetAttribute(test, "classname", group);
  SetAttribute(test, "name", name);
  return test;
}

void AddOutcome(pugi::xml_node test, const char* element,
                const std::string& message, const std::string& text) {
  pugi::xml_node outcome = test.append_child(element);
  SetAttribute(outcome, "message", message);
  outcome.text().set(Printable(text).c_str());
}

void AddCase(pugi::xml_node suite, const std::string& group,
             const CaseRecord& record) {
  pugi::xml_node test = AddTest(suite, group, record.path);
  switch (record.verdict) {
    case Verdict::kAgree:
      break;
    case Verdict::kDisagree:
      AddOutcome(test, "failure", record.findings.front().message,
                 CaseText(record));
      break;
    case Verdict::kUnsupported:
      AddOutcome(test, "skipped", "unsupported", "");
      break;
    case Verdict::kMalformed:
      AddOutcome(test, "error", record.error, record.path);
      break;
  }
}

void AddFuzzer(pugi::xml_node suite, const FuzzerRecord& record) {
  pugi::xml_node test =
      AddTest(suite, "lanediff.fuzz", "fuzz/" + record.instruction);
  SetAttribute(test, "time", fmt::format("{:.3f}", record.seconds));
  if (record.findings > 0) {
    AddOutcome(test, "failure", fmt::format("{} findings", record.findings),
               FuzzerText(record));
  } else if (!record.error.empty()) {
    AddOutcome(test, "error", record.error, FuzzerText(record));
  }
}

}  // namespace

std::string RunJunit(const RunRecord& record) {
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  pugi::xml_node suite = suites.append_child("testsuite");
  const std::string group = "lanediff." + record.verb;
  SetAttribute(suite, "name", group);
  std::size_t failures = record.disagree;
  std::size_t errors = record.malformed;
  for (const FuzzerRecord& fuzzer : record.fuzzers) {
    failures += fuzzer.findings > 0;
    errors += fuzzer.findings == 0 && !fuzzer.error.empty();
  }
  SetAttribute(suite, "tests",
               std::to_string(record.cases.size() + record.fuzzers.size()));
  SetAttribute(suite, "failures", std::to_string(failures));
  SetAttribute(suite, "errors", std::to_string(errors));
  SetAttribute(suite, "skipped", std::to_string(record.unsupported));
  for (const CaseRecord& c : record.cases) AddCase(suite, group, c);
  for (const FuzzerRecord& f : record.fuzzers) AddFuzzer(suite, f);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace lanediff::reports
