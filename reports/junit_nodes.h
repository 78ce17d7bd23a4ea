#pragma once

#include <pugixml.hpp>
#include <string>

namespace lanediff::reports {

/// A JUnit document of one suite. Counts its tests and their outcomes itself;
/// what XML can't say is replaced by a question mark.
class JunitSuite {
 public:
  explicit JunitSuite(const std::string& name);

  pugi::xml_node AddTest(const std::string& group, const std::string& name);
  /// `element` is "failure", "error" or "skipped".
  pugi::xml_node AddOutcome(pugi::xml_node test, const std::string& element,
                            const std::string& message,
                            const std::string& text);
  static void SetAttribute(pugi::xml_node node, const char* name,
                           const std::string& value);

  /// The document; nothing is added afterwards.
  std::string Text();

 private:
  pugi::xml_document document_;
  pugi::xml_node suite_;
  std::size_t tests_ = 0;
  std::size_t failures_ = 0;
  std::size_t errors_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace lanediff::reports
