#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanediff {

/// FNV-1a, 64 bits, of what is added piece by piece.
class ContentHasher {
 public:
  void Add(std::span<const std::uint8_t> bytes);
  void Add(std::string_view text);

  std::uint64_t Number() const { return hash_; }
  std::string Text() const;  ///< sixteen hex digits

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Of every byte of `text`, as `ContentHasher` has it.
std::string TextHash(std::string_view text);

}  // namespace lanediff
