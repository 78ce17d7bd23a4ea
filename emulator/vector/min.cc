#include "emulator/vector/min.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "emulator/block_range.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/min.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

// ---- The smaller of two vectors ---------------------------------------------

struct SmallerInteger {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Min(a, b);
  }
};

/// Lanes are the bits of floating values as signed integers. `kInf` is
/// infinity, `kNan` the canonical NaN.
template <class T, T kInf, T kNan, bool kSaturate>
struct SmallerFloating {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V a, V b) const {
    V least = hn::Min(Ordered(d, a), Ordered(d, b));
    if constexpr (kSaturate) {
      // Infinities step down to the largest finite values, the next in order.
      least = hn::Max(least, hn::Set(d, static_cast<T>(-kInf)));
      least = hn::Min(least, hn::Set(d, static_cast<T>(kInf - 1)));
    }
    least = Ordered(d, least);
    const V magnitude = hn::Set(d, std::numeric_limits<T>::max());
    const V larger = hn::Max(hn::And(a, magnitude), hn::And(b, magnitude));
    const auto nan = hn::Gt(larger, hn::Set(d, kInf));
    if constexpr (kSaturate) return hn::IfThenZeroElse(nan, least);
    return hn::IfThenElse(nan, hn::Set(d, kNan), least);
  }

 private:
  /// Bits in the order of the values as integers, and back: the magnitudes of
  /// negative ones are turned round.
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Ordered(D d, V v) {
    const hn::RebindToUnsigned<D> du;
    const auto negative = hn::BitCast(du, hn::BroadcastSignBit(v));
    return hn::Xor(v, hn::BitCast(d, hn::ShiftRight<1>(negative)));
  }
};

// ---- Iterations -------------------------------------------------------------

/// One DataBlock.
template <class D, class Smaller>
HWY_INLINE void MinOfBlock(D d, Smaller smaller, const std::uint8_t* a,
                           const std::uint8_t* b, std::uint8_t* out) {
  const std::size_t step = hn::Lanes(d) * sizeof(hn::TFromD<D>);
  for (std::size_t i = 0; i < kBlockBytes; i += step) {
    StoreTo(d, smaller(d, LoadFrom(d, a + i), LoadFrom(d, b + i)), out + i);
  }
}

/// Copies the lanes of a block that `mask` takes part in.
template <class D>
HWY_INLINE void CopyLanes(D d, const std::uint8_t* mask,
                          const std::uint8_t* from, std::uint8_t* out) {
  const std::size_t step = hn::Lanes(d) * sizeof(hn::TFromD<D>);
  for (std::size_t i = 0; i < kBlockBytes; i += step) {
    const auto take = hn::MaskFromVec(LoadFrom(d, mask + i));
    StoreTo(d,
            hn::IfThenElse(take, LoadFrom(d, from + i), LoadFrom(d, out + i)),
            out + i);
  }
}

using IterationBytes = std::array<std::uint8_t, kIterationBytes>;

/// All ones in the bytes of each lane that takes part.
IterationBytes BytesOf(const LaneMask& lanes, std::int64_t element_bytes) {
  IterationBytes bytes;
  for (std::int64_t i = 0; i < kIterationBytes; ++i) {
    const bool set = lanes.Slice(static_cast<int>(i / element_bytes), 1) != 0;
    bytes[static_cast<std::size_t>(i)] = set ? 0xff : 0;
  }
  return bytes;
}

/// Iterations `first` to `last - 1` of a plan with the same `lanes` in each.
struct Stretch {
  const MinPlan& plan;
  std::int64_t first;
  std::int64_t last;
  const LaneMask& lanes;
  std::uint8_t* ub;
};

template <class D, class Smaller>
void Contiguous(D d, Smaller smaller, const Stretch& s) {
  const std::int64_t offset = s.first * kIterationBytes;
  const std::uint8_t* a = s.ub + s.plan.src0.at + offset;
  const std::uint8_t* b = s.ub + s.plan.src1.at + offset;
  std::uint8_t* out = s.ub + s.plan.dst.at + offset;
  const std::int64_t bytes = (s.last - s.first) * kIterationBytes;
  for (std::int64_t i = 0; i < bytes; i += kBlockBytes) {
    MinOfBlock(d, smaller, a + i, b + i, out + i);
  }
}

template <class D, class Smaller>
void Strided(D d, Smaller smaller, const Stretch& s) {
  for (std::int64_t r = s.first; r < s.last; ++r) {
    for (int block = 0; block < kBlocksPerIteration; ++block) {
      MinOfBlock(d, smaller, s.ub + s.plan.src0.BlockAt(r, block),
                 s.ub + s.plan.src1.BlockAt(r, block),
                 s.ub + s.plan.dst.BlockAt(r, block));
    }
  }
}

