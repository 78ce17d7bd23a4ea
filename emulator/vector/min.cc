#include "emulator/vector/min.h"

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "emulator/block_range.h"
#include "emulator/vector/highway_config.h"
#include "emulator/vector/lane_bytes.h"

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

struct SmallerFloat {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D, V a, V b) const {
    // Of two zeros Min gives one or the other: together they have every sign.
    const V least = hn::Or(hn::Min(a, b), hn::Min(b, a));
    const V nan = hn::BitCast(D(), hn::Set(hn::RebindToUnsigned<D>(), kNan));
    return hn::IfThenElse(hn::And(hn::Eq(a, a), hn::Eq(b, b)), least, nan);
  }

 private:
  static constexpr std::uint32_t kNan = 0x7fc00000;
};

/// Lanes are the bits of halves as signed integers.
template <bool kSaturate>
struct SmallerHalf {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V a, V b) const {
    V least = hn::Min(Ordered(d, a), Ordered(d, b));
    if constexpr (kSaturate) {
      // Infinities step down to the largest finite values, the next in order.
      least = hn::Max(least, hn::Set(d, -kInf));
      least = hn::Min(least, hn::Set(d, kInf - 1));
    }
    least = Ordered(d, least);
    const V magnitude = hn::Set(d, 0x7fff);
    const V larger = hn::Max(hn::And(a, magnitude), hn::And(b, magnitude));
    const auto nan = hn::Gt(larger, hn::Set(d, kInf));
    if constexpr (kSaturate) return hn::IfThenZeroElse(nan, least);
    return hn::IfThenElse(nan, hn::Set(d, kNan), least);
  }

 private:
  static constexpr std::int16_t kInf = 0x7c00;
  static constexpr std::int16_t kNan = 0x7e00;

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

// A block of dst is written before the next blocks of the sources are read: in
// a legal call they don't meet in the lanes that take part, and with strides
// of DataBlocks and aligned starts blocks meet whole or not at all.

/// Iterations `first` to `last - 1` of a plan with the same `lanes` in each.
struct Stretch {
  const MinPlan& plan;
  std::int64_t first;
  std::int64_t last;
  const LaneMask& lanes;
  std::uint8_t* ub;

  const std::uint8_t* Src0(std::int64_t r, int block) const {
    return ub + plan.src0.BlockAt(r, block);
  }
  const std::uint8_t* Src1(std::int64_t r, int block) const {
    return ub + plan.src1.BlockAt(r, block);
  }
  std::uint8_t* Dst(std::int64_t r, int block) const {
    return ub + plan.dst.BlockAt(r, block);
  }
};

/// The DataBlocks of an iteration of which lanes take part, and these lanes.
struct Parts {
  struct Block {
    std::int64_t src0, src1, dst;  ///< bytes from the iteration's first block
    const std::uint8_t* mask;
  };

  Parts(const Stretch& s, std::int64_t element_bytes)
      : mask(BytesOf(s.lanes, element_bytes)) {
    const auto lanes = static_cast<int>(kBlockBytes / element_bytes);
    for (BlockSet rest = BlocksOf(s.lanes, lanes); rest != 0;
         rest &= rest - 1) {
      const int b = std::countr_zero(rest);
      blocks[count++] = {
          b * s.plan.src0.block_stride, b * s.plan.src1.block_stride,
          b * s.plan.dst.block_stride, mask.data() + b * kBlockBytes};
    }
  }
  Parts(const Parts&) = delete;  // blocks point into the mask

  alignas(kBlockBytes) const IterationBytes mask;
  std::array<Block, kBlocksPerIteration> blocks = {};
  int count = 0;
};

/// The smaller of `kBytes` bytes of two sources.
template <std::int64_t kBytes, class D, class Smaller>
HWY_INLINE void MinOfBytes(D d, Smaller smaller, const std::uint8_t* a,
                           const std::uint8_t* b, std::uint8_t* out) {
  constexpr auto kStep =
      static_cast<std::int64_t>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>));
  HWY_UNROLL(8)
  for (std::int64_t i = 0; i < kBytes; i += kStep) {
    StoreTo(d, smaller(d, LoadFrom(d, a + i), LoadFrom(d, b + i)), out + i);
  }
}

