#include "emulator/min.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "emulator/block_range.h"
#include "emulator/half.h"
#include "emulator/min_legality.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::min;
using isa::DType;
using isa::Min;

// ---- Address plan -----------------------------------------------------------

/// The mask that a masked call sets, or finds in the register.
LaneMask MaskOf(const Min& call, const State& state) {
  if (!call.is_set_mask) return state.mask_register;
  if (call.form == Min::kContiguous) return LaneMask::First(call.mask);
  return {.low = call.mask_words[0], .high = call.mask_words[1]};
}

VectorOperand OperandOf(std::int64_t at, std::int64_t blk_stride_blocks,
                        std::int64_t rep_stride_blocks) {
  return {.at = at,
          .block_stride = blk_stride_blocks * kBlockBytes,
          .repeat_stride = rep_stride_blocks * kBlockBytes};
}

/// Iterations of 256 bytes without gaps, the last one perhaps not full.
void LayOutCount(const Min& call, MinPlan& plan) {
  const std::int64_t lanes = kIterationBytes / ElementBytes(call.dtype);
  plan.iterations = (call.count + lanes - 1) / lanes;
  plan.lanes = LaneMask::First(lanes);
  if (plan.iterations > 0) {
    plan.last_lanes =
        LaneMask::First(call.count - (plan.iterations - 1) * lanes);
  }
  plan.dst = OperandOf(call.dst.at, 1, kBlocksPerIteration);
  plan.src0 = OperandOf(call.src0.at, 1, kBlocksPerIteration);
  plan.src1 = OperandOf(call.src1.at, 1, kBlocksPerIteration);
}

void LayOutRepeats(const Min& call, const State& state, MinPlan& plan) {
  LaneMask lanes = MaskOf(call, state);
  if (ElementBytes(call.dtype) == 4) lanes.high = 0;  // STATE-MASK-REGISTER
  const isa::BinaryRepeatParams& p = call.repeat_params;
  plan.iterations = lanes.empty() ? 0 : call.repeat_times;
  plan.lanes = lanes;
  plan.last_lanes = lanes;
  plan.dst = OperandOf(call.dst.at, p.dst_blk_stride, p.dst_rep_stride);
  plan.src0 = OperandOf(call.src0.at, p.src0_blk_stride, p.src0_rep_stride);
  plan.src1 = OperandOf(call.src1.at, p.src1_blk_stride, p.src1_rep_stride);
}

// ---- Kernels ----------------------------------------------------------------

/// The smaller of two floating values as bits, -0 below +0; a NaN wins and
/// becomes `kNan`. `kInf` are the bits of infinity.
template <class Bits, Bits kInf, Bits kNan>
Bits SmallerFloating(Bits a, Bits b) {
  constexpr Bits kSign = std::numeric_limits<Bits>::max() / 2 + 1;
  constexpr Bits kMagnitude = kSign - 1;
  if ((a & kMagnitude) > kInf || (b & kMagnitude) > kInf) return kNan;
  // Bits in the order of the values: negative ones are turned round.
  const auto key = [](Bits x) {
    return static_cast<Bits>((x & kSign) != 0 ? ~x : x | kSign);
  };
  return key(b) < key(a) ? b : a;
}

std::uint16_t SmallerHalf(std::uint16_t a, std::uint16_t b, bool saturation) {
  const auto min = SmallerFloating<std::uint16_t, 0x7c00u, 0x7e00u>(a, b);
  return saturation ? SaturateHalf(min) : min;
}

std::uint32_t SmallerFloat(std::uint32_t a, std::uint32_t b, bool) {
  return SmallerFloating<std::uint32_t, 0x7f800000u, 0x7fc00000u>(a, b);
}

template <class Int>
Int SmallerInteger(Int a, Int b, bool) {
  return std::min(a, b);
}

template <class T, auto Smaller>
void MinOfLanes(const MinPlan& plan, std::int64_t iteration,
                std::span<const std::uint8_t> ub, MinLanes& result) {
  constexpr int kLanesPerBlock = static_cast<int>(kBlockBytes / sizeof(T));
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const int first = block * kLanesPerBlock;
    const std::int64_t a = plan.src0.BlockAt(iteration, block);
    const std::int64_t b = plan.src1.BlockAt(iteration, block);
    std::uint64_t lanes = plan.LanesOf(iteration).Slice(first, kLanesPerBlock);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int offset = std::countr_zero(lanes) * static_cast<int>(sizeof(T));
      const T smaller = Smaller(Load<T>(ub, a + offset),
                                Load<T>(ub, b + offset), plan.saturation);
      Store(std::span<std::uint8_t>(result), block * kBlockBytes + offset,
            smaller);
    }
  }
}

