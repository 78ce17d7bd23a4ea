#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "emulator/block_range.h"
#include "emulator/conversion.h"
#include "emulator/half.h"
#include "emulator/lanewise_limits.h"
#include "emulator/lanewise_values.h"
#include "emulator/vector/highway_config.h"
#include "emulator/vector/lane_bytes.h"
#include "emulator/vector/vectors.h"

namespace lanediff::emulator {

using VectorsByRow = std::array<LanewiseVectors, isa::kLanewiseRows.size()>;

}  // namespace lanediff::emulator

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/lanewise.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/conversion-inl.h"
#include "emulator/vector/lanewise_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

// ---- Iterations -------------------------------------------------------------

// A block of dst is written before the next blocks of the sources are read: in
// a legal call they don't meet in the lanes that take part, and with strides
// of DataBlocks and aligned starts blocks meet whole or not at all.

/// Iterations `first` to `last - 1` of a plan with the same `lanes` in each.
struct Stretch {
  const LanewisePlan& plan;
  std::int64_t first;
  std::int64_t last;
  const LaneMask& lanes;
  std::uint8_t* ub;

  std::uint8_t* At(std::size_t operand, std::int64_t r, int block) const {
    return ub + plan.operands[operand].BlockAt(r, block);
  }
};

/// The DataBlocks of an iteration of which lanes take part, and these lanes.
struct Parts {
  struct Block {
    /// Bytes from the iteration's first block, by operand.
    std::array<std::int64_t, isa::Call::kMostOperands> at;
    const std::uint8_t* mask;
  };

  Parts(const Stretch& s, std::int64_t element_bytes)
      : mask(BytesOf(s.lanes, element_bytes)) {
    const auto lanes = static_cast<int>(kBlockBytes / element_bytes);
    for (BlockSet rest = BlocksOf(s.lanes, lanes); rest != 0;
         rest &= rest - 1) {
      const int b = std::countr_zero(rest);
      Block& block = blocks[count++];
      for (std::size_t i = 0; i < block.at.size(); ++i) {
        block.at[i] = b * s.plan.operands[i].block_stride;
      }
      block.mask = mask.data() + b * kBlockBytes;
    }
  }
  Parts(const Parts&) = delete;  // blocks point into the mask

  alignas(kBlockBytes) const IterationBytes mask;
  std::array<Block, kBlocksPerIteration> blocks = {};
  int count = 0;
};