/// Keeps `out` in the lanes of a block that `mask` leaves out.
template <class D, class Result>
HWY_INLINE void StoreLanes(D d, const std::uint8_t* mask, std::uint8_t* out,
                           Result result) {
  constexpr auto kStep =
      static_cast<std::int64_t>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>));
  for (std::int64_t i = 0; i < kBlockBytes; i += kStep) {
    const auto taking_part = hn::MaskFromVec(LoadFrom(d, mask + i));
    StoreTo(d, hn::IfThenElse(taking_part, result(i), LoadFrom(d, out + i)),
            out + i);
  }
}

template <class D, class Smaller>
void Contiguous(D d, Smaller smaller, const Stretch& s) {
  const std::uint8_t* a = s.Src0(s.first, 0);
  const std::uint8_t* b = s.Src1(s.first, 0);
  std::uint8_t* out = s.Dst(s.first, 0);
  for (std::int64_t r = s.first; r < s.last; ++r) {
    MinOfBytes<kIterationBytes>(d, smaller, a, b, out);
    a += kIterationBytes;
    b += kIterationBytes;
    out += kIterationBytes;
  }
}

template <class D, class Smaller>
void Strided(D d, Smaller smaller, const Stretch& s) {
  for (std::int64_t r = s.first; r < s.last; ++r) {
    for (int block = 0; block < kBlocksPerIteration; ++block) {
      MinOfBytes<kBlockBytes>(d, smaller, s.Src0(r, block), s.Src1(r, block),
                              s.Dst(r, block));
    }
  }
}

template <class D, class Smaller>
void Masked(D d, Smaller smaller, const Stretch& s) {
  const Parts parts(s, sizeof(hn::TFromD<D>));
  for (std::int64_t r = s.first; r < s.last; ++r) {
    const std::uint8_t* const a = s.Src0(r, 0);
    const std::uint8_t* const b = s.Src1(r, 0);
    std::uint8_t* const out = s.Dst(r, 0);
    for (int n = 0; n < parts.count; ++n) {
      const Parts::Block& block = parts.blocks[n];
      StoreLanes(d, block.mask, out + block.dst, [&](std::int64_t i) HWY_ATTR {
        return smaller(d, LoadFrom(d, a + block.src0 + i),
                       LoadFrom(d, b + block.src1 + i));
      });
    }
  }
}

// ---- Choice of the way ------------------------------------------------------

template <class D, class Smaller>
Path MinOf(D d, Smaller smaller, const Stretch& s) {
  constexpr auto kLanesPerBlock =
      static_cast<int>(kBlockBytes / sizeof(hn::TFromD<D>));
  const bool all =
      s.lanes == LaneMask::First(kBlocksPerIteration * kLanesPerBlock);
  const bool contiguous = IsContiguous(s.plan.dst) &&
                          IsContiguous(s.plan.src0) &&
                          IsContiguous(s.plan.src1);
  if (!all) {
    Masked(d, smaller, s);
  } else if (contiguous) {
    Contiguous(d, smaller, s);
  } else {
    Strided(d, smaller, s);
  }
  if (!all) return Path::kMasked;
  return contiguous ? Path::kContiguous : Path::kStrided;
}

Path MinOfType(const Stretch& s) {
  switch (s.plan.dtype) {
    case isa::DType::kInt16:
      return MinOf(BlockTag<std::int16_t>(), SmallerInteger(), s);
    case isa::DType::kInt32:
      return MinOf(BlockTag<std::int32_t>(), SmallerInteger(), s);
    case isa::DType::kHalf:
      return s.plan.saturation
                 ? MinOf(BlockTag<std::int16_t>(), SmallerHalf<true>(), s)
                 : MinOf(BlockTag<std::int16_t>(), SmallerHalf<false>(), s);
    default:
      return MinOf(BlockTag<float>(), SmallerFloat(), s);
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
