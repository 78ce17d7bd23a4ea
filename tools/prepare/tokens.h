#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// As much of C++'s lexical rules as is needed to find calls.
namespace lanediff::prepare {

struct Token {
  enum class Kind : std::uint8_t {
    kWord,    ///< identifier or keyword
    kNumber,  ///< with its digit separators
    kText,    ///< of characters, raw or not, or a character
    kSign,    ///< one character, but `::` and `->`
  };
  Kind kind = Kind::kSign;
  std::size_t at = 0;  ///< in the source
  std::string_view text;

  std::size_t end() const { return at + text.size(); }
  bool Is(std::string_view sign) const { return text == sign; }
};

/// The tokens of `source` without blanks, comments, and lines of the
/// preprocessor that hold no code.
std::vector<Token> TokensOf(std::string_view source);

/// Line, from 1, of the byte at `at`.
std::size_t LineOf(std::string_view source, std::size_t at);

}  // namespace lanediff::prepare
