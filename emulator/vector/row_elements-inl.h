// The elements of TROWPROD's rows for every target, included once for each.
#if defined(LANEDIFF_EMULATOR_VECTOR_ROW_ELEMENTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_ROW_ELEMENTS_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_ROW_ELEMENTS_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_ROW_ELEMENTS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using ProductTag = BlockTag<float>;
using Products = hn::Vec<ProductTag>;

/// Rows that are multiplied at once, and lanes of a vector.
constexpr std::size_t kRowsAtOnce = hn::MaxLanes(ProductTag());

/// NaN becomes the canonical one at the end: it stays NaN until then.
struct FloatElements {
  using Bits = std::uint32_t;
  /// Groups of rows of which a left fold is as fast as can be.
  static constexpr std::size_t kChains = 2;

  static HWY_INLINE Products Load(const std::uint8_t* at) {
    return LoadFrom(ProductTag(), at);
  }
  static HWY_INLINE Products Multiply(Products a, Products b) {
    return hn::Mul(a, b);
  }
  /// The product of an element and 1.
  static HWY_INLINE Products TimesOne(Products v) { return v; }
  /// What the last chain of block-lanes gives, as an element.
  static HWY_INLINE Products Round(Products chain) { return chain; }
  static HWY_INLINE void Store(Products v, std::uint8_t* out) {
    const ProductTag d;
    StoreTo(d, hn::IfThenElse(hn::Eq(v, v), v, SetBits(d, 0x7fc00000u)), out);
  }
};

/// Lanes hold values of halves as floats, whose products are exact.
template <bool kSaturate>
struct HalfElements {
  using Bits = std::uint16_t;
  static constexpr std::size_t kChains = 4;

  static HWY_INLINE Products Load(const std::uint8_t* at) {
    const ProductTag d;
    return HalfToNumber(d, LoadFrom(HalvesOf<ProductTag>(), at));
  }
  static HWY_INLINE Products Multiply(Products a, Products b) {
    return Round(hn::Mul(a, b));
  }
  static HWY_INLINE Products TimesOne(Products v) {
    if constexpr (kSaturate) return ClampToHalf(ProductTag(), v);
    return v;
  }
  static HWY_INLINE Products Round(Products v) {
    const ProductTag d;
    if constexpr (kSaturate) return SaturateToHalf(d, v);
    return RoundToHalf(d, v);
  }
  static HWY_INLINE void Store(Products v, std::uint8_t* out) {
    StoreTo(HalvesOf<ProductTag>(), BitsOfHalves(ProductTag(), v), out);
  }
};

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