/// The values of `kBytes` bytes of each source.
template <std::int64_t kBytes, class D, class Value, class... Byte>
HWY_INLINE void ValuesOfBytes(D d, Value value, std::uint8_t* out,
                              const Byte*... src) {
  constexpr auto kStep =
      static_cast<std::int64_t>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>));
  HWY_UNROLL(8)
  for (std::int64_t i = 0; i < kBytes; i += kStep) {
    StoreTo(d, value(d, LoadFrom(d, src + i)...), out + i);
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

template <class D, class Value, class... Byte>
void Contiguous(D d, Value value, std::int64_t iterations, std::uint8_t* out,
                const Byte*... src) {
  for (std::int64_t r = 0; r < iterations; ++r) {
    ValuesOfBytes<kIterationBytes>(d, value, out, src...);
    out += kIterationBytes;
    ((src += kIterationBytes), ...);
  }
}

template <class D, class Value, std::size_t... kSource>
void Strided(D d, Value value, const Stretch& s,
             std::index_sequence<kSource...>) {
  for (std::int64_t r = s.first; r < s.last; ++r) {
    for (int block = 0; block < kBlocksPerIteration; ++block) {
      ValuesOfBytes<kBlockBytes>(d, value, s.At(0, r, block),
                                 s.At(kSource + 1, r, block)...);
    }
  }
}

/// One iteration; the pointers are to its first blocks.
template <class D, class Value, std::size_t... kSource, class... Byte>
HWY_INLINE void MaskedBlocks(D d, Value value, const Parts& parts,
                             std::index_sequence<kSource...>, std::uint8_t* out,
                             const Byte*... src) {
  for (int n = 0; n < parts.count; ++n) {
    const Parts::Block& block = parts.blocks[n];
    StoreLanes(d, block.mask, out + block.at[0],
               [&]([[maybe_unused]] std::int64_t i) HWY_ATTR {
                 return value(d,
                              LoadFrom(d, src + block.at[kSource + 1] + i)...);
               });
  }
}

template <class D, class Value, std::size_t... kSource>
void Masked(D d, Value value, const Stretch& s,
            std::index_sequence<kSource...> sources) {
  const Parts parts(s, sizeof(hn::TFromD<D>));
  for (std::int64_t r = s.first; r < s.last; ++r) {
    MaskedBlocks(d, value, parts, sources, s.At(0, r, 0),
                 s.At(kSource + 1, r, 0)...);
  }
}

// ---- Choice of the way ------------------------------------------------------

template <class D, class Value, std::size_t... kSource>
Path AnyWay(D d, Value value, const Stretch& s,
            std::index_sequence<kSource...> sources) {
  constexpr auto kLanesPerBlock =
      static_cast<int>(kBlockBytes / sizeof(hn::TFromD<D>));
  if (s.lanes != LaneMask::First(kBlocksPerIteration * kLanesPerBlock)) {
    Masked(d, value, s, sources);
    return Path::kMasked;
  }
  if (IsContiguous(s.plan.dst()) &&
      (IsContiguous(s.plan.operands[kSource + 1]) && ...)) {
    Contiguous(d, value, s.last - s.first, s.At(0, s.first, 0),
               s.At(kSource + 1, s.first, 0)...);
    return Path::kContiguous;
  }
  Strided(d, value, s, sources);
  return Path::kStrided;
}

/// `Value` of the sources and, behind them, of the same scalar in each lane,
/// and of what dst holds.
template <class D, class Value>
struct WithScalar {
  Value value;
  hn::Vec<D> scalar;

  template <class V, class... Dst>
  HWY_INLINE hn::Vec<D> operator()(D d, V v, Dst... dst) const {
    return value(d, v, scalar, dst...);
  }
  HWY_INLINE hn::Vec<D> operator()(D d) const { return value(d, scalar); }
};

/// Numbers of operands less 1; dst, as the last input, has that of no source.
template <std::size_t... kSource>
constexpr auto WithDst(std::index_sequence<kSource...>) {
  return std::index_sequence<kSource..., ~std::size_t{0}>();
}

template <std::size_t kRow>
constexpr auto InputsOf() {
  constexpr std::make_index_sequence<isa::kLanewiseRows[kRow].sources()>
      kSources;
  if constexpr (isa::kLanewiseRows[kRow].ReadsDst()) {
    return WithDst(kSources);
  } else {
    return kSources;
  }
}

template <std::size_t kRow, class D, class Value>
Path Iterations(D d, Value value, const Stretch& s) {
  constexpr auto kSources = InputsOf<kRow>();
  if constexpr (isa::kLanewiseRows[kRow].Has(isa::Param::kScalar)) {
    const hn::RebindToUnsigned<D> bits;
    const auto scalar = hn::BitCast(
        d,
        hn::Set(bits, static_cast<hn::TFromD<decltype(bits)>>(s.plan.scalar)));
    return AnyWay(d, WithScalar<D, Value>{value, scalar}, s, kSources);
  } else {
    return AnyWay(d, value, s, kSources);
  }
}

template <std::size_t kRow, template <bool> class Value, class D>
Path InMode(D d, const Stretch& s) {
  if constexpr (!std::same_as<Value<true>, Value<false>>) {
    if (!s.plan.saturation) return Iterations<kRow>(d, Value<false>(), s);
  }
  return Iterations<kRow>(d, Value<true>(), s);
}

/// Does nothing where the row doesn't have the type on any product.
template <std::size_t kRow, isa::DType kType>
Path OfType(const Stretch& s) {
  using Value = VectorValue<kRow>;
  if constexpr (!kLanewiseLimits[kRow].OnAny().Has(kType)) {
    return Path::kMasked;
  } else if constexpr (requires { typename Value::Bits; }) {
    using Element = hwy::UnsignedFromSize<ElementBytes(kType)>;
    return Iterations<kRow>(BlockTag<Element>(), typename Value::Bits(), s);
  } else if constexpr (requires { Value::kShifts; }) {
    const BlockTag<ElementOf<kType>> d;
    return s.plan.round
               ? Iterations<kRow>(d, typename Value::template Words<true>(), s)
               : Iterations<kRow>(d, typename Value::template Words<false>(),
                                  s);
  } else if constexpr (kType == isa::DType::kHalf) {
    return InMode<kRow, Value::template Half>(typename Value::HalfTag(), s);
  } else if constexpr (kType == isa::DType::kFloat) {
    return Iterations<kRow>(BlockTag<float>(), typename Value::Float(), s);
  } else {
    return InMode<kRow, Value::template Integer>(BlockTag<ElementOf<kType>>(),
                                                 s);
  }
}

template <std::size_t kRow>
Path OfAnyType(const Stretch& s) {
  switch (s.plan.dtype) {
    case isa::DType::kInt16:
      return OfType<kRow, isa::DType::kInt16>(s);
    case isa::DType::kUint16:
      return OfType<kRow, isa::DType::kUint16>(s);
    case isa::DType::kInt32:
      return OfType<kRow, isa::DType::kInt32>(s);
    case isa::DType::kUint32:
      return OfType<kRow, isa::DType::kUint32>(s);
    case isa::DType::kHalf:
      return OfType<kRow, isa::DType::kHalf>(s);
    case isa::DType::kBfloat16:
      return OfType<kRow, isa::DType::kBfloat16>(s);
    default:
      return OfType<kRow, isa::DType::kFloat>(s);
  }
}

// ---- Conversions ------------------------------------------------------------

/// Elements of a plan, from one place to another.
class Converter {
 public:
  explicit Converter(const LanewisePlan& plan)
      : plan_(plan),
        run_(RunOf(plan.dtype, plan.dst_dtype, plan.round_mode,
                   plan.saturation)),
        convert_(ConversionOf(plan.dtype, plan.dst_dtype)) {}

  void operator()(const std::uint8_t* src, std::uint8_t* dst,
                  std::int64_t count) const {
    const std::int64_t from = plan_.src(0).element_bytes;
    const std::int64_t to = plan_.dst().element_bytes;
    std::int64_t i = run_ == nullptr ? 0 : run_(src, dst, count);
    for (; i < count && convert_ != nullptr; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, src + i * from, static_cast<std::size_t>(from));
      bits = convert_(bits, plan_.round_mode, plan_.saturation);
      std::memcpy(dst + i * to, &bits, static_cast<std::size_t>(to));
    }
  }

 private:
  const LanewisePlan& plan_;
  ConversionRun run_;
  Conversion convert_;
};

