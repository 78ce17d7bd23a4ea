#include <algorithm>
#include <ranges>

#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

constexpr std::size_t kWidth = 79;
/// Comments are at least so wide, however far they are set in.
constexpr std::size_t kLeast = 40;

/// A code point of UTF-8 text and the bytes it takes; the text is valid.
struct CodePoint {
  char32_t value;
  std::size_t bytes;
};

CodePoint First(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = lead < 0x80   ? 1
                            : lead < 0xe0 ? 2
                            : lead < 0xf0 ? 3
                                          : 4;
  char32_t value = bytes == 1 ? lead : lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes && i < text.size(); ++i) {
    value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  return {value, std::min(bytes, text.size())};
}

/// Control characters, line and paragraph separators, marks and overrides of
/// direction, characters without width.
bool Unsafe(char32_t c) {
  return (c < 0x20 && c != '\n') || (c >= 0x7f && c <= 0x9f) || c == 0x61c ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

/// Ends a comment, starts one in one, or stands for a backslash.
constexpr std::string_view kBroken[] = {"*/", "/*",
                                        "?"
                                        "?",
                                        "\"\"\"", "'''"};

/// `text` in pieces of at most `width` bytes, cut between words where it can.
std::string_view CutLine(std::string_view& text, std::size_t width) {
  std::size_t end = text.size();
  if (end > width) {
    end = text.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = text.find(' ');
    if (end == std::string_view::npos) end = text.size();
  }
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return line;
}

}  // namespace

std::string CommentSafe(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const auto* broken = std::ranges::find_if(
        kBroken, [&](std::string_view b) { return text.starts_with(b); });
    if (broken != std::end(kBroken)) {
      safe += (*broken)[0];
      safe += ' ';
      text.remove_prefix(1);
      continue;
    }
    const CodePoint c = First(text);
    if (Unsafe(c.value)) {
      safe += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c.value));
    } else {
      safe += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return safe;
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f || c == '?') {
      quoted += fmt::format("\\{:03o}", byte);  // "?" could start a trigraph
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

void Source::Line(std::string_view code) {
  if (!code.empty()) text_.append(indent_, ' ');
  text_ += code;
  text_ += '\n';
}

void Source::CommentLine(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  std::string line = comment_;
  if (!text.empty()) line += ' ';
  line += text;
  // A backslash at its end would take the next line into the comment.
  if (text.ends_with('\\')) line += '.';
  Line(line);
}

void Source::Lines(std::string_view code) {
  for (const auto line : std::views::split(code, '\n')) {
    Line(std::string_view(line));
  }
}

void Source::HangingComment(std::string_view text, std::size_t hang) {
  const std::string safe = CommentSafe(text);
  const std::size_t used = indent_ + comment_.size() + 1;
  std::size_t set_in = 0;
  for (std::string_view rest = safe;;) {
    const std::size_t newline = rest.find('\n');
    std::string_view line = rest.substr(0, newline);
    do {
      const std::size_t width = std::max(kLeast, kWidth - used - set_in);
      CommentLine(std::string(set_in, ' ') += CutLine(line, width));
      set_in = hang;
    } while (!line.empty());
    if (newline == std::string_view::npos) return;
    rest.remove_prefix(newline + 1);
  }
}

std::string Source::Value(std::int64_t value, const ParameterType& type) {
  Literal literal = ToLiteral(value, type);
  if (!literal.remark.empty()) Comment(literal.remark);
  return std::move(literal.text);
}

Literal ToLiteral(std::int64_t value, const ParameterType& type) {
  const bool fits =
      value >= type.low &&
      (value < 0 || static_cast<std::uint64_t>(value) <= type.high);
  if (fits) return {fmt::format("{}", value), ""};
  const auto bits = static_cast<std::uint64_t>(value);
  std::uint64_t kept = bits;
  if (type.bits < 64) kept &= (std::uint64_t{1} << type.bits) - 1;
  std::string passed = fmt::format("{}", kept);
  if (type.low < 0 && kept > type.high) {
    passed = fmt::format("{}", static_cast<std::int64_t>(
                                   kept - (std::uint64_t{1} << type.bits)));
  }
  return {fmt::format("static_cast<{}>({})", type.name, SignedLiteral(value)),
          fmt::format("the case has {}; {} makes {} of it", value, type.name,
                      passed)};
}

std::string SignedLiteral(std::int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807LL - 1)";
  const bool wide = value > INT32_MAX || value < -INT32_MAX;
  const std::string text = fmt::format("{}{}", value, wide ? "LL" : "");
  return value < 0 ? "(" + text + ")" : text;
}

std::string HexWord(std::uint64_t word) {
  return fmt::format("0x{:016x}ULL", word);
}

}  // namespace lanediff::exports
