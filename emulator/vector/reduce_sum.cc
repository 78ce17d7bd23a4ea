#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/block_range.h"
#include "emulator/half.h"
#include "emulator/vector/highway_config.h"
#include "emulator/vector/lane_bytes.h"
#include "emulator/vector/vectors.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/reduce_sum.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/sum_nodes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

/// As many iterations as a vector has lanes are summed at once, each in a lane
/// of its own from a third of the tree on. All of them are read before any is
/// written, which a legal call doesn't show.
static_assert(kRows == 1 || kRows == 4 || kRows == 8);
/// Vectors of 32-bit words in an iteration, and in a block of it.
constexpr std::size_t kColumns = kIterationBytes / 4 / kRows;
constexpr std::size_t kColumnsPerBlock = kColumns / kBlocksPerIteration;

/// A call with what all its iterations have in common.
struct Call {
  const ReduceSumPlan& plan;
  BlockSet blocks;           // those that are read
  const std::uint8_t* mask;  // an iteration's, or null if all lanes take part
  std::uint8_t* ub;
};

/// Where the iterations start that are summed at once.
struct Batch {
  const Call& call;
  const std::uint8_t* rows[kRows];

  const std::uint8_t* BlockAt(std::size_t row, int block) const {
    return rows[row] + block * call.plan.src_block_stride;
  }
};

// ---- The tree ---------------------------------------------------------------

/// The leaves of a block, row after row in each column.
template <class Nodes>
HWY_INLINE void LeavesOfBlock(const Nodes& nodes, const Batch& batch,
                              std::size_t block, typename Nodes::Value* v) {
  const std::int64_t offset =
      static_cast<std::int64_t>(block) * batch.call.plan.src_block_stride;
  for (std::size_t c = 0; c < kColumnsPerBlock; ++c) {
    for (std::size_t i = 0; i < kRows; ++i) {
      const std::size_t in_block = c * kRows * 4;
      v[c * kRows + i] =
          nodes.Leaf(batch.rows[Nodes::RowAt(i)] + offset + in_block,
                     batch.call.mask, block * kBlockBytes + in_block);
    }
  }
}

/// Makes one vector of the `kCount` of each column.
template <std::size_t kCount, class Nodes>
HWY_INLINE void AddRows(const Nodes& nodes, typename Nodes::Value* v) {
  if constexpr (kCount > 1) {
    constexpr std::size_t kStep = Nodes::StepOf(kCount);
    for (std::size_t i = 0; i < kColumns * kCount / 2; ++i) {
      v[i] = nodes.Add(nodes.template Sides<kStep>(v[2 * i], v[2 * i + 1]));
    }
    AddRows<kCount / 2>(nodes, v);
  }
}

/// The sums of a batch, one for each row. Level by level: the nodes of one
/// don't wait for each other.
template <class Nodes>
void SumBatch(const Nodes& nodes, const Batch& batch,
              typename Nodes::Bits* out) {
  typename Nodes::Value v[kColumns * kRows];
  for (std::size_t block = 0; block < kBlocksPerIteration; ++block) {
    typename Nodes::Value* leaves = v + block * kColumnsPerBlock * kRows;
    if ((batch.call.blocks >> block & 1) != 0) {
      LeavesOfBlock(nodes, batch, block, leaves);
    } else {
      std::fill_n(leaves, kColumnsPerBlock * kRows, nodes.Absent());
    }
  }
  for (auto& leaf : v) leaf = nodes.Settled(leaf);
  AddRows<kRows>(nodes, v);
  for (std::size_t width = kColumns / 2; width >= 1; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) {
      v[i] = nodes.Add({v[2 * i], v[2 * i + 1]});
    }
  }
  nodes.Store(v[0], out);
}

// ---- Which nodes ------------------------------------------------------------

/// What is known of the halves of a batch.
enum class Halves {
  kAny,     // infinities, NaNs or -0 among them
  kFinite,  // without these
  kSmall,   // and no sum of an iteration can be too large
};

template <bool kMasked>
Halves KindOf(const Batch& batch) {
  const BlockTag<std::int16_t> d;
  const BlockTag<std::uint16_t> du;
  auto most = hn::Zero(d);     // as signed numbers: of the positive halves
  auto least = hn::Zero(d);    // -0 is the least
  auto bottom = hn::Zero(du);  // as unsigned numbers: of the negative halves
  const std::size_t step = hn::Lanes(d) * sizeof(std::int16_t);
  for (BlockSet rest = batch.call.blocks; rest != 0; rest &= rest - 1) {
    const int block = std::countr_zero(rest);
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::uint8_t* at = batch.BlockAt(row, block);
      for (std::size_t i = 0; i < kBlockBytes; i += step) {
        auto halves = LoadFrom(d, at + i);
        if constexpr (kMasked) {
          const std::uint8_t* mask = batch.call.mask + block * kBlockBytes;
          halves = hn::And(halves, LoadFrom(d, mask + i));
        }
        most = hn::Max(most, halves);
        least = hn::Min(least, halves);
        bottom = hn::Max(bottom, hn::BitCast(du, halves));
      }
    }
  }
  const auto reaches = [&](std::uint16_t limit) HWY_ATTR {
    const auto positive = static_cast<std::int16_t>(limit - 1);
    const auto negative = static_cast<std::uint16_t>(0x8000u | (limit - 1u));
    return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, positive))) ||
           !hn::AllFalse(du, hn::Gt(bottom, hn::Set(du, negative)));
  };
  const auto zero = hn::Set(d, std::numeric_limits<std::int16_t>::min());
  if (reaches(0x7c00u) || !hn::AllFalse(d, hn::Eq(least, zero))) {
    return Halves::kAny;
  }
  // 128 times 511.75 is 65504, the largest half, and rounding makes no sum of
  // less larger than that.
  return reaches(0x6000u) ? Halves::kFinite : Halves::kSmall;
}

