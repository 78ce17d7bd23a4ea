#pragma once

#include <optional>
#include <vector>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/reduce_sum.h"

/// Leaves and nodes of sums, for kernels of their mutants.
namespace lanediff::mutants::reduce_sum {

using emulator::FloatToHalf;
using emulator::HalfToFloat;
using Plan = emulator::ReduceSumPlan;
using Ub = std::span<const std::uint8_t>;
using H = std::uint16_t;
using F = std::uint32_t;

template <class Call>
Mutant OfHalf(const Label& label, emulator::ReduceSumKernel kernel) {
  return PlantedIn<Call>(&emulator::ReduceSumSeams<Call>::half_kernel, kernel,
                         label);
}

template <class Call>
Mutant OfFloat(const Label& label, emulator::ReduceSumKernel kernel) {
  return PlantedIn<Call>(&emulator::ReduceSumSeams<Call>::float_kernel, kernel,
                         label);
}

/// The lanes of one iteration; nothing where a lane takes no part.
template <class Bits>
using Leaves = std::vector<std::optional<Bits>>;

template <class Bits>
Leaves<Bits> LeavesOf(const Plan& plan, std::int64_t iteration, Ub ub) {
  constexpr int kPerBlock = 32 / sizeof(Bits);
  Leaves<Bits> leaves;
  for (int block = 0; block < 8; ++block) {
    const std::int64_t at = plan.src + iteration * plan.src_repeat_stride +
                            block * plan.src_block_stride;
    const std::uint64_t lanes = plan.lanes.Slice(block * kPerBlock, kPerBlock);
    for (int lane = 0; lane < kPerBlock; ++lane) {
      leaves.push_back(std::nullopt);
      if ((lanes >> lane & 1) == 0) continue;
      leaves.back() = emulator::Load<Bits>(
          ub, at + lane * static_cast<std::int64_t>(sizeof(Bits)));
    }
  }
  return leaves;
}

template <class T, class Add>
std::optional<T> Node(std::optional<T> a, std::optional<T> b, Add add) {
  if (a && b) return add(*a, *b);
  return a ? a : b;
}

/// As documented: neighbours, then neighbours of the results. Nothing where no
/// lane takes part.
template <class T, class Add>
std::optional<T> Tree(Leaves<T> leaves, Add add) {
  for (std::size_t width = leaves.size() / 2; width >= 1; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) {
      leaves[i] = Node(leaves[2 * i], leaves[2 * i + 1], add);
    }
  }
  return leaves[0];
}

inline H AddHalf(H a, H b, bool saturation) {
  return Saturated(FloatToHalf(HalfToFloat(a) + HalfToFloat(b)), saturation);
}

inline F AddFloat(F a, F b) { return Canonical(FloatOf(a) + FloatOf(b)); }

}  // namespace lanediff::mutants::reduce_sum
