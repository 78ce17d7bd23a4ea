#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

#include "reports/printers.h"

namespace lanediff::reports {
namespace {

/// Length of the UTF-8 character at the start of `text`, 0 if it is none.
std::size_t CharacterLength(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf5   ? 0
                             : first >= 0xf0 ? 4
                             : first >= 0xe0 ? 3
                             : first >= 0xc2 ? 2
                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (char c : text.substr(1, length - 1)) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) return 0;
  }
  return length;
}

/// XML 1.0 has no way to say a control character, or a byte of a file name that
/// is no UTF-8.
std::string Printable(std::string text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length =
        CharacterLength(std::string_view(text).substr(i));
    const bool control = c < 0x20 && c != '\n' && c != '\t';
    if (length == 0 || control) text[i] = '?';
    i += std::max<std::size_t>(length, 1);
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
