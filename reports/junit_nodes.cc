#include "reports/junit_nodes.h"

#include <sstream>

#include "reports/printable.h"

namespace lanediff::reports {
void JunitSuite::SetAttribute(pugi::xml_node node, const char* name,
                              const std::string& value) {
  node.append_attribute(name).set_value(ForXml(value).c_str());
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
  outcome.text().set(ForXml(text).c_str());
  return outcome;
}

void JunitSuite::AddFailure(pugi::xml_node test, const std::string& message,
                            const std::string& text, const std::string& type) {
  SetAttribute(AddOutcome(test, "failure", message, text), "type", type);
}

void JunitSuite::AddSkipped(pugi::xml_node test, const std::string& reason) {
  Count("skipped");
  test.append_child("skipped").text().set(ForXml(reason).c_str());
}

void JunitSuite::AddOutput(pugi::xml_node test, const std::string& text) {
  test.append_child("system-out").text().set(ForXml(text).c_str());
}

void JunitDocument::AddProperty(const std::string& name,
                                const std::string& value) {
  properties_.emplace_back(name, value);
}

JunitSuite JunitDocument::AddSuite(const std::string& name) {
  pugi::xml_node suite = root_.append_child("testsuite");
  JunitSuite::SetAttribute(suite, "name", name);
  for (const char* sum : {"tests", "failures", "errors", "skipped"}) {
    suite.append_attribute(sum).set_value(0);
  }
  if (!properties_.empty()) {
    pugi::xml_node properties = suite.append_child("properties");
    for (const auto& [property, value] : properties_) {
      pugi::xml_node node = properties.append_child("property");
      JunitSuite::SetAttribute(node, "name", property);
      JunitSuite::SetAttribute(node, "value", value);
    }
  }
  return JunitSuite(suite);
}

std::string JunitDocument::Text() const {
  std::ostringstream out;
  document_.save(out, "  ");
  return out.str();
}

}  // namespace lanediff::reports
