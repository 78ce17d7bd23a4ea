#include "reports/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace lanediff::reports {
namespace {

struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = false;  ///< else it is one byte that is no UTF-8
};

Character First(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(text[i])};
  };
  const Character wrong{.bytes = 1, .code = byte(0), .valid = false};
  if (byte(0) < 0x80) return {.bytes = 1, .code = byte(0), .valid = true};
  const std::size_t bytes = byte(0) >= 0xf5   ? 0
                            : byte(0) >= 0xf0 ? 4
                            : byte(0) >= 0xe0 ? 3
                            : byte(0) >= 0xc2 ? 2
                                              : 0;
  if (bytes == 0 || text.size() < bytes) return wrong;
  std::uint32_t code = byte(0) & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return wrong;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[bytes] || surrogate || code > 0x10ffff) return wrong;
  return {.bytes = bytes, .code = code, .valid = true};
}

bool IsControl(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/// Embeddings, overrides and isolates, and what ends a line.
bool TurnsText(std::uint32_t code) {
  return (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;
}

bool IsNoCharacter(std::uint32_t code) {
  return code == 0xfffe || code == 0xffff;
}

std::string Escape(const Character& c) {
  if (c.code == '\n') return "\\n";
  if (c.code == '\t') return "\\t";
  if (c.code == '\r') return "\\r";
  return c.code < 0x80 || !c.valid ? fmt::format("\\x{:02x}", c.code)
                                   : fmt::format("\\u{:04x}", c.code);
}

template <class Allowed>
std::string Escaped(std::string_view text, const Allowed& allowed) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character c = First(text);
    if (c.valid && allowed(c.code)) {
      shown += text.substr(0, c.bytes);
    } else {
      shown += Escape(c);
    }
    text.remove_prefix(c.bytes);
  }
  return shown;
}

bool IsShown(std::uint32_t code) {
  return !IsControl(code) && !TurnsText(code) && !IsNoCharacter(code);
}

/// For what can't be shown in a line as it is.
std::string BashWord(const std::string& text) {
  std::string word = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      word += fmt::format("\\{:03o}", byte);
    } else {
      word += c == '\\' || c == '\'' ? std::string{'\\', c} : std::string{c};
    }
  }
  return word + "'";
}

}  // namespace

std::string InOneLine(std::string_view text) { return Escaped(text, IsShown); }

std::string InLines(std::string_view text) {
  return Escaped(text, [](std::uint32_t code) {
    return code == '\n' || code == '\t' || IsShown(code);
  });
}

std::string HtmlText(std::string_view text) {
  constexpr std::pair<char, std::string_view> kEscapes[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string escaped;
  escaped.reserve(text.size());
  for (char c : text) {
    const auto* const escape = std::ranges::find(
        kEscapes, c, &std::pair<char, std::string_view>::first);
    if (escape == std::end(kEscapes)) {
      escaped += c;
    } else {
      escaped += escape->second;
    }
  }
  return escaped;
}

std::string InAddress(std::string_view text, std::string_view plain) {
  std::string address;
  for (const char c : text) {
    const bool stays = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
                       ('0' <= c && c <= '9') || plain.contains(c);
    address += stays ? std::string{c}
                     : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

std::string ShellWord(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/"
      "-:+=,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) {
    return text;
  }
  if (InOneLine(text) != text) return BashWord(text);
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string{c};
  return quoted + "'";
}

}  // namespace lanediff::reports
