#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanediff {

/// FNV-1a, 64 bits, of what is added piece by piece.
class ContentHasher {
 public:
  void Add(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) {
      hash_ = (hash_ ^ byte) * 0x100000001b3;
    }
  }
  void Add(std::string_view text) {
    Add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }

  std::uint64_t Number() const { return hash_; }
  std::string Text() const;  ///< sixteen hex digits

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Sixteen hex digits that depend on every byte.
inline std::string ContentHash(std::span<const std::uint8_t> bytes) {
  ContentHasher hasher;
  hasher.Add(bytes);
  return hasher.Text();
}
inline std::string TextHash(std::string_view text) {
  ContentHasher hasher;
  hasher.Add(text);
  return hasher.Text();
}

}  // namespace lanediff