/// Any lanes, and operands that overlap in any way: each iteration reads all
/// that it needs before it writes.
template <class D, class Smaller>
void Masked(D d, Smaller smaller, const Stretch& s) {
  constexpr auto kElement = sizeof(hn::TFromD<D>);
  const BlockSet blocks = BlocksOf(s.lanes, kBlockBytes / kElement);
  HWY_ALIGN const IterationBytes mask = BytesOf(s.lanes, kElement);
  HWY_ALIGN IterationBytes result;
  for (std::int64_t r = s.first; r < s.last; ++r) {
    for (BlockSet rest = blocks; rest != 0; rest &= rest - 1) {
      const int block = std::countr_zero(rest);
      MinOfBlock(d, smaller, s.ub + s.plan.src0.BlockAt(r, block),
                 s.ub + s.plan.src1.BlockAt(r, block),
                 result.data() + block * kBlockBytes);
    }
    for (BlockSet rest = blocks; rest != 0; rest &= rest - 1) {
      const int block = std::countr_zero(rest);
      CopyLanes(d, mask.data() + block * kBlockBytes,
                result.data() + block * kBlockBytes,
                s.ub + s.plan.dst.BlockAt(r, block));
    }
  }
}

// ---- Choice of the way ------------------------------------------------------

/// Whether every block of an iteration may be written before the next one is
/// read: no block of dst meets another block of a source.
bool Independent(const MinPlan& plan, BlockSet blocks) {
  const ByteRange dst = RangeOf(plan.dst, blocks, plan.iterations);
  const auto independent = [&](const VectorOperand& src) {
    return src == plan.dst || dst.Apart(RangeOf(src, blocks, plan.iterations));
  };
  return independent(plan.src0) && independent(plan.src1);
}

template <class D, class Smaller>
Path MinOf(D d, Smaller smaller, const Stretch& s) {
  constexpr auto kLanesPerBlock =
      static_cast<int>(kBlockBytes / sizeof(hn::TFromD<D>));
  constexpr LaneMask kAll =
      LaneMask::First(kBlocksPerIteration * kLanesPerBlock);
  constexpr BlockSet kAllBlocks = (BlockSet{1} << kBlocksPerIteration) - 1;
  if (s.lanes != kAll) {
    Masked(d, smaller, s);
    return Path::kMasked;
  }
  const bool contiguous = IsContiguous(s.plan.dst) &&
                          IsContiguous(s.plan.src0) &&
                          IsContiguous(s.plan.src1);
  if (!Independent(s.plan, kAllBlocks)) {
    Masked(d, smaller, s);
  } else if (contiguous) {
    Contiguous(d, smaller, s);
  } else {
    Strided(d, smaller, s);
  }
  return contiguous ? Path::kContiguous : Path::kStrided;
}

Path MinOfType(const Stretch& s) {
  const BlockTag<std::int16_t> d16;
  const BlockTag<std::int32_t> d32;
  constexpr std::int16_t kHalfInf = 0x7c00, kHalfNan = 0x7e00;
  constexpr std::int32_t kFloatInf = 0x7f800000, kFloatNan = 0x7fc00000;
  switch (s.plan.dtype) {
    case isa::DType::kInt16:
      return MinOf(d16, SmallerInteger(), s);
    case isa::DType::kInt32:
      return MinOf(d32, SmallerInteger(), s);
    case isa::DType::kHalf:
      if (s.plan.saturation) {
        return MinOf(
            d16, SmallerFloating<std::int16_t, kHalfInf, kHalfNan, true>(), s);
      }
      return MinOf(
          d16, SmallerFloating<std::int16_t, kHalfInf, kHalfNan, false>(), s);
    default:
      return MinOf(
          d32, SmallerFloating<std::int32_t, kFloatInf, kFloatNan, false>(), s);
  }
}

}  // namespace

/// The last iteration of the count form may have fewer lanes.
Path Min(const MinPlan& plan, std::span<std::uint8_t> ub) {
  const std::int64_t same =
      plan.lanes == plan.last_lanes ? plan.iterations : plan.iterations - 1;
  Path path = Path::kMasked;
  if (same > 0) path = MinOfType({plan, 0, same, plan.lanes, ub.data()});
  if (same < plan.iterations) {
    MinOfType({plan, same, plan.iterations, plan.last_lanes, ub.data()});
  }
  return path;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

constinit const ByVectorTarget<MinVectors> kMinByTarget =
    LANEDIFF_BY_VECTOR_TARGET(Min);

}  // namespace lanediff::emulator
#endif
