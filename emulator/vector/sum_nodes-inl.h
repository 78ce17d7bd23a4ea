// The nodes of RepeatReduceSum's tree for every target, included once for each.
#if defined(LANEDIFF_EMULATOR_VECTOR_SUM_NODES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_SUM_NODES_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_SUM_NODES_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_SUM_NODES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/half-inl.h"
#include "emulator/vector/neighbours-inl.h"

/// Three kinds of nodes with the same members. A `Value` is a vector of sums so
/// far; what takes no part is in it as a zero that changes no sum. `mask`
/// points to all ones for the lanes that take part, or is null if all do.
HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = BlockTag<float>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using SignedTag = hn::RebindToSigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Words = hn::Vec<WordTag>;

/// Words of a block, those bits that take no part as in `absent`.
HWY_INLINE Words LoadWords(const std::uint8_t* at, const std::uint8_t* mask,
                           std::uint32_t absent) {
  const WordTag d;
  const Words words = LoadFrom(d, at);
  if (mask == nullptr) return words;
  const Words take = LoadFrom(d, mask);
  if (absent == 0) return hn::And(words, take);
  return hn::Or(hn::And(words, take), hn::AndNot(take, hn::Set(d, absent)));
}

// ---- float ------------------------------------------------------------------

/// Float. -0 changes no sum, and nothing that is a number is lost in a NaN.
struct FloatNodes {
  using Bits = std::uint32_t;
  using Value = Floats;

  Value Leaf(const std::uint8_t* at, const std::uint8_t* mask) const {
    return hn::BitCast(FloatTag(), LoadWords(at, mask, 0x80000000u));
  }
  Value Absent() const { return SetBits(FloatTag(), 0x80000000u); }
  Value Add(const Pair<Value>& p) const { return hn::Add(p.one, p.other); }
  template <std::size_t kStep>
  Pair<Value> Sides(Value a, Value b) const {
    return Neighbours<kStep>(FloatTag(), a, b);
  }
  void Store(Value sum, Bits* out) const {
    const FloatTag d;
    const auto number = hn::Eq(sum, sum);
    StoreTo(d, hn::IfThenElse(number, sum, SetBits(d, 0x7fc00000u)),
            reinterpret_cast<std::uint8_t*>(out));
  }
};

// ---- half -------------------------------------------------------------------

/// Halves that are finite and none of them -0, so that no sum is -0 either. A
/// value is the float of the half's bits where they stand in a float: 2^112
/// times too small. With `kClamp` sums beyond the largest half become the
/// largest; else there must be none.
template <bool kClamp>
struct FiniteHalfNodes {
  using Bits = std::uint16_t;
  using Value = Floats;

  HWY_INLINE Value Leaf(const std::uint8_t* at,
                        const std::uint8_t* mask) const {
    const SignedTag d;
    const auto words = hn::BitCast(d, LoadWords(at, mask, 0));
    return Add({Placed(hn::ShiftLeft<16>(words)), Placed(words)});
  }
  HWY_INLINE Value Absent() const { return hn::Zero(FloatTag()); }
  HWY_INLINE Value Add(const Pair<Value>& p) const {
    const FloatTag d;
    const Value sum = hn::Add(p.one, p.other);
    // Adding 2^13 times the power of two below the sum leaves 11 bits of it. A
    // subnormal one has no more, nor any power: nothing happens to it.
    const Value power = hn::And(sum, SetBits(d, 0xff800000u));
    const Value scale = hn::Set(d, 0x1p13f);
    const Value rounded =
        hn::NegMulAdd(power, scale, hn::MulAdd(power, scale, sum));
    if constexpr (!kClamp) return rounded;
    return hn::Min(hn::Max(rounded, SetBits(d, 0x8f7fe000u)),
                   SetBits(d, 0x0f7fe000u));
  }
  template <std::size_t kStep>
  HWY_INLINE Pair<Value> Sides(Value a, Value b) const {
    return Neighbours<kStep>(FloatTag(), a, b);
  }
  HWY_INLINE void Store(Value sum, Bits* out) const {
    const WordTag d;
    const Words bits = hn::BitCast(d, sum);
    const Words sign = hn::And(bits, hn::Set(d, 0x80000000u));
    const Words half = hn::Or(hn::ShiftRight<13>(hn::Xor(bits, sign)),
                              hn::ShiftRight<16>(sign));
    const HalvesOf<FloatTag> halves;
    StoreTo(halves, hn::DemoteTo(halves, hn::BitCast(SignedTag(), half)),
            reinterpret_cast<std::uint8_t*>(out));
  }

 private:
  /// The half in the upper 16 bits, where it stands in a float.
  static HWY_INLINE Value Placed(hn::Vec<SignedTag> half) {
    const SignedTag d;
    const auto mask = hn::BitCast(d, hn::Set(WordTag(), 0x8fffe000u));
    return hn::BitCast(FloatTag(), hn::And(hn::ShiftRight<3>(half), mask));
  }
};

/// Any halves.
template <bool kSaturate>
struct AnyHalfNodes {
  using Bits = std::uint16_t;
  struct Value {
    Floats sum;
    Words present;  // all ones, or nothing
  };

  HWY_INLINE Value Leaf(const std::uint8_t* at,
                        const std::uint8_t* mask) const {
    const WordTag d;
    const SignedTag ds;
    const Words words = LoadWords(at, mask, 0x80008000u);
    const auto take = hn::BitCast(
        ds, mask == nullptr ? hn::Set(d, 0xffffffffu) : LoadFrom(d, mask));
    return Add({{Wide(hn::And(words, hn::Set(d, 0xffffu))),
                 hn::BitCast(d, hn::ShiftRight<16>(hn::ShiftLeft<16>(take)))},
                {Wide(hn::ShiftRight<16>(words)),
                 hn::BitCast(d, hn::ShiftRight<16>(take))}});
  }
  HWY_INLINE Value Absent() const {
    return {SetBits(FloatTag(), 0x80000000u), hn::Zero(WordTag())};
  }
  /// What has no partner passes as it is: -0 changes nothing but a result that
  /// saturates.
  HWY_INLINE Value Add(const Pair<Value>& p) const {
    const FloatTag d;
    const Floats sum = hn::Add(p.one.sum, p.other.sum);
    const Words present = hn::Or(p.one.present, p.other.present);
    if constexpr (!kSaturate) return {RoundToHalf(d, sum), present};
    const Floats node = SaturateToHalf(d, sum);
    const Words both = hn::And(p.one.present, p.other.present);
    const auto is_node = hn::MaskFromVec(hn::BitCast(d, both));
    return {hn::IfThenElse(is_node, node, sum), present};
  }
  template <std::size_t kStep>
  HWY_INLINE Pair<Value> Sides(const Value& a, const Value& b) const {
    const auto sum = Neighbours<kStep>(FloatTag(), a.sum, b.sum);
    const auto present = Neighbours<kStep>(WordTag(), a.present, b.present);
    return {{sum.one, present.one}, {sum.other, present.other}};
  }
  HWY_INLINE void Store(const Value& v, Bits* out) const {
    StoreTo(HalvesOf<FloatTag>(), BitsOfHalves(FloatTag(), v.sum),
            reinterpret_cast<std::uint8_t*>(out));
  }

 private:
  static HWY_INLINE Floats Wide(Words half) {
    return WideHalfToFloat(FloatTag(), hn::BitCast(SignedTag(), half));
  }
};

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
