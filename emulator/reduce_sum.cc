#include "emulator/reduce_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <functional>

#include "emulator/address.h"
#include "emulator/arithmetic.h"
#include "emulator/block_range.h"

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
  return {plan.dst, plan.dst + Wide{plan.repeats - 1} * plan.dst_repeat_stride +
                        ElementBytes(plan.dtype)};
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

/// Whether an element is written over a lane that its own iteration reads, but
/// not where the lowest lane starts. Relative to the iteration's first block it
/// moves by `step` an iteration, so that it passes a block in at most 32 /
/// |step| iterations, which are found by division.
bool OverlapsWithinIteration(const ReduceSumPlan& plan) {
  const std::int64_t start = plan.dst - plan.src;
  const std::int64_t step = plan.dst_repeat_stride - plan.src_repeat_stride;
  const int lowest = plan.lanes.Lowest();
  const int lanes_per_block = LanesPerBlock(plan);
  const std::int64_t allowed =
      lowest / lanes_per_block * plan.src_block_stride +
      lowest % lanes_per_block * ElementBytes(plan.dtype);
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

/// Whether a lane is read that an earlier iteration wrote. For each written
/// element and each block, the one later iteration whose block could hold it is
/// found by division.
bool OverlapsLaterIteration(const ReduceSumPlan& plan) {
  const int lanes_per_block = LanesPerBlock(plan);
  const std::int64_t src_repeat = plan.src_repeat_stride;
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    if (plan.lanes.Slice(block * lanes_per_block, lanes_per_block) == 0) {
      continue;
    }
    std::int64_t offset = plan.dst - plan.src - block * plan.src_block_stride;
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

  broken.AddIf(OverlapsWithinIteration(plan), isa::CallRule::kOverlapIteration);
  broken.AddIf(OverlapsLaterIteration(plan), isa::CallRule::kOverlapDependency);
}

std::uint32_t TreeSumOfHalves(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub) {
  return TreeSum<std::uint16_t, HalfOf<std::plus<>>>(plan, iteration, ub);
}

std::uint32_t TreeSumOfFloats(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub) {
  return TreeSum<std::uint32_t, FloatOf<std::plus<>>>(plan, iteration, ub);
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
  const ReduceSumKernel kernel =
      plan.dtype == DType::kHalf ? seams.half_kernel : seams.float_kernel;
  for (std::int64_t r = 0; r < plan.repeats; ++r) {
    seams.write_back(plan, r, kernel(plan, r, ub), ub);
  }
  return Path::kPlain;
}

}  // namespace lanediff::emulator
