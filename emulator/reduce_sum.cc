#include "emulator/reduce_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <functional>

#include "emulator/address.h"
#include "emulator/arithmetic.h"
#include "emulator/block_range.h"
#include "emulator/lanewise_values.h"

namespace lanediff::emulator {
namespace {

using isa::DType;

// ---- Places -----------------------------------------------------------------

int LanesPerBlock(const ReduceSumPlan& plan) {
  return static_cast<int>(kBlockBytes / ElementBytes(plan.dtype));
}

/// Bytes from the first to the last one read, none where nothing is read.
Extent SourceExtent(const ReduceSumPlan& plan) {
  if (plan.empty()) return {};
  const Extent lanes =
      LanesExtent(plan.lanes, ElementBytes(plan.dtype), plan.src_block_stride);
  const Wide last = Wide{plan.repeats - 1} * plan.src_repeat_stride;
  return {plan.src + lanes.begin, plan.src + last + lanes.end};
}

Extent DestinationExtent(const ReduceSumPlan& plan) {
  if (plan.empty()) return {};
  const std::uint64_t results = plan.results();
  const std::int64_t element = ElementBytes(plan.dtype);
  const Wide last = Wide{plan.repeats - 1} * plan.dst_repeat_stride;
  return {Wide{plan.dst} + std::countr_zero(results) * element,
          plan.dst + last + std::bit_width(results) * element};
}

/// The bytes from an iteration's first result to each result, until `each`
/// returns true.
bool AnyResult(const ReduceSumPlan& plan, auto each) {
  const std::int64_t element = ElementBytes(plan.dtype);
  for (std::uint64_t rest = plan.results(); rest != 0; rest &= rest - 1) {
    if (each(std::countr_zero(rest) * element)) return true;
  }
  return false;
}

/// Lane of `block` that starts `offset` bytes into it and takes part, else -1.
int ParticipatingLane(const ReduceSumPlan& plan, int block,
                      std::int64_t offset) {
  if (offset < 0 || offset >= kBlockBytes) return -1;
  const auto lane = static_cast<int>(offset / ElementBytes(plan.dtype));
  const int lanes_per_block = LanesPerBlock(plan);
  const std::uint64_t bits =
      plan.lanes.Slice(block * lanes_per_block, lanes_per_block);
  return (bits >> lane & 1) != 0 ? lane : -1;
}

/// Whether the result `offset` bytes into the results is written over a lane
/// that its own iteration reads, but the first result not where the lowest lane
/// starts. Relative to the iteration's first block it moves by `step` an
/// iteration, so that it passes a block in at most 32 / |step| iterations,
/// which are found by division.
bool OverlapsWithinIteration(const ReduceSumPlan& plan, std::int64_t offset) {
  const std::int64_t start = plan.dst - plan.src + offset;
  const std::int64_t step = plan.dst_repeat_stride - plan.src_repeat_stride;
  const int lowest = plan.lanes.Lowest();
  const int lanes_per_block = LanesPerBlock(plan);
  const std::int64_t element = ElementBytes(plan.dtype);
  const std::int64_t allowed =
      lowest / lanes_per_block * plan.src_block_stride +
      lowest % lanes_per_block * element + offset -
      std::countr_zero(plan.results()) * element;
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    const std::int64_t base = block * plan.src_block_stride;
    std::int64_t first = 0;
    std::int64_t last = step == 0 ? 0 : plan.repeats - 1;
    if (step > 0) {
      first = std::max<std::int64_t>(0, (base - start + step - 1) / step);
      last = std::min(last, (base + kBlockBytes - start) / step);
    } else if (step < 0) {
      first = std::max<std::int64_t>(0, (start - base - kBlockBytes) / -step);
      last = std::min(last, (start - base) / -step);
    }
    for (std::int64_t r = first; r <= last; ++r) {
      const std::int64_t at = start + r * step;
      if (at != allowed && ParticipatingLane(plan, block, at - base) >= 0) {
        return true;
      }
    }
  }
  return false;
}

/// Whether a lane is read that an earlier iteration wrote as the result `at`
/// bytes into its results. For each written element and each block, the one
/// later iteration whose block could hold it is found by division.
bool OverlapsLaterIteration(const ReduceSumPlan& plan, std::int64_t at) {
  const int lanes_per_block = LanesPerBlock(plan);
  const std::int64_t src_repeat = plan.src_repeat_stride;
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    if (plan.lanes.Slice(block * lanes_per_block, lanes_per_block) == 0) {
      continue;
    }
    std::int64_t offset =
        plan.dst + at - plan.src - block * plan.src_block_stride;
    for (std::int64_t r = 0; r + 1 < plan.repeats;
         ++r, offset += plan.dst_repeat_stride) {
      if (offset < 0) continue;
      const std::int64_t reader = src_repeat == 0 ? r + 1 : offset / src_repeat;
      if (reader <= r || reader >= plan.repeats) continue;
      if (ParticipatingLane(plan, block, offset - reader * src_repeat) >= 0) {
        return true;
      }
    }
  }
  return false;
}

