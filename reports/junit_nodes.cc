#include "reports/junit_nodes.h"

#include <algorithm>
#include <sstream>
#include <string_view>

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

}  // namespace

void JunitSuite::SetAttribute(pugi::xml_node node, const char* name,
                              const std::string& value) {
  node.append_attribute(name).set_value(Printable(value).c_str());
}

void JunitSuite::Count(const char* what) {
  pugi::xml_attribute sum = suite_.attribute(what);
  sum.set_value(sum.as_ullong() + 1);
}

pugi::xml_node JunitSuite::AddTest(const std::string& group,
                                   const std::string& name) {
  Count("tests");
  pugi::xml_node test = suite_.append_child("testcase");
  SetAttribute(test, "classname", group);
  SetAttribute(test, "name", name);
  return test;
}

pugi::xml_node JunitSuite::AddOutcome(pugi::xml_node test,
                                      const std::string& element,
                                      const std::string& message,
                                      const std::string& text) {
  Count(element == "failure" ? "failures" : "errors");
  pugi::xml_node outcome = test.append_child(element.c_str());
  SetAttribute(outcome, "message", message);
  outcome.text().set(Printable(text).c_str());
  return outcome;
}

void JunitSuite::AddSkipped(pugi::xml_node test, const std::string& reason) {
  Count("skipped");
  test.append_child("skipped").text().set(Printable(reason).c_str());
}

void JunitSuite::AddOutput(pugi::xml_node test, const std::string& text) {
  test.append_child("system-out").text().set(Printable(text).c_str());
}

JunitSuite JunitDocument::AddSuite(const std::string& name) {
  pugi::xml_node suite = root_.append_child("testsuite");
  JunitSuite::SetAttribute(suite, "name", name);
  for (const char* sum : {"tests", "failures", "errors", "skipped"}) {
    suite.append_attribute(sum).set_value(0);
  }
  return JunitSuite(suite);
}

std::string JunitDocument::Text() const {
  std::ostringstream out;
  document_.save(out, "  ");
  return out.str();
}

}  // namespace lanediff::reports
