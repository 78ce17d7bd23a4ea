// The nodes of a sum's tree for every target, included once for each.
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

/// Kinds of nodes with the same members. A `Value` is a vector of sums so far;
/// what takes no part is in it as a zero that changes no sum. Steps are those
/// of the levels at which two vectors become one; `RowAt` returns which row is
/// summed in which place so that they end up in order.
HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = BlockTag<float>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using SignedTag = hn::RebindToSigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Words = hn::Vec<WordTag>;

/// Words at `place` of an iteration, bits that `mask` has not as in `absent`.
template <bool kMasked>
HWY_INLINE Words LoadWords(const std::uint8_t* at, const std::uint8_t* mask,
                           std::size_t place, std::uint32_t absent) {
  const WordTag d;
  const Words words = LoadFrom(d, at);
  if constexpr (!kMasked) return words;
  const Words take = LoadFrom(d, mask + place);
  if (absent == 0) return hn::And(words, take);
  return hn::Or(hn::And(words, take), hn::AndNot(take, hn::Set(d, absent)));
}

constexpr std::size_t kRows = hn::MaxLanes(FloatTag());

/// Leaves in the order of the memory.
struct InPlace {
  static constexpr std::size_t RowAt(std::size_t place) { return place; }
  static constexpr std::size_t StepOf(std::size_t vectors) {
    return kRows / vectors;
  }
  /// What is left to do for a leaf when all have been read.
  template <class Value>
  static HWY_INLINE Value Settled(const Value& leaf) {
    return leaf;
  }
};

// ---- float ------------------------------------------------------------------

/// Float. -0 changes no sum, and nothing that is a number is lost in a NaN.
template <bool kMasked>
struct FloatNodes : InPlace {
  using Bits = std::uint32_t;
  using Value = Floats;

  Value Leaf(const std::uint8_t* at, const std::uint8_t* mask,
             std::size_t place) const {
    return hn::BitCast(FloatTag(),
                       LoadWords<kMasked>(at, mask, place, 0x80000000u));
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

/// A sum of two finite halves, rounded: adding 2^13 times the power of two
/// below it leaves 11 bits of it. Below 2^-14 it has no more. -0 becomes +0.
HWY_INLINE Floats RoundedSum(Floats sum) {
  const FloatTag d;
  const Floats power = hn::And(sum, SetBits(d, 0xff800000u));
  const Floats scale = hn::Set(d, 0x1p13f);
  return hn::NegMulAdd(power, scale, hn::MulAdd(power, scale, sum));
}

/// Halves that are finite and not -0, so that no sum is -0 either. A
/// value is the float of the half's bits where they stand in a float: 2^112
/// times too small. With `kClamp` sums beyond the largest half become the
/// largest; else there must be none.
template <bool kMasked, bool kClamp>
struct FiniteHalfNodes : InPlace {
  using Bits = std::uint16_t;
  using Value = Floats;

  HWY_INLINE Value Leaf(const std::uint8_t* at, const std::uint8_t* mask,
                        std::size_t place) const {
    const SignedTag d;
    const auto words = hn::BitCast(d, LoadWords<kMasked>(at, mask, place, 0));
    return Add({Placed(hn::ShiftLeft<16>(words)), Placed(words)});
  }
  HWY_INLINE Value Absent() const { return hn::Zero(FloatTag()); }
  HWY_INLINE Value Add(const Pair<Value>& p) const {
    const FloatTag d;
    const Value sum = hn::Add(p.one, p.other);
    const Value rounded = RoundedSum(sum);
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

/// Any halves that all take part, in saturation mode: above the leaves there is
/// neither NaN nor infinity. A sum of -0 is given as +0.
struct SaturatingHalfNodes {
  using Bits = std::uint16_t;
  using Value = Floats;

  // The leaves are sums of neighbours in turns of the lower and the upper half
  // of their words; the last level but one makes neighbours of them.
  static constexpr std::size_t RowAt(std::size_t place) {
    constexpr std::size_t kHalf = kRows / 2;
    if (kRows == 1) return place;
    return place < kHalf ? 2 * place : 2 * (place - kHalf) + 1;
  }
  static constexpr std::size_t StepOf(std::size_t vectors) {
    return vectors == 2 ? 1 : 2 * kRows / vectors;
  }

  HWY_INLINE Value Leaf(const std::uint8_t* at, const std::uint8_t*,
                        std::size_t) const {
    const FloatTag d;
    const HalvesOf<FloatTag> halves;
    const Value low = HalfToNumber(d, LoadFrom(halves, at));
    const Value high = HalfToNumber(d, LoadFrom(halves, at + 2 * kRows));
    if constexpr (kRows == 1) return hn::Add(low, high);
    const auto sides = Neighbours<1>(d, low, high);
    return hn::Add(sides.one, sides.other);
  }
  HWY_INLINE Value Settled(Value leaf) const {
    return Clamped(hn::IfThenElseZero(hn::Eq(leaf, leaf), leaf));
  }
  HWY_INLINE Value Absent() const { return hn::Zero(FloatTag()); }
  HWY_INLINE Value Add(const Pair<Value>& p) const {
    return Clamped(hn::Add(p.one, p.other));
  }
  template <std::size_t kStep>
  HWY_INLINE Pair<Value> Sides(Value a, Value b) const {
    return Neighbours<kStep>(FloatTag(), a, b);
  }
  HWY_INLINE void Store(Value sum, Bits* out) const {
    StoreTo(HalvesOf<FloatTag>(), BitsOfHalves(FloatTag(), sum),
            reinterpret_cast<std::uint8_t*>(out));
  }

 private:
  static HWY_INLINE Value Clamped(Value sum) {
    const FloatTag d;
    const Value most = hn::Set(d, 65504.0f);
    return RoundedSum(hn::Min(hn::Max(sum, hn::Set(d, -65504.0f)), most));
  }
};

/// Any halves.
template <bool kMasked, bool kSaturate>
struct AnyHalfNodes : InPlace {
  using Bits = std::uint16_t;
  struct Value {
    Floats sum;
    Words present;  // all ones, or nothing
  };

  HWY_INLINE Value Leaf(const std::uint8_t* at, const std::uint8_t* mask,
                        std::size_t place) const {
    const WordTag d;
    const SignedTag ds;
    const Words words = LoadWords<kMasked>(at, mask, place, 0x80008000u);
    const auto take = hn::BitCast(
        ds, kMasked ? LoadFrom(d, mask + place) : hn::Set(d, 0xffffffffu));
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
