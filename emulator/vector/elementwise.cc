#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

#include "emulator/block_range.h"
#include "emulator/vector/highway_config.h"
#include "emulator/vector/lane_bytes.h"
#include "emulator/vector/vectors.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/elementwise.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/elementwise_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

// ---- Iterations -------------------------------------------------------------

// A block of dst is written before the next blocks of the sources are read: in
// a legal call they don't meet in the lanes that take part, and with strides
// of DataBlocks and aligned starts blocks meet whole or not at all.

/// Iterations `first` to `last - 1` of a plan with the same `lanes` in each.
struct Stretch {
  const ElementwisePlan& plan;
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

/// The values of `kBytes` bytes of two sources.
template <std::int64_t kBytes, class D, class Value>
HWY_INLINE void ValuesOfBytes(D d, Value value, const std::uint8_t* a,
                              const std::uint8_t* b, std::uint8_t* out) {
  constexpr auto kStep =
      static_cast<std::int64_t>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>));
  HWY_UNROLL(8)
  for (std::int64_t i = 0; i < kBytes; i += kStep) {
    StoreTo(d, value(d, LoadFrom(d, a + i), LoadFrom(d, b + i)), out + i);
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

template <class D, class Value>
void Contiguous(D d, Value value, const Stretch& s) {
  const std::uint8_t* a = s.Src0(s.first, 0);
  const std::uint8_t* b = s.Src1(s.first, 0);
  std::uint8_t* out = s.Dst(s.first, 0);
  for (std::int64_t r = s.first; r < s.last; ++r) {
    ValuesOfBytes<kIterationBytes>(d, value, a, b, out);
    a += kIterationBytes;
    b += kIterationBytes;
    out += kIterationBytes;
  }
}

template <class D, class Value>
void Strided(D d, Value value, const Stretch& s) {
  for (std::int64_t r = s.first; r < s.last; ++r) {
    for (int block = 0; block < kBlocksPerIteration; ++block) {
      ValuesOfBytes<kBlockBytes>(d, value, s.Src0(r, block), s.Src1(r, block),
                                 s.Dst(r, block));
    }
  }
}

template <class D, class Value>
void Masked(D d, Value value, const Stretch& s) {
  const Parts parts(s, sizeof(hn::TFromD<D>));
  for (std::int64_t r = s.first; r < s.last; ++r) {
    const std::uint8_t* const a = s.Src0(r, 0);
    const std::uint8_t* const b = s.Src1(r, 0);
    std::uint8_t* const out = s.Dst(r, 0);
    for (int n = 0; n < parts.count; ++n) {
      const Parts::Block& block = parts.blocks[n];
      StoreLanes(d, block.mask, out + block.dst, [&](std::int64_t i) HWY_ATTR {
        return value(d, LoadFrom(d, a + block.src0 + i),
                     LoadFrom(d, b + block.src1 + i));
      });
    }
  }
}

// ---- Choice of the way ------------------------------------------------------

template <class D, class Value>
Path Iterations(D d, Value value, const Stretch& s) {
  constexpr auto kLanesPerBlock =
      static_cast<int>(kBlockBytes / sizeof(hn::TFromD<D>));
  const bool all =
      s.lanes == LaneMask::First(kBlocksPerIteration * kLanesPerBlock);
  const bool contiguous = IsContiguous(s.plan.dst) &&
                          IsContiguous(s.plan.src0) &&
                          IsContiguous(s.plan.src1);
  if (!all) {
    Masked(d, value, s);
  } else if (contiguous) {
    Contiguous(d, value, s);
  } else {
    Strided(d, value, s);
  }
  if (!all) return Path::kMasked;
  return contiguous ? Path::kContiguous : Path::kStrided;
}

template <template <bool> class Value, class D>
Path InMode(D d, const Stretch& s) {
  return s.plan.saturation ? Iterations(d, Value<true>(), s)
                           : Iterations(d, Value<false>(), s);
}

template <class Call>
Path IterationsOf(const Stretch& s) {
  using Value = VectorValue<Call>;
  switch (s.plan.dtype) {
    case isa::DType::kInt16:
      return InMode<Value::template Int16>(BlockTag<std::int16_t>(), s);
    case isa::DType::kInt32:
      return InMode<Value::template Int32>(BlockTag<std::int32_t>(), s);
    case isa::DType::kHalf:
      return InMode<Value::template Half>(typename Value::HalfTag(), s);
    default:
      return Iterations(BlockTag<float>(), typename Value::Float(), s);
  }
}

}  // namespace

/// The last iteration of the count form may have fewer lanes.
template <class Call>
Path Elementwise(const ElementwisePlan& plan, std::span<std::uint8_t> ub) {
  const std::int64_t same =
      plan.lanes == plan.last_lanes ? plan.iterations : plan.iterations - 1;
  Path path = Path::kMasked;
  if (same > 0)
    path = IterationsOf<Call>({plan, 0, same, plan.lanes, ub.data()});
  if (same < plan.iterations) {
    IterationsOf<Call>(
        {plan, same, plan.iterations, plan.last_lanes, ub.data()});
  }
  return path;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {
namespace {

template <class Call>
constexpr ByVectorTarget<ElementwiseVectors> kByTarget =
    LANEDIFF_BY_VECTOR_TARGET(Elementwise<Call>);

}  // namespace

void UseVectors(VectorTarget target, ElementwiseRows& rows) {
  const auto index = static_cast<std::size_t>(target);
  const auto use = [&]<isa::Elementwise Call>(ElementwiseSeams<Call>& row) {
    row.vectors = kByTarget<Call>[index];
  };
  std::apply([&](auto&... row) { (use(row), ...); }, rows);
}

}  // namespace lanediff::emulator
#endif