/// For halves of all lanes, in saturation mode.
void SumSaturating(const Batch& batch, std::uint16_t* out) {
  SumBatch(SaturatingHalfNodes(), batch, out);
  for (std::size_t i = 0; i < kRows; ++i) {
    if (out[i] != 0) continue;
    // It would be -0 if all lanes were, the first one among them.
    std::uint16_t first;
    std::memcpy(&first, batch.rows[i], sizeof(first));
    if (first != 0x8000u) continue;
    SumBatch(AnyHalfNodes<false, true>(), batch, out);
    return;
  }
}

template <bool kMasked>
void SumHalves(const Batch& batch, std::uint16_t* out) {
  const bool saturate = batch.call.plan.saturation;
  constexpr bool kAtOnce = kQuickHalves && !kMasked;
  if (kAtOnce && saturate) return SumSaturating(batch, out);
  const Halves kind = KindOf<kMasked>(batch);
  if (kind == Halves::kSmall) {
    SumBatch(FiniteHalfNodes<kMasked, false>(), batch, out);
  } else if (!saturate) {
    SumBatch(AnyHalfNodes<kMasked, false>(), batch, out);
  } else if (kind == Halves::kFinite) {
    SumBatch(FiniteHalfNodes<kMasked, true>(), batch, out);
  } else if (kMasked) {
    SumBatch(AnyHalfNodes<kMasked, true>(), batch, out);
  } else {
    SumSaturating(batch, out);
  }
}

// ---- Iterations -------------------------------------------------------------

template <bool kMasked>
void Sum(const Batch& batch, std::uint16_t* out) {
  SumHalves<kMasked>(batch, out);
}
template <bool kMasked>
void Sum(const Batch& batch, std::uint32_t* out) {
  SumBatch(FloatNodes<kMasked>(), batch, out);
}

template <class Bits, bool kMasked>
void SumIterations(const Call& call) {
  const ReduceSumPlan& plan = call.plan;
  Batch batch{.call = call, .rows = {}};
  HWY_ALIGN Bits sums[kRows];
  for (std::int64_t first = 0; first < plan.repeats; first += kRows) {
    for (std::size_t i = 0; i < kRows; ++i) {
      // Behind the last iteration it is summed again, and not stored.
      const std::int64_t r =
          std::min(first + static_cast<std::int64_t>(i), plan.repeats - 1);
      batch.rows[i] = call.ub + plan.src + r * plan.src_repeat_stride;
    }
    Sum<kMasked>(batch, sums);
    const std::int64_t last =
        std::min<std::int64_t>(first + kRows, plan.repeats);
    for (std::int64_t r = first; r < last; ++r) {
      std::memcpy(call.ub + plan.dst + r * plan.dst_repeat_stride,
                  &sums[r - first], sizeof(Bits));
    }
  }
}

/// The only lane of each iteration, which meets no arithmetic.
template <class Bits>
void CopyLane(const Call& call, int lane) {
  constexpr int kLanesPerBlock = kBlockBytes / sizeof(Bits);
  const ReduceSumPlan& plan = call.plan;
  const std::int64_t at =
      plan.src + lane / kLanesPerBlock * plan.src_block_stride +
      lane % kLanesPerBlock * static_cast<std::int64_t>(sizeof(Bits));
  for (std::int64_t r = 0; r < plan.repeats; ++r) {
    Bits bits;
    std::memcpy(&bits, call.ub + at + r * plan.src_repeat_stride, sizeof(Bits));
    if constexpr (sizeof(Bits) == 2) {
      if (plan.saturation) bits = SaturateHalf(bits);
    }
    std::memcpy(call.ub + plan.dst + r * plan.dst_repeat_stride, &bits,
                sizeof(Bits));
  }
}

template <class Bits>
Path SumOfType(Call call) {
  constexpr int kLanes = kIterationBytes / sizeof(Bits);
  const ReduceSumPlan& plan = call.plan;
  call.blocks = BlocksOf(plan.lanes, kLanes / kBlocksPerIteration);
  if (plan.lanes != LaneMask::First(kLanes)) {
    const int low = std::popcount(plan.lanes.low);
    if (low + std::popcount(plan.lanes.high) == 1) {
      CopyLane<Bits>(call, low == 1 ? std::countr_zero(plan.lanes.low)
                                    : 64 + std::countr_zero(plan.lanes.high));
      return Path::kMasked;
    }
    HWY_ALIGN const IterationBytes mask = BytesOf(plan.lanes, sizeof(Bits));
    call.mask = mask.data();
    SumIterations<Bits, true>(call);
    return Path::kMasked;
  }
  SumIterations<Bits, false>(call);
  const bool contiguous = plan.src_block_stride == kBlockBytes &&
                          plan.src_repeat_stride == kIterationBytes &&
                          plan.dst_repeat_stride == sizeof(Bits);
  return contiguous ? Path::kContiguous : Path::kStrided;
}

}  // namespace

Path ReduceSum(const ReduceSumPlan& plan, std::span<std::uint8_t> ub) {
  const Call call{.plan = plan, .blocks = 0, .mask = nullptr, .ub = ub.data()};
  return plan.dtype == isa::DType::kFloat ? SumOfType<std::uint32_t>(call)
                                          : SumOfType<std::uint16_t>(call);
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

constinit const ByVectorTarget<ReduceSumVectors> kReduceSumByTarget =
    LANEDIFF_BY_VECTOR_TARGET(ReduceSum);

}  // namespace lanediff::emulator
#endif
