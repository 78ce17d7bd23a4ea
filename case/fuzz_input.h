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

/// First byte of an encoding: of a case of the newest edition; one more where
/// two bytes follow that say what lint asks. Later versions append; they don't
/// renumber. Any other first byte is read like this one.
inline constexpr std::uint8_t kFuzzInputVersion = 3;
/// The same of a case of edition 2024, which were the only ones once.
inline constexpr std::uint8_t kFuzzInputVersion2024 = 1;

/// The version without lint facts of the one that begins with `byte`, which may
/// be any.
constexpr std::uint8_t PlainFuzzInputVersion(int byte) {
  return byte == kFuzzInputVersion2024 || byte == kFuzzInputVersion2024 + 1
             ? kFuzzInputVersion2024
             : kFuzzInputVersion;
}
/// Whether an input that begins with this byte is one of today's.
constexpr bool IsFuzzInputVersion(int byte) {
  const int plain = PlainFuzzInputVersion(byte);
  return byte == plain || byte == plain + 1;
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
