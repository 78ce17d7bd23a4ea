#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "isa/catalogue.h"

/// What isa/rules/ holds: a file for each instruction, one for Min's family,
/// two for rules that no single instruction owns, and one for the documents.
namespace lanediff::isa {

struct EmbeddedText {
  std::string_view file;
  std::string_view text;
};
/// The files; made by CMake.
std::span<const EmbeddedText> EmbeddedTexts();

struct RuleFiles {
  std::vector<Instruction>
      instructions;         ///< in the order of the steps' numbers
  std::vector<Rule> rules;  ///< in the order of `Catalogue()`
  std::vector<Document> documents;
};

/// What the files hold, read once in a process. What does not fit is thrown.
const RuleFiles& Files();

}  // namespace lanediff::isa