// ---- Kernels ----------------------------------------------------------------

/// The one of two halves that comes first, unsaturated in either mode.
template <class Before>
std::uint16_t PickedHalf(std::uint16_t a, std::uint16_t b, bool) {
  return OneOfTwo<Before>::Half(a, b, false);
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

template <class Bits>
bool IsNan(Bits bits) {
  constexpr Bits kMagnitude = static_cast<Bits>(~Bits{0}) >> 1;
  constexpr Bits kInfinity = sizeof(Bits) == 2 ? 0x7c00 : 0x7f800000;
  return (bits & kMagnitude) > kInfinity;
}

/// The lowest lane with the bits of `value`, or with a NaN where that is one.
template <class Bits>
std::uint32_t LaneOf(Bits value, const ReduceSumPlan& plan,
                     std::int64_t iteration, std::span<const std::uint8_t> ub) {
  const int lanes_per_block = LanesPerBlock(plan);
  for (int lane = plan.lanes.Lowest();; ++lane) {
    if (plan.lanes.Slice(lane, 1) == 0) continue;
    const auto bits =
        Load<Bits>(ub, plan.src + iteration * plan.src_repeat_stride +
                           lane / lanes_per_block * plan.src_block_stride +
                           lane % lanes_per_block * ElementBytes(plan.dtype));
    if (bits == value || (IsNan(bits) && IsNan(value))) {
      return static_cast<std::uint32_t>(lane);
    }
  }
}

std::uint32_t ElementOf(const ReduceSumPlan& plan, const ReduceSumSeams& seams,
                        std::int64_t iteration,
                        std::span<const std::uint8_t> ub) {
  if (plan.lanes.empty()) return plan.filling;
  if (plan.part == Part::kZero) return 0;
  if (plan.part == Part::kIndex) return seams.index(plan, iteration, ub);
  return (plan.dtype == DType::kHalf ? seams.half_kernel : seams.float_kernel)(
      plan, iteration, ub);
}

/// Whether the whole DataBlocks that a legal call reads lanes of lie in a
/// memory of `size` bytes.
bool BlocksInside(const ReduceSumPlan& plan, std::size_t size) {
  const auto lanes = static_cast<int>(kBlockBytes / ElementBytes(plan.dtype));
  const VectorOperand src = {.at = plan.src,
                             .block_stride = plan.src_block_stride,
                             .repeat_stride = plan.src_repeat_stride};
  return RangeOf(src, BlocksOf(plan.lanes, lanes), plan.repeats).Inside(size);
}

}  // namespace

void AddBrokenPlaces(const ReduceSumPlan& plan, std::size_t ub_bytes,
                     BrokenRules& broken) {
  const Extent read = SourceExtent(plan);
  const Extent written = DestinationExtent(plan);
  broken.AddIf(OutOfBounds(broken.call.dst(), written, ub_bytes) ||
                   OutOfBounds(broken.call.src(0), read, ub_bytes),
               isa::CallRule::kBounds);
  if (!broken.rules.empty() || !read.Meets(written)) return;

  const auto any = [&](auto overlaps) {
    return AnyResult(
        plan, [&](std::int64_t offset) { return overlaps(plan, offset); });
  };
  broken.AddIf(any(OverlapsWithinIteration), isa::CallRule::kOverlapIteration);
  broken.AddIf(any(OverlapsLaterIteration), isa::CallRule::kOverlapDependency);
}

