#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "case/case.h"

/// The fuzzers' input: a case in few bytes (docs/fuzz-input.md). Decoding is
/// total: any bytes are a case. It is the inverse of encoding for everything
/// that is executed; id, note, expectation, origin and requirement are not
/// encoded.
namespace lanediff {

/// First byte of every encoding. Later versions append; they don't renumber.
inline constexpr std::uint8_t kFuzzInputVersion = 1;
/// First byte where two bytes follow that say what lint asks; every other is
/// read like `kFuzzInputVersion`.
inline constexpr std::uint8_t kFuzzInputWithLintFacts = 2;
/// Whether an input that begins with this byte is one of today's.
constexpr bool IsFuzzInputVersion(int byte) {
  return byte == kFuzzInputVersion || byte == kFuzzInputWithLintFacts;
}

/// A memory larger than this has no encoding, so that no input is slow.
inline constexpr std::int64_t kMaxFuzzMemoryBytes = std::int64_t{4} << 20;
inline constexpr std::size_t kMaxFuzzSteps = 64;

/// The case that `bytes` mean. Its id is made from the bytes.
Case DecodeFuzzInput(std::span<const std::uint8_t> bytes);

/// The bytes that mean `c`; the error says which limit it exceeds.
std::expected<std::vector<std::uint8_t>, std::string> EncodeFuzzInput(
    const Case& c);

/// Sixteen hex digits that depend on every byte (FNV-1a).
std::string ContentHash(std::span<const std::uint8_t> bytes);

}  // namespace lanediff
