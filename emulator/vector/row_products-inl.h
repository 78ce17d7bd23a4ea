// The orders of TROWPROD for every target, included once for each.
#if defined(LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/half-inl.h"
#include "emulator/vector/neighbours-inl.h"
#include "emulator/vector/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using ProductTag = BlockTag<float>;
using Products = hn::Vec<ProductTag>;

/// Rows that are multiplied at once, and lanes of a vector.
constexpr std::size_t kRowsAtOnce = hn::MaxLanes(ProductTag());

// ---- Elements ---------------------------------------------------------------

/// NaN becomes the canonical one at the end: it stays NaN until then.
struct FloatElements {
  using Bits = std::uint32_t;

  static HWY_INLINE Products Load(const std::uint8_t* at) {
    return LoadFrom(ProductTag(), at);
  }
  static HWY_INLINE Products Multiply(Products a, Products b) {
    return hn::Mul(a, b);
  }
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

  static HWY_INLINE Products Load(const std::uint8_t* at) {
    const ProductTag d;
    return HalfToNumber(d, LoadFrom(HalvesOf<ProductTag>(), at));
  }
  static HWY_INLINE Products Multiply(Products a, Products b) {
    return Round(hn::Mul(a, b));
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

// ---- Lanes of a row ---------------------------------------------------------

/// A vector of the columns `first + i * lanes` for all i, of a row that has
/// `cols` columns and is padded to whole vectors.
template <class T>
struct Columns {
  const std::uint8_t* row;
  std::int64_t cols;
  std::int64_t lanes;
  std::int64_t first;

  HWY_INLINE Products At(std::int64_t i) const {
    return T::Load(row + (first + i * lanes) * static_cast<std::int64_t>(
                                                   sizeof(typename T::Bits)));
  }
  /// Multiplies what the tail behind `full` repeats has of these columns in.
  HWY_INLINE Products WithTail(Products v, std::int64_t full) const {
    const std::int64_t count = cols - (first + full * lanes);
    if (count <= 0) return v;
    const Products product = T::Multiply(v, At(full));
    const ProductTag d;
    if (count >= static_cast<std::int64_t>(kRowsAtOnce)) return product;
    return hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(count)),
                          product, v);
  }
};

/// The columns in ascending order, from 1.
struct InOrder {
  template <class T>
  static HWY_INLINE Products Of(const Columns<T>& c) {
    const std::int64_t full = c.cols / c.lanes;
    Products v = hn::Set(ProductTag(), 1.0f);
    for (std::int64_t i = 0; i < full; ++i) v = T::Multiply(v, c.At(i));
    return c.WithTail(v, full);
  }
};

/// Steps 1 to 4 of the documented order.
struct InPairs {
  template <class T>
  static HWY_INLINE Products Of(const Columns<T>& c) {
    const std::int64_t full = c.cols / c.lanes;
    Products first =
        full >= 2 ? T::Multiply(c.At(0), c.At(1)) : hn::Set(ProductTag(), 1.0f);
    if (full % 2 != 0) first = T::Multiply(first, c.At(full - 1));
    first = c.WithTail(first, full);
    return full < 4 ? first : Reduce(first, full / 2, c);
  }

 private:
  /// Step 4 over `count` pairs, the first of them done. A pair joins the
  /// products of 1, 2, 4, ... pairs before it as soon as it makes twice as
  /// many; what is left then joins from the last one back.
  template <class T>
  static Products Reduce(Products first, std::int64_t count,
                         const Columns<T>& c) {
    Products waiting[64];
    int depth = 1;
    waiting[0] = first;
    for (std::int64_t k = 1; k < count; ++k) {
      Products v = T::Multiply(c.At(2 * k), c.At(2 * k + 1));
      const int joins = std::countr_one(static_cast<std::uint64_t>(k));
      for (int i = 0; i < joins; ++i) v = T::Multiply(waiting[--depth], v);
      waiting[depth++] = v;
    }
    Products v = waiting[--depth];
    while (depth > 0) v = T::Multiply(waiting[--depth], v);
    return v;
  }
};

// ---- Rows at once -----------------------------------------------------------

struct Rows {
  const std::uint8_t* at[kRowsAtOnce];
  std::int64_t cols;
};

/// Folds the lanes of `kCount` rows from place `first` on, with bits of the
/// place reversed, until as many are left of each as share a vector.
template <class T, std::size_t kCount>
HWY_INLINE Products FoldRows(const Products* rows, std::size_t first = 0,
                             std::size_t step = 1) {
  if constexpr (kCount == 1) {
    return rows[first];
  } else {
    constexpr std::size_t kLanes = kRowsAtOnce / kCount;
    const auto a = FoldRows<T, kCount / 2>(rows, first, 2 * step);
    const auto b = FoldRows<T, kCount / 2>(rows, first + step, 2 * step);
    const auto sides = Neighbours<kLanes>(ProductTag(), a, b);
    return T::Multiply(sides.one, sides.other);
  }
}

/// Products in 256 / sizeof(T) lanes, which are then folded in half.
template <class T, class Order>
HWY_INLINE Products FoldedLanes(const Rows& rows) {
  constexpr std::size_t kLanes = 256 / sizeof(typename T::Bits);
  constexpr std::size_t kVectors = kLanes / kRowsAtOnce;
  Products folded[kRowsAtOnce];
  for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
    Products lanes[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      lanes[v] = Order::Of(
          Columns<T>{rows.at[r], rows.cols, static_cast<std::int64_t>(kLanes),
                     static_cast<std::int64_t>(v * kRowsAtOnce)});
    }
    for (std::size_t width = kVectors / 2; width >= 1; width /= 2) {
      for (std::size_t v = 0; v < width; ++v) {
        lanes[v] = T::Multiply(lanes[v], lanes[v + width]);
      }
    }
    folded[r] = lanes[0];
  }
  return FoldRows<T, kRowsAtOnce>(folded);
}

/// Products in the lanes of a block, which are then multiplied left to right.
template <class T>
HWY_INLINE Products ChainedLanes(const Rows& rows) {
  constexpr std::size_t kLanes = 32 / sizeof(typename T::Bits);
  const ProductTag d;
  Products product = hn::Set(d, 1.0f);
  for (std::size_t first = 0; first < kLanes; first += kRowsAtOnce) {
    Products lanes[kRowsAtOnce];
    for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
      lanes[r] = InOrder::Of(Columns<T>{rows.at[r], rows.cols,
                                        static_cast<std::int64_t>(kLanes),
                                        static_cast<std::int64_t>(first)});
    }
    Transpose(d, lanes);
    for (const Products& lane : lanes) product = hn::Mul(product, lane);
  }
  return T::Round(product);
}

/// Column after column.
template <class T>
HWY_INLINE Products LeftFold(const Rows& rows) {
  const ProductTag d;
  constexpr auto kColumns = static_cast<std::int64_t>(kRowsAtOnce);
  Products product = hn::Set(d, 1.0f);
  for (std::int64_t first = 0; first < rows.cols; first += kColumns) {
    Products columns[kRowsAtOnce];
    for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
      columns[r] = T::Load(rows.at[r] + first * static_cast<std::int64_t>(
                                                    sizeof(typename T::Bits)));
    }
    Transpose(d, columns);
    if (rows.cols - first >= kColumns) {
      for (const Products& c : columns) product = T::Multiply(product, c);
    } else {
      for (std::int64_t i = 0; i < rows.cols - first; ++i) {
        product = T::Multiply(product, columns[i]);
      }
    }
  }
  return product;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