/// The DataBlocks of an operand that lanes of iteration `r` are in.
BlockSet BlocksOf(const LanewisePlan& plan, std::int64_t r,
                  const VectorOperand& operand) {
  return BlocksOf(plan.LanesOf(r),
                  static_cast<int>(kBlockBytes / operand.element_bytes));
}

/// Writes the lanes of `mask` of an iteration's results.
void PutIteration(const LanewisePlan& plan, std::int64_t r,
                  const IterationBytes& results, const IterationBytes& mask,
                  std::uint8_t* ub) {
  const VectorOperand& dst = plan.dst();
  for (BlockSet rest = BlocksOf(plan, r, dst); rest != 0; rest &= rest - 1) {
    const int b = std::countr_zero(rest);
    std::uint8_t* const out = ub + dst.BlockAt(r, b);
    const std::uint8_t* const result = results.data() + b * kBlockBytes;
    const std::uint8_t* const kept = mask.data() + b * kBlockBytes;
    for (std::int64_t i = 0; i < kBlockBytes; ++i) {
      out[i] = static_cast<std::uint8_t>((result[i] & kept[i]) |
                                         (out[i] & ~kept[i]));
    }
  }
}

/// The blocks of a source that lanes of iteration `r` are in.
IterationBytes Gathered(const LanewisePlan& plan, std::int64_t r,
                        const VectorOperand& src, const std::uint8_t* ub) {
  IterationBytes from{};
  for (BlockSet rest = BlocksOf(plan, r, src); rest != 0; rest &= rest - 1) {
    const int b = std::countr_zero(rest);
    std::memcpy(from.data() + b * kBlockBytes, ub + src.BlockAt(r, b),
                kBlockBytes);
  }
  return from;
}

