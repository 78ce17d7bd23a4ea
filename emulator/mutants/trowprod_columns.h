#pragma once

#include <cstring>
#include <vector>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/plant.h"

/// Columns, products and real kernels of TROWPROD, for kernels of its mutants.
namespace lanediff::mutants::trowprod {

using emulator::HalfToFloat;
using emulator::kTrowprod;
using isa::Order;
using Kernel = emulator::TrowprodKernel;
using Plan = emulator::TrowprodPlan;
using Row = emulator::TrowprodSeams;
using Ub = std::span<const std::uint8_t>;
using H = std::uint16_t;
using F = std::uint32_t;

/// The real emulator with one kernel of `kernels` replaced.
inline Mutant Multiplied(const Label& label,
                         emulator::TrowprodKernels Row::* kernels, Order order,
                         Kernel kernel) {
  emulator::TrowprodKernels changed = kTrowprod.*kernels;
  changed[static_cast<std::size_t>(order)] = kernel;
  return Plant(isa::Trowprod::kSlug, &emulator::Seams::trowprod, kernels,
               changed, label);
}

inline Mutant OfHalf(const Label& label, Order order, Kernel kernel) {
  return Multiplied(label, &Row::half_kernels, order, kernel);
}

inline Mutant OfFloat(const Label& label, Order order, Kernel kernel) {
  return Multiplied(label, &Row::float_kernels, order, kernel);
}

inline Kernel RealHalf(Order order) {
  return kTrowprod.half_kernels[static_cast<std::size_t>(order)];
}

inline Kernel RealFloat(Order order) {
  return kTrowprod.float_kernels[static_cast<std::size_t>(order)];
}

template <class Bits>
inline constexpr std::size_t kLanes = 256 / sizeof(Bits);

template <class Bits>
inline constexpr Bits kOne = sizeof(Bits) == 2 ? 0x3c00u : 0x3f800000u;

template <class Bits>
using Columns = std::vector<Bits>;

template <class Bits>
Columns<Bits> ColumnsOf(const Plan& plan, std::int64_t row, Ub ub) {
  Columns<Bits> columns(static_cast<std::size_t>(plan.cols));
  std::int64_t at = plan.src + row * plan.src_row_stride;
  for (Bits& column : columns) {
    column = emulator::Load<Bits>(ub, at);
    at += static_cast<std::int64_t>(sizeof(Bits));
  }
  return columns;
}

/// What the real kernel makes of other columns.
template <class Bits>
F RealOn(const Columns<Bits>& columns, Order order, bool saturation) {
  std::vector<std::uint8_t> bytes(columns.size() * sizeof(Bits));
  std::memcpy(bytes.data(), columns.data(), bytes.size());
  const Plan plan = {.rows = 1,
                     .cols = static_cast<std::int64_t>(columns.size()),
                     .saturation = saturation};
  const Kernel kernel = sizeof(Bits) == 2 ? RealHalf(order) : RealFloat(order);
  return kernel(plan, 0, bytes);
}

inline H Multiply(H a, H b, bool saturation) {
  return Saturated(emulator::FloatToHalf(HalfToFloat(a) * HalfToFloat(b)),
                   saturation);
}
inline F Multiply(F a, F b, bool) { return Canonical(FloatOf(a) * FloatOf(b)); }

}  // namespace lanediff::mutants::trowprod
