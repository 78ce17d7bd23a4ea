#pragma once

#include <cstdint>
#include <span>

#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// Where a legal call reads and writes. Addresses and strides are bytes of the
/// Unified Buffer; iteration r starts at `src + r * src_repeat_stride`.
struct ReduceSumPlan {
  isa::DType dtype = isa::DType::kHalf;
  std::int64_t repeats = 0;
  LaneMask lanes;
  std::int64_t src = 0;
  std::int64_t src_block_stride = 0;
  std::int64_t src_repeat_stride = 0;
  std::int64_t dst = 0;
  std::int64_t dst_repeat_stride = 0;
  bool saturation = true;
};

/// The sum of one iteration, as bits of the element type. `lanes` is not empty.
using ReduceSumKernel = std::uint32_t (*)(const ReduceSumPlan& plan,
                                          std::int64_t iteration,
                                          std::span<const std::uint8_t> ub);

/// Kernel and write-back of all iterations at once, for a legal plan that has
/// iterations and lanes and whose source DataBlocks lie in `ub`. Never
/// `Path::kPlain`.
using ReduceSumVectors = Path (*)(const ReduceSumPlan& plan,
                                  std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
struct RepeatReduceSumSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::RepeatReduceSum& call,
                           const State& state);
  ReduceSumPlan (*plan)(const isa::RepeatReduceSum& call, const State& state);
  ReduceSumKernel half_kernel;
  ReduceSumKernel float_kernel;
  void (*write_back)(const ReduceSumPlan& plan, std::int64_t iteration,
                     std::uint32_t bits, std::span<std::uint8_t> ub);
  /// In the place of kernel and write-back, where not null.
  ReduceSumVectors vectors = nullptr;
};

/// The plain implementation.
extern const RepeatReduceSumSeams kRepeatReduceSum;

/// Executes `call` on `state`, or changes nothing and says which rules it
/// breaks.
isa::StepResult Run(const isa::RepeatReduceSum& call,
                    const RepeatReduceSumSeams& seams, State& state);

}  // namespace lanediff::emulator
