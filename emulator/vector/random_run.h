#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "emulator/emulator.h"

/// For tests: programs on random memories, with and without vectors.
namespace lanediff::emulator {

using RandomWords = std::mt19937_64;

/// One of `low` to `high`.
std::int64_t Draw(RandomWords& random, std::int64_t low, std::int64_t high);

/// A memory of halves or floats of one kind: small numbers, numbers whose sums
/// or products overflow, subnormal ones, special ones, any bits, or all of
/// these.
std::vector<std::uint8_t> RandomMemory(RandomWords& random, isa::DType type,
                                       std::size_t bytes);

/// What a program leaves in a Unified Buffer.
struct Left {
  isa::StepResult last;
  std::vector<std::uint8_t> ub;
  PathCounts paths;
};

/// Runs `program` until a step is rejected.
Left RunOn(const Seams& seams, const std::vector<isa::Step>& program,
           std::vector<std::uint8_t> ub);

/// Where two memories differ first; empty if nowhere.
std::string Difference(const std::vector<std::uint8_t>& a,
                       const std::vector<std::uint8_t>& b);

}  // namespace lanediff::emulator