/// What a row makes of two sources before it is converted, in place of the
/// first one; of one source nothing.
template <std::size_t kRow>
void Combine(isa::DType type, std::uint8_t* a, const std::uint8_t* b) {
  using Value = VectorValue<kRow>;
  constexpr TypeSet kTypes = kLanewiseLimits[kRow].OnAny();
  if (type == isa::DType::kHalf) {
    return ValuesOfBytes<kIterationBytes>(typename Value::HalfTag(),
                                          typename Value::template Half<true>(),
                                          a, a, b);
  }
  if constexpr (kTypes.Has(isa::DType::kFloat)) {
    if (type == isa::DType::kFloat) {
      return ValuesOfBytes<kIterationBytes>(BlockTag<float>(),
                                            typename Value::Float(), a, a, b);
    }
  }
  if constexpr (kTypes.Has(isa::DType::kInt16)) {
    ValuesOfBytes<kIterationBytes>(BlockTag<std::int16_t>(),
                                   typename Value::template Integer<true>(), a,
                                   a, b);
  }
}

/// One iteration: its blocks are gathered, converted and put where they belong.
template <std::size_t kRow>
void ConvertIteration(const Converter& convert, const LanewisePlan& plan,
                      std::int64_t r, const IterationBytes& mask,
                      std::uint8_t* ub) {
  alignas(kBlockBytes) IterationBytes from = Gathered(plan, r, plan.src(0), ub);
  alignas(kBlockBytes) IterationBytes to;
  if constexpr (isa::kLanewiseRows[kRow].sources() == 2) {
    alignas(kBlockBytes) const IterationBytes other =
        Gathered(plan, r, plan.src(1), ub);
    Combine<kRow>(plan.dtype, from.data(), other.data());
  }
  convert(from.data(), to.data(), kIterationBytes / plan.lane_bytes);
  PutIteration(plan, r, to, mask, ub);
}

template <std::size_t kRow>
Path ConvertedVectors(const LanewisePlan& plan, std::span<std::uint8_t> ub) {
  const Converter convert(plan);
  const std::int64_t all = kIterationBytes / plan.lane_bytes;
  const bool dense = std::ranges::all_of(
      plan.used_operands(), [&](const VectorOperand& operand) {
        return operand.block_stride == kBlockBytes &&
               operand.repeat_stride == all * operand.element_bytes;
      });
  const LaneMask whole = LaneMask::First(all);
  const bool direct = isa::kLanewiseRows[kRow].sources() == 1;
  if (direct && dense && plan.lanes == whole) {
    std::int64_t last = all;
    while (last > 0 && LaneMask::First(last) != plan.last_lanes) --last;
    convert(ub.data() + plan.src(0).at, ub.data() + plan.dst().at,
            (plan.iterations - 1) * all + last);
    return plan.iterations > 1 || last == all ? Path::kContiguous
                                              : Path::kMasked;
  }
  const std::int64_t element = plan.dst().element_bytes;
  const IterationBytes mask = BytesOf(plan.lanes, element);
  const IterationBytes last_mask = BytesOf(plan.last_lanes, element);
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    const bool last = r + 1 == plan.iterations;
    ConvertIteration<kRow>(convert, plan, r, last ? last_mask : mask,
                           ub.data());
  }
  const bool full =
      (plan.iterations == 1 ? plan.last_lanes : plan.lanes) == whole;
  if (!full) return Path::kMasked;
  return dense ? Path::kContiguous : Path::kStrided;
}

// ---- Numbers of lanes
// ----------------------------------------------------------

/// The elements of an iteration that begins with lane `number`.
template <class Value>
void CountLanes(auto first, std::int64_t element, std::int64_t number,
                std::uint8_t* out) {
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(Floats()));
  for (std::int64_t i = 0; i < kIterationBytes / element; i += kStep) {
    Value::Store(first, static_cast<std::int32_t>(number + i),
                 out + i * element);
  }
}

template <class Values>
void CountIteration(const LanewisePlan& plan, std::int64_t number,
                    std::uint8_t* out) {
  const std::int64_t element = plan.lane_bytes;
  const auto count = [&]<class Off, class On>(auto first) {
    plan.saturation ? CountLanes<On>(first, element, number, out)
                    : CountLanes<Off>(first, element, number, out);
  };
  using Off = typename Values::template Integer<false>;
  using On = typename Values::template Integer<true>;
  const auto low = static_cast<std::uint16_t>(plan.scalar);
  const auto word = static_cast<std::uint32_t>(plan.scalar);
  switch (plan.dtype) {
    case isa::DType::kInt16:
      return count.template operator()<Off, On>(static_cast<std::int16_t>(low));
    case isa::DType::kInt32:
      return count.template operator()<Off, On>(
          static_cast<std::int32_t>(word));
    case isa::DType::kHalf:
      return count.template operator()<typename Values::template Half<false>,
                                       typename Values::template Half<true>>(
          lanediff::emulator::HalfToFloat(low));
    default:
      return CountLanes<typename Values::Float>(std::bit_cast<float>(word),
                                                element, number, out);
  }
}

