#pragma once

#include <cstdint>
#include <span>

#include "oracle/listing.h"

/// Elements in memory, little endian. All bytes must lie inside the memory.
namespace lanediff::oracle {

/// The `bytes` bytes from `at` on, as the low bits of a word.
std::uint64_t Load(std::span<const std::uint8_t> memory, Address at,
                   std::int64_t bytes);

/// Writes the low `bytes` bytes of `bits` to `at`.
void Store(std::span<std::uint8_t> memory, Address at, std::int64_t bytes,
           std::uint64_t bits);

}  // namespace lanediff::oracle
