#include "emulator/repeat_reduce_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "emulator/address.h"
#include "emulator/block_range.h"
#include "emulator/half.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::rrs;
using isa::DType;
using isa::Product;
using isa::RepeatReduceSum;
using isa::RuleSet;

// ---- Legality ---------------------------------------------------------------

/// Element size, block and repeat geometry of a call that passed stage 1.
struct Geometry {
  std::int64_t element;  // bytes
  int lanes_per_block;
  LaneMask lanes;
  std::int64_t src_block;  // strides in bytes
  std::int64_t src_repeat;
  std::int64_t dst_repeat;
  std::int64_t repeats;
};

LaneMask LanesOf(const RepeatReduceSum& call, const State& state) {
  LaneMask lanes = call.is_set_mask ? LaneMask::First(call.elems_in_one_repeat)
                                    : state.mask_register;
  if (call.dtype != DType::kHalf) lanes.high = 0;
  return lanes;
}

Geometry GeometryOf(const RepeatReduceSum& call, const State& state) {
  const std::int64_t element = ElementBytes(call.dtype);
  return {.element = element,
          .lanes_per_block = static_cast<int>(kBlockBytes / element),
          .lanes = LanesOf(call, state),
          .src_block = call.src_blk_stride * kBlockBytes,
          .src_repeat = call.src_rep_stride * kBlockBytes,
          .dst_repeat = call.dst_rep_stride * element,
          .repeats = call.repeat};
}

RuleSet BrokenParameters(const RepeatReduceSum& c, const State& state) {
  RuleSet broken;
  broken.AddIf(state.product != Product::kAtlasTraining &&
                   state.product != Product::kAtlasInferenceAicore &&
                   state.product != Product::kAtlasA2,
               rule::kProduct);
  broken.AddIf(c.dtype != DType::kHalf && c.dtype != DType::kFloat,
               rule::kDtype);
  broken.AddIf(!TypeIs(c.dst, c.dtype) || !TypeIs(c.src, c.dtype),
               rule::kDtypeMatch);
  broken.AddIf(
      !IsVectorPosition(c.dst.position) || !IsVectorPosition(c.src.position),
      rule::kPosition);
  broken.AddIf(c.dst.at % ElementBytes(c.dtype) != 0, rule::kDstAlign);
  broken.AddIf(c.src.at % kBlockBytes != 0, rule::kSrcAlign);
  broken.AddIf(!InRange(c.repeat, 0, 255), rule::kRepeat);
  const std::int64_t element = ElementBytes(c.dtype);
  if (!c.is_set_mask) {
    broken.AddIf(c.elems_in_one_repeat != 0, rule::kPlaceholder);
  } else if (element == 2 || element == 4) {  // the widths that RRS-ELEMS lists
    broken.AddIf(!InRange(c.elems_in_one_repeat, 1, kIterationBytes / element),
                 rule::kElems);
  }
  constexpr std::int64_t kInt32Min = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
  broken.AddIf(!InRange(c.src_blk_stride, 0, 65535) ||
                   !InRange(c.dst_rep_stride, 0, 65535) ||
                   !InRange(c.src_rep_stride, 0, 65535) ||
                   !InRange(c.dst_blk_stride, kInt32Min, kInt32Max),
               rule::kStrideRange);
  broken.AddIf(
      state.product == Product::kAtlasTraining && c.dst_rep_stride == 0,
      rule::kDstRepStrideZero);
  return broken;
}

/// Bytes from the first to the last one read, none where nothing is read.
Extent SourceExtent(const RepeatReduceSum& call, const Geometry& g) {
  if (g.repeats == 0 || g.lanes.empty()) return {};
  const Extent lanes = LanesExtent(g.lanes, g.element, g.src_block);
  const Wide last = Wide{g.repeats - 1} * g.src_repeat;
  return {call.src.at + lanes.begin, call.src.at + last + lanes.end};
}

Extent DestinationExtent(const RepeatReduceSum& call, const Geometry& g) {
  if (g.repeats == 0 || g.lanes.empty()) return {};
  return {call.dst.at,
          call.dst.at + Wide{g.repeats - 1} * g.dst_repeat + g.element};
}

/// Lane of `block` that starts `offset` bytes into it and takes part, else -1.
int ParticipatingLane(const Geometry& g, int block, std::int64_t offset) {
  if (offset < 0 || offset >= kBlockBytes) return -1;
  const auto lane = static_cast<int>(offset / g.element);
  const std::uint64_t bits =
      g.lanes.Slice(block * g.lanes_per_block, g.lanes_per_block);
  return (bits >> lane & 1) != 0 ? lane : -1;
}