template <class Values>
Path CountedVectors(const LanewisePlan& plan, std::span<std::uint8_t> ub) {
  const std::int64_t all = kIterationBytes / plan.lane_bytes;
  const IterationBytes mask = BytesOf(plan.lanes, plan.lane_bytes);
  const IterationBytes last_mask = BytesOf(plan.last_lanes, plan.lane_bytes);
  alignas(kBlockBytes) IterationBytes results;
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    CountIteration<Values>(plan, r * all, results.data());
    PutIteration(plan, r, results, r + 1 == plan.iterations ? last_mask : mask,
                 ub.data());
  }
  const bool first_alone = plan.iterations == 1;
  if ((first_alone ? plan.last_lanes : plan.lanes) != LaneMask::First(all)) {
    return Path::kMasked;
  }
  return IsContiguous(plan.dst()) ? Path::kContiguous : Path::kStrided;
}

// ---- Packed bits ------------------------------------------------------------

/// Bits of halves in the order of their values; NaN are apart.
struct HalvesInOrder {
  using D = BlockTag<std::int16_t>;

  static HWY_INLINE hn::Mask<D> IsNan(D d, hn::Vec<D> bits) {
    return hn::Gt(hn::And(bits, hn::Set(d, 0x7fff)), hn::Set(d, 0x7c00));
  }
  static HWY_INLINE hn::Vec<D> Key(D d, hn::Vec<D> bits) {
    const auto magnitude = hn::And(bits, hn::Set(d, 0x7fff));
    return hn::IfThenElse(hn::Lt(bits, hn::Zero(d)), hn::Neg(magnitude),
                          magnitude);
  }
};

template <isa::CmpMode kMode, class D>
HWY_INLINE hn::Mask<D> MaskWhere(D, hn::Vec<D> a, hn::Vec<D> b) {
  if constexpr (kMode == isa::CmpMode::kLt) return hn::Lt(a, b);
  if constexpr (kMode == isa::CmpMode::kGt) return hn::Gt(a, b);
  if constexpr (kMode == isa::CmpMode::kEq) return hn::Eq(a, b);
  if constexpr (kMode == isa::CmpMode::kLe) {
    return hn::Or(hn::Lt(a, b), hn::Eq(a, b));
  }
  if constexpr (kMode == isa::CmpMode::kGe) {
    return hn::Or(hn::Gt(a, b), hn::Eq(a, b));
  }
  if constexpr (kMode == isa::CmpMode::kNe) {
    return hn::Or(hn::Lt(a, b), hn::Gt(a, b));
  }
}

/// Of vectors of a mode and a type.
template <isa::CmpMode kMode, isa::DType kType>
struct Comparison {
  using D = BlockTag<
      std::conditional_t<kType == isa::DType::kFloat, float,
                         std::conditional_t<kType == isa::DType::kHalf,
                                            std::int16_t, ElementOf<kType>>>>;

  static HWY_INLINE hn::Mask<D> Holds(D d, hn::Vec<D> a, hn::Vec<D> b) {
    if constexpr (kType == isa::DType::kHalf) {
      using Order = HalvesInOrder;
      const auto holds =
          MaskWhere<kMode>(d, Order::Key(d, a), Order::Key(d, b));
      return hn::AndNot(hn::Or(Order::IsNan(d, a), Order::IsNan(d, b)), holds);
    } else {
      return MaskWhere<kMode>(d, a, b);
    }
  }
};

/// The bits of one DataBlock of each source, the lowest lane first.
template <class Relation>
HWY_INLINE std::uint64_t BitsOfBlock(const std::uint8_t* a,
                                     const std::uint8_t* b) {
  const typename Relation::D d;
  constexpr auto kLanes = hn::MaxLanes(typename Relation::D());
  constexpr auto kStep = static_cast<std::int64_t>(
      kLanes * sizeof(hn::TFromD<typename Relation::D>));
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < kBlockBytes; i += kStep) {
    const auto holds =
        Relation::Holds(d, LoadFrom(d, a + i), LoadFrom(d, b + i));
    std::uint8_t some[8] = {};
    hn::StoreMaskBits(d, holds, some);
    std::uint64_t word = 0;
    std::memcpy(&word, some, sizeof(word));
    bits |= (word & ((std::uint64_t{1} << kLanes) - 1))
            << static_cast<std::uint64_t>(i / kStep) * kLanes;
  }
  return bits;
}

