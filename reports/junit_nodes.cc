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

JunitSuite::JunitSuite(const std::string& name) {
  suite_ = document_.append_child("testsuites").append_child("testsuite");
  SetAttribute(suite_, "name", name);
}

void JunitSuite::SetAttribute(pugi::xml_node node, const char* name,
                              const std::string& value) {
  node.append_attribute(name).set_value(Printable(value).c_str());
}

pugi::xml_node JunitSuite::AddTest(const std::string& group,
                                   const std::string& name) {
  ++tests_;
  pugi::xml_node test = suite_.append_child("testcase");
  SetAttribute(test, "classname", group);
  SetAttribute(test, "name", name);
  return test;
}

pugi::xml_node JunitSuite::AddOutcome(pugi::xml_node test,
                                      const std::string& element,
                                      const std::string& message,
                                      const std::string& text) {
  failures_ += element == "failure";
  errors_ += element == "error";
  skipped_ += element == "skipped";
  pugi::xml_node outcome = test.append_child(element.c_str());
  SetAttribute(outcome, "message", message);
  outcome.text().set(Printable(text).c_str());
  return outcome;
}

std::string JunitSuite::Text() {
  SetAttribute(suite_, "tests", std::to_string(tests_));
  SetAttribute(suite_, "failures", std::to_string(failures_));
  SetAttribute(suite_, "errors", std::to_string(errors_));
  SetAttribute(suite_, "skipped", std::to_string(skipped_));
  std::ostringstream out;
  document_.save(out, "  ");
  return out.str();
}

}  // namespace lanediff::reports
