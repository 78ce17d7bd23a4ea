#include "audit/plain_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace lanediff::audit {
namespace {

struct Lead {
  unsigned char low, high;                ///< of the first byte
  std::size_t more;                       ///< bytes behind it
  unsigned char second_low, second_high;  ///< of the one after it
};
/// The well-formed sequences of RFC 3629; neither overlong nor surrogates.
constexpr std::array<Lead, 9> kLeads = {{{0x20, 0x7e, 0, 0, 0},
                                         {0xc2, 0xdf, 1, 0x80, 0xbf},
                                         {0xe0, 0xe0, 2, 0xa0, 0xbf},
                                         {0xe1, 0xec, 2, 0x80, 0xbf},
                                         {0xed, 0xed, 2, 0x80, 0x9f},
                                         {0xee, 0xef, 2, 0x80, 0xbf},
                                         {0xf0, 0xf0, 3, 0x90, 0xbf},
                                         {0xf1, 0xf3, 3, 0x80, 0xbf},
                                         {0xf4, 0xf4, 3, 0x80, 0x8f}}};

/// Bytes of the character at the start of `text`; 0 where there is none.
std::size_t CharacterAt(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const auto lead = std::ranges::find_if(kLeads, [&](const Lead& l) {
    return l.low <= byte(0) && byte(0) <= l.high;
  });
  if (lead == kLeads.end() || lead->more >= text.size()) return 0;
  for (std::size_t i = 1; i <= lead->more; ++i) {
    const unsigned char low = i == 1 ? lead->second_low : 0x80;
    const unsigned char high = i == 1 ? lead->second_high : 0xbf;
    if (byte(i) < low || byte(i) > high) return 0;
  }
  return lead->more + 1;
}

}  // namespace

bool IsPlainText(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = CharacterAt(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace lanediff::audit
