#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "emulator/emulator.h"

/// For tests: programs on random memories, with and without vectors.
namespace lanediff::emulator {

using RandomWords = std::mt19937_64;

/// One of `low` to `high`.
std::int64_t Draw(RandomWords& random, std::int64_t low, std::int64_t high);

inline constexpr std::int64_t kSampleBytes = 24576;  ///< of a Unified Buffer

/// From `at` to the end of those bytes.
isa::Operand WindowFrom(std::int64_t at);

/// A memory of halves or floats of one kind: small numbers, numbers whose sums
/// or products overflow, subnormal ones, special ones, any bits, or all of
/// these.
std::vector<std::uint8_t> RandomMemory(RandomWords& random, isa::DType type,
                                       std::size_t bytes = kSampleBytes);

/// What a program leaves in a Unified Buffer.
struct Left {
  isa::StepResult last;
  std::vector<std::uint8_t> ub;
  PathCounts paths;
};

/// Runs `program` until a step is rejected.
Left RunOn(const Seams& seams, const std::vector<isa::Step>& program,
           std::vector<std::uint8_t> ub);

/// A program to be run on a memory of `bytes` of `dtype`.
struct Sample {
  std::vector<isa::Step> program = {};
  isa::DType dtype = isa::DType::kHalf;
  std::size_t bytes = kSampleBytes;
  std::optional<Path> path = {};  ///< where vectors are to go; none: to any
  bool legal = false;             ///< surely
};

/// Runs `count` samples on every target that runs here: each leaves what the
/// plain seams leave. Of each target, at least so many samples must go each
/// way.
struct LeastPaths {
  std::uint64_t contiguous, strided, masked;
};
void ExpectSameLeft(std::uint64_t seed, int count,
                    Sample (*draw)(RandomWords& random), LeastPaths least);

}  // namespace lanediff::emulator
