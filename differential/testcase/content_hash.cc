#include "differential/testcase/content_hash.h"

#include <fmt/format.h>

namespace lanediff {

void ContentHasher::Add(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3;
}

void ContentHasher::Add(std::string_view text) {
  Add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string ContentHasher::Text() const {
  return fmt::format("{:016x}", hash_);
}

std::string TextHash(std::string_view text) {
  ContentHasher hasher;
  hasher.Add(text);
  return hasher.Text();
}

}  // namespace lanediff