// ---- Write-back -------------------------------------------------------------

template <class Bits>
void StoreLanes(const MinPlan& plan, std::int64_t iteration,
                const MinLanes& result, std::span<std::uint8_t> ub) {
  constexpr int kLanesPerBlock = static_cast<int>(kBlockBytes / sizeof(Bits));
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const std::int64_t at = plan.dst.BlockAt(iteration, block);
    std::uint64_t lanes =
        plan.LanesOf(iteration).Slice(block * kLanesPerBlock, kLanesPerBlock);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int offset =
          std::countr_zero(lanes) * static_cast<int>(sizeof(Bits));
      Store(ub, at + offset, Load<Bits>(result, block * kBlockBytes + offset));
    }
  }
}

void WriteBack(const MinPlan& plan, std::int64_t iteration,
               const MinLanes& result, std::span<std::uint8_t> ub) {
  if (ElementBytes(plan.dtype) == 2) {
    StoreLanes<std::uint16_t>(plan, iteration, result, ub);
  } else {
    StoreLanes<std::uint32_t>(plan, iteration, result, ub);
  }
}

// ---- The four in a row ------------------------------------------------------

MinKernel KernelOf(const MinSeams& seams, DType type) {
  switch (type) {
    case DType::kHalf:
      return seams.half_kernel;
    case DType::kInt16:
      return seams.int16_kernel;
    case DType::kInt32:
      return seams.int32_kernel;
    default:
      return seams.float_kernel;
  }
}

/// Whether the whole DataBlocks that a legal call touches lanes of lie in a
/// memory of `size` bytes.
bool BlocksInside(const MinPlan& plan, std::size_t size) {
  const auto lanes = static_cast<int>(kBlockBytes / ElementBytes(plan.dtype));
  const BlockSet blocks = BlocksOf(plan.LanesOf(0), lanes);
  const auto inside = [&](const VectorOperand& operand) {
    return RangeOf(operand, blocks, plan.iterations).Inside(size);
  };
  return inside(plan.dst) && inside(plan.src0) && inside(plan.src1);
}

Path RunIterations(const MinPlan& plan, const MinSeams& seams,
                   std::span<std::uint8_t> ub) {
  if (seams.vectors != nullptr && BlocksInside(plan, ub.size())) {
    return seams.vectors(plan, ub);
  }
  const MinKernel kernel = KernelOf(seams, plan.dtype);
  MinLanes lanes;
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    kernel(plan, r, ub, lanes);
    seams.write_back(plan, r, lanes, ub);
  }
  return Path::kPlain;
}

}  // namespace

MinPlan PlanMin(const Min& call, const State& state) {
  MinPlan plan;
  plan.dtype = call.dtype;
  plan.saturation = state.saturation;
  if (call.form == Min::kCount) {
    LayOutCount(call, plan);
  } else {
    LayOutRepeats(call, state, plan);
  }
  return plan;
}

constinit const MinSeams kMin = {
    .legality = MinLegality,
    .plan = PlanMin,
    .half_kernel = MinOfLanes<std::uint16_t, SmallerHalf>,
    .float_kernel = MinOfLanes<std::uint32_t, SmallerFloat>,
    .int16_kernel = MinOfLanes<std::int16_t, SmallerInteger<std::int16_t>>,
    .int32_kernel = MinOfLanes<std::int32_t, SmallerInteger<std::int32_t>>,
    .write_back = WriteBack};

isa::StepResult Run(const Min& call, const MinSeams& seams, State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const MinPlan plan = seams.plan(call, state);
  if (plan.iterations > 0) {
    state.paths.Count(
        RunIterations(plan, seams, state.memories[isa::Memory::kUb]));
  }

  if (call.form != Min::kCount) {
    // Without isSetMask this leaves the register as it is.
    state.mask_register = MaskOf(call, state);
  } else if (call.count > 0) {
    state.mask_register = LaneMask::First(128);
    result.notes.Add(rule::kClobbersMask);
  }
  result.notes.AddIf(plan.iterations == 0, rule::kNop);
  return result;
}

}  // namespace lanediff::emulator
