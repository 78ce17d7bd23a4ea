#pragma once

#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

namespace lanediff::reports {

/// One suite of a JUnit document. Counts its tests and their outcomes itself;
/// what XML can't hold is written as an escape. What it writes is valid
/// by reports/schema/third_party/jenkins-junit.xsd.
class JunitSuite {
 public:
  pugi::xml_node AddTest(const std::string& group, const std::string& name);
  /// `element` is "failure" or "error".
  pugi::xml_node AddOutcome(pugi::xml_node test, const std::string& element,
                            const std::string& message,
                            const std::string& text);
  /// A failure that has a type.
  void AddFailure(pugi::xml_node test, const std::string& message,
                  const std::string& text, const std::string& type);
  /// A test of which nothing is known but this outcome.
  void AddBare(const std::string& group, const std::string& name,
               const std::string& element, const std::string& message,
               const std::string& text = "") {
    AddOutcome(AddTest(group, name), element, message, text);
  }
  /// A test that was not done, and why. The reason is the element's text:
  /// Jenkins' schema allows it no message.
  void AddSkipped(pugi::xml_node test, const std::string& reason);
  /// The output of a test that passed.
  static void AddOutput(pugi::xml_node test, const std::string& text);
  static void SetAttribute(pugi::xml_node node, const char* name,
                           const std::string& value);

 private:
  friend class JunitDocument;
  explicit JunitSuite(pugi::xml_node suite) : suite_(suite) {}
  void Count(const char* what);

  pugi::xml_node suite_;
};

class JunitDocument {
 public:
  JunitDocument() : root_(document_.append_child("testsuites")) {}

  /// Of every suite that is added later on.
  void AddProperty(const std::string& name, const std::string& value);
  JunitSuite AddSuite(const std::string& name);
  std::string Text() const;

 private:
  pugi::xml_document document_;
  pugi::xml_node root_;
  std::vector<std::pair<std::string, std::string>> properties_;
};

}  // namespace lanediff::reports