/// RRS-OVERLAP-ITERATION. Relative to the iteration's first block the written
/// element moves by `step` an iteration, so that it passes a block in at most
/// 32 / |step| iterations, which are found by division.
bool OverlapsWithinIteration(const RepeatReduceSum& call, const Geometry& g) {
  const std::int64_t start = call.dst.at - call.src.at;
  const std::int64_t step = g.dst_repeat - g.src_repeat;
  const int lowest = g.lanes.low != 0 ? std::countr_zero(g.lanes.low)
                                      : 64 + std::countr_zero(g.lanes.high);
  const std::int64_t allowed = lowest / g.lanes_per_block * g.src_block +
                               lowest % g.lanes_per_block * g.element;
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const std::int64_t base = block * g.src_block;
    std::int64_t first = 0;
    std::int64_t last = step == 0 ? 0 : g.repeats - 1;
    if (step > 0) {
      first = std::max<std::int64_t>(0, (base - start + step - 1) / step);
      last = std::min(last, (base + kBlockBytes - start) / step);
    } else if (step < 0) {
      first = std::max<std::int64_t>(0, (start - base - kBlockBytes) / -step);
      last = std::min(last, (start - base) / -step);
    }
    for (std::int64_t r = first; r <= last; ++r) {
      const std::int64_t at = start + r * step;
      if (at != allowed && ParticipatingLane(g, block, at - base) >= 0) {
        return true;
      }
    }
  }
  return false;
}

/// RRS-OVERLAP-DEPENDENCY. For each written element and each block, the one
/// later iteration whose block could hold it is found by division.
bool OverlapsLaterIteration(const RepeatReduceSum& call, const Geometry& g) {
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    if (g.lanes.Slice(block * g.lanes_per_block, g.lanes_per_block) == 0) {
      continue;
    }
    std::int64_t offset = call.dst.at - call.src.at - block * g.src_block;
    for (std::int64_t r = 0; r + 1 < g.repeats; ++r, offset += g.dst_repeat) {
      if (offset < 0) continue;
      const std::int64_t reader =
          g.src_repeat == 0 ? r + 1 : offset / g.src_repeat;
      if (reader <= r || reader >= g.repeats) continue;
      if (ParticipatingLane(g, block, offset - reader * g.src_repeat) >= 0) {
        return true;
      }
    }
  }
  return false;
}

RuleSet Legality(const RepeatReduceSum& call, const State& state) {
  RuleSet broken = BrokenParameters(call, state);
  if (!broken.empty()) return broken;

  const Geometry g = GeometryOf(call, state);
  const Extent read = SourceExtent(call, g);
  const Extent written = DestinationExtent(call, g);
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  broken.AddIf(
      OutOfBounds(call.dst, written, ub) || OutOfBounds(call.src, read, ub),
      rule::kBounds);
  if (!broken.empty() || !read.Meets(written)) return broken;

  broken.AddIf(OverlapsWithinIteration(call, g), rule::kOverlapIteration);
  broken.AddIf(OverlapsLaterIteration(call, g), rule::kOverlapDependency);
  return broken;
}

// ---- Address plan -----------------------------------------------------------

ReduceSumPlan Plan(const RepeatReduceSum& call, const State& state) {
  const Geometry g = GeometryOf(call, state);
  return {.dtype = call.dtype,
          .repeats = g.repeats,
          .lanes = g.lanes,
          .src = call.src.at,
          .src_block_stride = g.src_block,
          .src_repeat_stride = g.src_repeat,
          .dst = call.dst.at,
          .dst_repeat_stride = g.dst_repeat,
          .saturation = state.saturation};
}

// ---- Kernels ----------------------------------------------------------------

std::uint16_t AddHalf(std::uint16_t a, std::uint16_t b, bool saturation) {
  // 24 bits hold twice 11 and two more, so that rounding to float first does no
  // harm: the sum of two halves rounds to the same half.
  const std::uint16_t sum = FloatToHalf(HalfToFloat(a) + HalfToFloat(b));
  return saturation ? SaturateHalf(sum) : sum;
}

std::uint32_t AddFloat(std::uint32_t a, std::uint32_t b, bool) {
  const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
  return std::isnan(sum) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(sum);
}

