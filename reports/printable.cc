#include "reports/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

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

}  // namespace

std::string InOneLine(std::string_view text) { return Escaped(text, IsShown); }

std::string InLines(std::string_view text) {
  return Escaped(text, [](std::uint32_t code) {
    return code == '\n' || code == '\t' || IsShown(code);
  });
}

std::string ForXml(std::string_view text) { return InLines(text); }

std::string HtmlText(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace lanediff::reports