template <class Relation>
void CompareIterations(const LanewisePlan& plan, std::uint8_t* ub) {
  constexpr auto kLanes =
      static_cast<int>(kBlockBytes / sizeof(hn::TFromD<typename Relation::D>));
  alignas(kBlockBytes) std::uint8_t same[kBlockBytes];
  for (std::int64_t i = 0; i < kBlockBytes; i += plan.lane_bytes) {
    std::memcpy(same + i, &plan.scalar,
                static_cast<std::size_t>(plan.lane_bytes));
  }
  const bool scalar = plan.signature->Has(isa::Param::kScalar);
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    const LaneMask& lanes = plan.LanesOf(r);
    std::uint64_t words[2] = {};
    for (int block = 0; block < kBlocksPerIteration; ++block) {
      const std::uint64_t part = lanes.Slice(block * kLanes, kLanes);
      if (part == 0) continue;
      const std::uint8_t* const b =
          scalar ? same : ub + plan.src(1).BlockAt(r, block);
      const std::uint64_t bits =
          BitsOfBlock<Relation>(ub + plan.src(0).BlockAt(r, block), b);
      words[block * kLanes / 64] |= (bits & part) << block * kLanes % 64;
    }
    std::memcpy(ub + plan.dst().BlockAt(r, 0), words,
                static_cast<std::size_t>(plan.packed_bytes()));
  }
}

template <std::size_t kRow, isa::DType kType>
void CompareByMode(const LanewisePlan& plan, std::uint8_t* ub) {
  using enum isa::CmpMode;
  if constexpr (kLanewiseLimits[kRow].OnAny().Has(kType)) {
    switch (plan.cmp_mode) {
      case kLt:
        return CompareIterations<Comparison<kLt, kType>>(plan, ub);
      case kGt:
        return CompareIterations<Comparison<kGt, kType>>(plan, ub);
      case kEq:
        return CompareIterations<Comparison<kEq, kType>>(plan, ub);
      case kLe:
        return CompareIterations<Comparison<kLe, kType>>(plan, ub);
      case kGe:
        return CompareIterations<Comparison<kGe, kType>>(plan, ub);
      case kNe:
        return CompareIterations<Comparison<kNe, kType>>(plan, ub);
    }
  }
}

template <std::size_t kRow>
Path ComparedVectors(const LanewisePlan& plan, std::span<std::uint8_t> ub) {
  switch (plan.dtype) {
    case isa::DType::kHalf:
      CompareByMode<kRow, isa::DType::kHalf>(plan, ub.data());
      break;
    case isa::DType::kInt16:
      CompareByMode<kRow, isa::DType::kInt16>(plan, ub.data());
      break;
    case isa::DType::kUint16:
      CompareByMode<kRow, isa::DType::kUint16>(plan, ub.data());
      break;
    case isa::DType::kInt32:
      CompareByMode<kRow, isa::DType::kInt32>(plan, ub.data());
      break;
    case isa::DType::kUint32:
      CompareByMode<kRow, isa::DType::kUint32>(plan, ub.data());
      break;
    default:
      CompareByMode<kRow, isa::DType::kFloat>(plan, ub.data());
  }
  if (plan.LanesOf(0) != LaneMask::First(kIterationBytes / plan.lane_bytes)) {
    return Path::kMasked;
  }
  const auto sources = plan.used_operands().subspan(1);
  return std::ranges::all_of(sources, IsContiguous) ? Path::kContiguous
                                                    : Path::kStrided;
}

// ---- Selections -------------------------------------------------------------

/// A block of bytes that are all ones where a lane's bit is 1.
template <class T>
void ExpandBits(const std::uint8_t* bits, std::uint8_t* out) {
  for (std::size_t i = 0; i < kBlockBytes / sizeof(T); ++i) {
    const auto lane = static_cast<T>(-(bits[i / 8] >> i % 8 & 1));
    std::memcpy(out + i * sizeof(T), &lane, sizeof(T));
  }
}