/// Adds neighbours level by level. `Add` takes and gives bits. Lanes above the
/// highest that takes part add nothing, so that the tree ends there.
template <class Bits, auto Add>
std::uint32_t TreeSum(const ReduceSumPlan& plan, std::int64_t iteration,
                      std::span<const std::uint8_t> ub) {
  constexpr int kLanes = 256 / sizeof(Bits);
  constexpr int kLanesPerBlock = kLanes / kBlocksPerIteration;
  const int leaves = kLanes > 64 && plan.lanes.high != 0
                         ? 128 - std::countl_zero(plan.lanes.high)
                         : 64 - std::countl_zero(plan.lanes.low);
  std::array<Bits, kLanes> value;
  std::array<bool, kLanes> present;
  for (int first = 0; first < leaves; first += kLanesPerBlock) {
    const int block = first / kLanesPerBlock;
    const std::int64_t at = plan.src + iteration * plan.src_repeat_stride +
                            block * plan.src_block_stride;
    const std::uint64_t bits = plan.lanes.Slice(first, kLanesPerBlock);
    for (int lane = 0; lane < kLanesPerBlock; ++lane) {
      present[first + lane] = (bits >> lane & 1) != 0;
      if (present[first + lane]) {
        value[first + lane] =
            Load<Bits>(ub, at + lane * static_cast<std::int64_t>(sizeof(Bits)));
      }
    }
  }
  for (int width = leaves; width > 1; width = (width + 1) / 2) {
    for (int i = 0; 2 * i < width; ++i) {
      const bool left = present[2 * i];
      const bool right = 2 * i + 1 < width && present[2 * i + 1];
      if (left && right) {
        value[i] = Add(value[2 * i], value[2 * i + 1], plan.saturation);
      } else if (left || right) {
        value[i] = value[left ? 2 * i : 2 * i + 1];
      }
      present[i] = left || right;
    }
  }
  return value[0];
}

// ---- Write-back -------------------------------------------------------------

void WriteBack(const ReduceSumPlan& plan, std::int64_t iteration,
               std::uint32_t bits, std::span<std::uint8_t> ub) {
  const std::int64_t at = plan.dst + iteration * plan.dst_repeat_stride;
  if (plan.dtype == DType::kFloat) {
    Store(ub, at, bits);
    return;
  }
  const auto half = static_cast<std::uint16_t>(bits);
  Store(ub, at, plan.saturation ? SaturateHalf(half) : half);
}

// ---- The four in a row ------------------------------------------------------

/// Whether the whole DataBlocks that a legal call reads lanes of lie in a
/// memory of `size` bytes.
bool BlocksInside(const ReduceSumPlan& plan, std::size_t size) {
  const auto lanes = static_cast<int>(kBlockBytes / ElementBytes(plan.dtype));
  const VectorOperand src = {.at = plan.src,
                             .block_stride = plan.src_block_stride,
                             .repeat_stride = plan.src_repeat_stride};
  return RangeOf(src, BlocksOf(plan.lanes, lanes), plan.repeats).Inside(size);
}

Path RunIterations(const ReduceSumPlan& plan, const RepeatReduceSumSeams& seams,
                   std::span<std::uint8_t> ub) {
  if (seams.vectors != nullptr && BlocksInside(plan, ub.size())) {
    return seams.vectors(plan, ub);
  }
  const ReduceSumKernel kernel =
      plan.dtype == DType::kHalf ? seams.half_kernel : seams.float_kernel;
  for (std::int64_t r = 0; r < plan.repeats; ++r) {
    seams.write_back(plan, r, kernel(plan, r, ub), ub);
  }
  return Path::kPlain;
}

}  // namespace

constinit const RepeatReduceSumSeams kRepeatReduceSum = {
    .legality = Legality,
    .plan = Plan,
    .half_kernel = TreeSum<std::uint16_t, AddHalf>,
    .float_kernel = TreeSum<std::uint32_t, AddFloat>,
    .write_back = WriteBack};

isa::StepResult Run(const RepeatReduceSum& call,
                    const RepeatReduceSumSeams& seams, State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const ReduceSumPlan plan = seams.plan(call, state);
  if (plan.repeats > 0 && !plan.lanes.empty()) {
    state.paths.Count(
        RunIterations(plan, seams, state.memories[isa::Memory::kUb]));
  }

  if (call.is_set_mask) {
    state.mask_register = LaneMask::First(call.elems_in_one_repeat);
  }
  result.notes.Add(rule::kPreferWholeReduceSum);
  result.notes.AddIf(call.repeat == 0, rule::kRepeatZero);
  result.notes.AddIf(!call.is_set_mask && plan.lanes.empty(), rule::kMaskEmpty);
  return result;
}

}  // namespace lanediff::emulator
