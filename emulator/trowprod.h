#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// Where a legal call reads and writes, in bytes of the Unified Buffer: row i
/// begins at `src + i * src_row_stride`, its columns without gaps.
struct TrowprodPlan {
  isa::DType dtype = isa::DType::kFloat;
  isa::Order order = isa::Order::kDocumented;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t src = 0;
  std::int64_t src_row_stride = 0;
  std::int64_t dst = 0;
  std::int64_t dst_row_stride = 0;
  bool saturation = true;
};

/// The product of one row, as bits of the element type.
using TrowprodKernel = std::uint32_t (*)(const TrowprodPlan& plan,
                                         std::int64_t row,
                                         std::span<const std::uint8_t> ub);

/// One kernel for each order, in the order of `isa::Order`.
using TrowprodKernels = std::array<TrowprodKernel, isa::kCount<isa::Order>>;

/// Kernel and write-back of all rows at once, for a legal plan of which each
/// row lies in `ub` up to a multiple of 32 bytes. Never `Path::kPlain`.
using TrowprodVectors = Path (*)(const TrowprodPlan& plan,
                                 std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
struct TrowprodSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::Call& call, const State& state);
  TrowprodPlan (*plan)(const isa::Call& call, const State& state);
  TrowprodKernels half_kernels;
  TrowprodKernels float_kernels;
  TrowprodKernels int16_kernels;  ///< no vectors for integers
  TrowprodKernels int32_kernels;
  void (*write_back)(const TrowprodPlan& plan, std::int64_t row,
                     std::uint32_t bits, std::span<std::uint8_t> ub);
  /// In the place of kernel and write-back, where not null.
  TrowprodVectors vectors = nullptr;
};

/// The plain implementation.
extern const TrowprodSeams kTrowprod;

/// The reject rules that the call breaks, in closed form.
isa::RuleSet TrowprodLegality(const isa::Call& call, const State& state);

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::Call& call, const TrowprodSeams& seams,
                    State& state);

}  // namespace lanediff::emulator
