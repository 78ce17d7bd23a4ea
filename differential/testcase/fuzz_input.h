#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/content_hash.h"  // IWYU pragma: export

/// The fuzzers' input: a case in few bytes (docs/case-format.md). Decoding is
/// total: any bytes are a case. It is the inverse of encoding for everything
/// that is executed; id, note, expectation, origin and requirement are not
/// encoded.
namespace lanediff {

/// First byte of an encoding: what follows, and of which edition the case is.
/// Later versions append; they don't renumber. Any other first byte is read
/// like `kFuzzInputVersion`.
inline constexpr std::uint8_t kFuzzInputVersion = 3;
/// Two bytes follow with the facts for lint.
inline constexpr std::uint8_t kFuzzInputWithLintFacts = 4;
/// The same of a program that has steps of kernels, too.
inline constexpr std::uint8_t kFuzzInputWithKernelSteps = 6;
/// The same of a program that has steps of any kind.
inline constexpr std::uint8_t kFuzzInputWithAllSteps = 8;
/// The same four of edition 2024 are 1, 2, 5 and 7.
inline constexpr std::uint8_t kFuzzInputVersion2024 = 1;
/// Whether an input that begins with this byte is one of today's.
constexpr bool IsFuzzInputVersion(int byte) {
  return byte >= kFuzzInputVersion2024 && byte <= kFuzzInputWithAllSteps;
}

/// A memory larger than this has no encoding, so that no input is slow.
inline constexpr std::int64_t kMaxFuzzMemoryBytes = std::int64_t{4} << 20;
inline constexpr std::size_t kMaxFuzzSteps = 64;

/// The case that `bytes` mean. Its id is made from the bytes.
Case DecodeFuzzInput(std::span<const std::uint8_t> bytes);

/// The bytes that mean `c`; the error names which limit it exceeds.
std::expected<std::vector<std::uint8_t>, std::string> EncodeFuzzInput(
    const Case& c);

}  // namespace lanediff
