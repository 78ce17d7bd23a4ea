#pragma once

#include <algorithm>
#include <cstdint>

#include "emulator/address.h"
#include "emulator/elementwise_values.h"
#include "emulator/mutants/elementwise.h"
#include "emulator/mutants/floats.h"

/// What kernels of element-wise mutants are made with.
namespace lanediff::mutants {

using H = std::uint16_t;
using F = std::uint32_t;

/// What the documents want of two elements.
template <isa::Elementwise Call>
using RealValue = emulator::ElementwiseValue<Call>;

/// A kernel that puts `Value(a, b, saturation)` into each lane.
template <class T, class Value>
auto KernelOf(Value) {
  return
      [](const emulator::ElementwisePlan& plan, std::int64_t r,
         std::span<const std::uint8_t> ub, emulator::ElementwiseLanes& result) {
        constexpr int kPerBlock = 32 / sizeof(T);
        for (int lane = 0; lane < kPerBlock * 8; ++lane) {
          if (plan.LanesOf(r).Slice(lane, 1) == 0) continue;
          const int block = lane / kPerBlock;
          const auto byte = lane % kPerBlock * static_cast<int>(sizeof(T));
          const T a = emulator::Load<T>(ub, plan.src0.BlockAt(r, block) + byte);
          const T b = emulator::Load<T>(ub, plan.src1.BlockAt(r, block) + byte);
          emulator::Store(std::span<std::uint8_t>(result), block * 32 + byte,
                          static_cast<T>(Value{}(a, b, plan.saturation)));
        }
      };
}

template <class Call, class Value>
Mutant OfHalf(const Label& label, Value value) {
  return PlantedIn<Call>(&emulator::ElementwiseSeams<Call>::half_kernel,
                         KernelOf<H>(value), label);
}
template <class Call, class Value>
Mutant OfFloat(const Label& label, Value value) {
  return PlantedIn<Call>(&emulator::ElementwiseSeams<Call>::float_kernel,
                         KernelOf<F>(value), label);
}
template <class Call, class Value>
Mutant OfInt16(const Label& label, Value value) {
  return PlantedIn<Call>(&emulator::ElementwiseSeams<Call>::int16_kernel,
                         KernelOf<std::int16_t>(value), label);
}
template <class Call, class Value>
Mutant OfInt32(const Label& label, Value value) {
  return PlantedIn<Call>(&emulator::ElementwiseSeams<Call>::int32_kernel,
                         KernelOf<std::int32_t>(value), label);
}

inline bool IsNan(H half) { return (half & 0x7fffu) > 0x7c00u; }
inline bool IsNan(F bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

/// Kernels wrong in what only calls with results of their own do: they round
/// and overflow.
Table ElementwiseResultKernels();

}  // namespace lanediff::mutants
