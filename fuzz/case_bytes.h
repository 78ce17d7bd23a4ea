#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "case/case.h"
#include "make/random.h"

/// The bytes that libFuzzer keeps, of cases (case/fuzz_input.h).
namespace lanediff::fuzz {

/// False where `bytes` are of another version than ours: the same bytes would
/// mean another case.
bool IsOurs(std::span<const std::uint8_t> bytes);

/// Writes `c` to the front of `out` and returns its size; 0 if it has no room
/// there.
std::size_t Encode(const Case& c, std::span<std::uint8_t> out);

/// Encodes a case that has steps of both.
std::size_t Cross(make::Random& random, std::span<const std::uint8_t> first,
                  std::span<const std::uint8_t> second,
                  std::span<std::uint8_t> out);

}  // namespace lanediff::fuzz
