#pragma once

#include <cstdint>
#include <span>

#include "oracle/listing.h"

/// Elements in memory, little endian. All bytes must lie inside the memory.
namespace lanediff::oracle {

/// The `bytes` bytes from `at` on, as the low bits of a word.
inline std::uint64_t Load(std::span<const std::uint8_t> memory, Address at,
                          std::int64_t bytes) {
  const std::uint8_t* const byte =
      memory.data() + static_cast<std::int64_t>(at);
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < bytes; ++i) {
    bits |= std::uint64_t{byte[i]} << (8 * i);
  }
  return bits;
}

/// Writes the low `bytes` bytes of `bits` to `at`.
inline void Store(std::span<std::uint8_t> memory, Address at,
                  std::int64_t bytes, std::uint64_t bits) {
  std::uint8_t* const byte = memory.data() + static_cast<std::int64_t>(at);
  for (std::int64_t i = 0; i < bytes; ++i) {
    byte[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
}

}  // namespace lanediff::oracle
