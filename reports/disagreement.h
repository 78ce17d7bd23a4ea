#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"

/// A place at which documents disagree, as the tables of this folder have it.
namespace lanediff::audit {

/// What stands against a reading of a document.
enum class Question : std::uint8_t {
  kItself,   ///< another place of the same document
  kAnother,  ///< another document, or a newer one of the same interface
  kSilent,   ///< nothing: the document leaves the question open
};

}  // namespace lanediff::audit

template <>
struct lanediff::isa::Words<lanediff::audit::Question> {
  static constexpr std::string_view kWhat = "kind of question";
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "the document against itself", "against another document", "silent"};
};

namespace lanediff::audit {

/// One reading of a place at which documents disagree.
struct Reading {
  std::string text;      ///< in our own words
  std::string document;  ///< "Title · section"; empty where it is an assumption
};

/// A reading that was not chosen.
struct OtherReading {
  /// One word for it, in messages and in the name of the file that holds the
  /// result: `audit/readings/NAME.WORD.json`.
  std::string_view word;
  Reading reading;
};

struct Disagreement {
  std::string_view id;  ///< such as "DOC-RRS-35604"
  Question kind = Question::kSilent;
  std::string_view title;
  std::vector<isa::RuleId> rules;  ///< that rest on the chosen reading
  Reading chosen;
  std::vector<OtherReading> others;
  std::string_view why;  ///< the chosen one was chosen
  /// The case: `corpus/disagreements/NAME.json`. Empty where no case
  /// separates the readings.
  std::string_view name;
  std::string_view undecidable = {};  ///< why not, then
  /// Cases of the same question for other instructions, by names like `name`;
  /// with a file for each other reading, too.
  std::vector<std::string_view> also = {};
};

}  // namespace lanediff::audit
