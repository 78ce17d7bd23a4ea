#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lanediff::exports {

/// `text` as it may stand in a comment of any of the languages: what could end
/// a comment or a line, hide text or turn its direction is spelt out. Newlines
/// stay, for `Source::Comment` to break at.
std::string CommentSafe(std::string_view text);

/// `text` between double quotes, as C++ and Python both read it.
std::string Quoted(std::string_view text);

/// The integer type of a parameter.
struct ParameterType {
  std::string_view name;  ///< as the language spells it
  std::int64_t low;
  std::uint64_t high;
  int bits;
};
inline constexpr ParameterType kInt32{"int32_t", INT32_MIN, INT32_MAX, 32};
inline constexpr ParameterType kUint8{"uint8_t", 0, UINT8_MAX, 8};
inline constexpr ParameterType kUint16{"uint16_t", 0, UINT16_MAX, 16};
inline constexpr ParameterType kUint32{"uint32_t", 0, UINT32_MAX, 32};
inline constexpr ParameterType kUint64{"uint64_t", 0, UINT64_MAX, 64};

/// A value as C++ writes it, and what the reader has to know of it.
struct Literal {
  std::string text;
  std::string remark;  ///< empty where the type holds the value
};
Literal ToLiteral(std::int64_t value, const ParameterType& type);

/// Source text that grows line by line.
class Source {
 public:
  /// `comment` starts a comment: "//" or "#".
  explicit Source(std::string_view comment) : comment_(comment) {}

  /// One line of code, unchanged, or formatted by {fmt}.
  void Line(std::string_view code);
  template <class First, class... Rest>
  void Line(fmt::format_string<First, Rest...> code, First&& first,
            Rest&&... rest) {
    Line(fmt::format(code, std::forward<First>(first),
                     std::forward<Rest>(rest)...));
  }
  /// Several lines of code.
  void Lines(std::string_view code);
  void Blank() { text_ += '\n'; }
  /// `text`, made safe and broken between words, as comment lines.
  void Comment(std::string_view text) { HangingComment(text, 0); }
  template <class First, class... Rest>
  void Comment(fmt::format_string<First, Rest...> text, First&& first,
               Rest&&... rest) {
    Comment(fmt::format(text, std::forward<First>(first),
                        std::forward<Rest>(rest)...));
  }
  /// Lines after the first are set in by `hang` columns.
  void HangingComment(std::string_view text, std::size_t hang);

  /// `value` as C++ writes it, after a comment if `type` does not hold it.
  std::string Value(std::int64_t value, const ParameterType& type);

  void Indent(std::size_t columns) { indent_ += columns; }
  void Outdent(std::size_t columns) { indent_ -= columns; }

  std::string Take() { return std::move(text_); }

 private:
  void CommentLine(std::string_view text);

  std::string comment_;
  std::string text_;
  std::size_t indent_ = 0;
};

/// Any 64-bit integer as C++ writes it, in brackets if it is negative.
std::string SignedLiteral(std::int64_t value);

/// A word of 64 bits as C++ writes it.
std::string HexWord(std::uint64_t word);

}  // namespace lanediff::exports