/// The blocks of an iteration with lanes: of src0 where bits are 1.
template <class T>
void SelectIteration(const LanewisePlan& plan, std::int64_t r,
                     const IterationBytes& mask, std::uint8_t* ub) {
  const BlockTag<T> d;
  const auto scalar = hn::Set(d, static_cast<T>(plan.scalar));
  alignas(kBlockBytes) std::array<std::uint8_t, kBlockBytes> chosen;
  for (BlockSet rest = BlocksOf(plan, r, plan.dst()); rest != 0;
       rest &= rest - 1) {
    const int b = std::countr_zero(rest);
    ExpandBits<T>(ub + plan.src(1).BlockAt(r, b), chosen.data());
    const std::uint8_t* const src0 = ub + plan.src(0).BlockAt(r, b);
    const std::uint8_t* const src1 = ub + plan.src(2).BlockAt(r, b);
    StoreLanes(d, mask.data() + b * kBlockBytes, ub + plan.dst().BlockAt(r, b),
               [&](std::int64_t i) HWY_ATTR {
                 const auto other =
                     plan.selects_scalar ? scalar : LoadFrom(d, src1 + i);
                 return hn::IfThenElse(
                     hn::MaskFromVec(LoadFrom(d, chosen.data() + i)),
                     LoadFrom(d, src0 + i), other);
               });
  }
}

Path SelectedVectors(const LanewisePlan& plan, std::span<std::uint8_t> ub) {
  const IterationBytes mask = BytesOf(plan.lanes, plan.lane_bytes);
  const IterationBytes last_mask = BytesOf(plan.last_lanes, plan.lane_bytes);
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    const IterationBytes& of = r + 1 == plan.iterations ? last_mask : mask;
    if (plan.lane_bytes == 2) {
      SelectIteration<std::uint16_t>(plan, r, of, ub.data());
    } else {
      SelectIteration<std::uint32_t>(plan, r, of, ub.data());
    }
  }
  const LaneMask whole = LaneMask::First(kIterationBytes / plan.lane_bytes);
  if (plan.LanesOf(0) != whole) return Path::kMasked;
  const auto dense = [](const VectorOperand& operand) {
    return operand.is_packed || IsContiguous(operand);
  };
  return std::ranges::all_of(plan.used_operands(), dense) ? Path::kContiguous
                                                          : Path::kStrided;
}

/// The last iteration of the count form may have fewer lanes.
template <std::size_t kRow>
Path Vectors(const LanewisePlan& plan, std::span<std::uint8_t> ub) {
  const std::int64_t same =
      plan.lanes == plan.last_lanes ? plan.iterations : plan.iterations - 1;
  Path path = Path::kMasked;
  if (same > 0) {
    path = OfAnyType<kRow>({plan, 0, same, plan.lanes, ub.data()});
  }
  if (same < plan.iterations) {
    OfAnyType<kRow>({plan, same, plan.iterations, plan.last_lanes, ub.data()});
  }
  return path;
}

template <std::size_t kRow>
constexpr LanewiseVectors VectorsOf() {
  if constexpr (isa::kLanewiseRows[kRow].Converts()) {
    return ConvertedVectors<kRow>;
  } else if constexpr (isa::kLanewiseRows[kRow].NumbersLanes()) {
    return CountedVectors<VectorValue<kRow>>;
  } else if constexpr (isa::kLanewiseRows[kRow].PacksBits()) {
    return ComparedVectors<kRow>;
  } else if constexpr (isa::kLanewiseRows[kRow].Has(isa::Param::kSelMode)) {
    return SelectedVectors;
  } else {
    return Vectors<kRow>;
  }
}

}  // namespace

constexpr VectorsByRow kLanewiseVectors =
    []<std::size_t... kRow>(std::index_sequence<kRow...>) {
      return VectorsByRow{VectorsOf<kRow>()...};
    }(std::make_index_sequence<isa::kLanewiseRows.size()>());

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

void UseVectors(VectorTarget target, LanewiseRows& rows) {
  constexpr ByVectorTarget<const VectorsByRow*> kByTarget =
      LANEDIFF_BY_VECTOR_TARGET(kLanewiseVectors);
  const VectorsByRow& vectors = *kByTarget[static_cast<std::size_t>(target)];
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].vectors = vectors[i];
}

}  // namespace lanediff::emulator
#endif