std::uint64_t ReduceSumPlan::results() const {
  const int lanes_each = lanes_per_result();
  const auto all = static_cast<int>(kIterationBytes / ElementBytes(dtype));
  if (lanes_each == all) return (1u << elements) - 1;
  if (fills) return ~std::uint64_t{0} >> (64 - all / lanes_each);
  std::uint64_t results = 0;
  for (int i = 0; i < all / lanes_each; ++i) {
    const bool any = lanes.Slice(i * lanes_each, lanes_each) != 0;
    results |= std::uint64_t{any} << i;
  }
  return results;
}

ReduceSumPlan ReduceSumPlan::OfResult(int i) const {
  ReduceSumPlan plan = *this;
  plan.dst += i * ElementBytes(dtype);
  if (signature->group == isa::Group::kIteration) {
    plan.part = parts[static_cast<std::size_t>(i)];
    return plan;
  }
  const int lanes_each = lanes_per_result();
  const LaneMask to = LaneMask::First(std::int64_t{i + 1} * lanes_each);
  const LaneMask from = LaneMask::First(std::int64_t{i} * lanes_each);
  plan.lanes = {.low = lanes.low & to.low & ~from.low,
                .high = lanes.high & to.high & ~from.high};
  return plan;
}

std::uint32_t TreeSumOfHalves(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub) {
  switch (plan.reduction) {
    case Reduction::kSum:
      return TreeSum<std::uint16_t, HalfOf<std::plus<>>>(plan, iteration, ub);
    case Reduction::kMax:  // lanes as they are, until the result is written
      return TreeSum<std::uint16_t, PickedHalf<Larger>>(plan, iteration, ub);
    case Reduction::kMin:
      break;
  }
  return TreeSum<std::uint16_t, PickedHalf<Smaller>>(plan, iteration, ub);
}

std::uint32_t TreeSumOfFloats(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub) {
  switch (plan.reduction) {
    case Reduction::kSum:
      return TreeSum<std::uint32_t, FloatOf<std::plus<>>>(plan, iteration, ub);
    case Reduction::kMax:
      return TreeSum<std::uint32_t, OneOfTwo<Larger>::Float>(plan, iteration,
                                                             ub);
    case Reduction::kMin:
      break;
  }
  return TreeSum<std::uint32_t, OneOfTwo<Smaller>::Float>(plan, iteration, ub);
}

std::uint32_t IndexOfPicked(const ReduceSumPlan& plan, std::int64_t iteration,
                            std::span<const std::uint8_t> ub) {
  if (plan.dtype == DType::kFloat) {
    return LaneOf(TreeSumOfFloats(plan, iteration, ub), plan, iteration, ub);
  }
  const auto value =
      static_cast<std::uint16_t>(TreeSumOfHalves(plan, iteration, ub));
  return LaneOf(value, plan, iteration, ub);
}

void WriteSum(const ReduceSumPlan& plan, std::int64_t iteration,
              std::uint32_t bits, std::span<std::uint8_t> ub) {
  const std::int64_t at = plan.dst + iteration * plan.dst_repeat_stride;
  if (plan.dtype == DType::kFloat) {
    Store(ub, at, bits);
    return;
  }
  Store(ub, at,
        SaturatedHalf(static_cast<std::uint16_t>(bits), plan.saturation));
}

Path RunSums(const ReduceSumPlan& plan, const ReduceSumSeams& seams,
             std::span<std::uint8_t> ub) {
  if (seams.vectors != nullptr && BlocksInside(plan, ub.size())) {
    return seams.vectors(plan, ub);
  }
  std::array<std::uint32_t, 64> bits;
  const std::uint64_t results = plan.results();
  for (std::int64_t r = 0; r < plan.repeats; ++r) {
    // All reads of an iteration come before its writes.
    for (std::uint64_t rest = results; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      bits[i] = ElementOf(plan.OfResult(i), seams, r, ub);
    }
    for (std::uint64_t rest = results; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      seams.write_back(plan.OfResult(i), r, bits[i], ub);
    }
  }
  return Path::kPlain;
}

}  // namespace lanediff::emulator
