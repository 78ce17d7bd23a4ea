// The orders of TROWPROD for every target, included once for each.
#if defined(LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_ROW_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "emulator/vector/neighbours-inl.h"
#include "emulator/vector/row_elements-inl.h"
#include "emulator/vector/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// ---- Lanes of a row ---------------------------------------------------------

/// Columns as whole repeats of `kLanes` and a tail.
template <std::size_t kLanes>
struct Shape {
  std::int64_t repeats;
  std::int64_t tail;

  explicit Shape(std::int64_t cols)
      : repeats(cols / static_cast<std::int64_t>(kLanes)),
        tail(cols % static_cast<std::int64_t>(kLanes)) {}
};

/// A row of which column j belongs to lane j mod `kLanes`, padded to whole
/// vectors.
template <class T, std::size_t kLanes>
struct Row {
  using Elements = T;
  static constexpr std::size_t kVectors = kLanes / kRowsAtOnce;

  const std::uint8_t* at;
  const Shape<kLanes>& shape;

  HWY_INLINE Products Column(std::int64_t repeat, std::size_t v) const {
    constexpr std::size_t kElement = sizeof(typename T::Bits);
    return T::Load(at + repeat * static_cast<std::int64_t>(kLanes * kElement) +
                   v * kRowsAtOnce * kElement);
  }
  /// The first repeat times 1.
  HWY_INLINE void Start(Products* lanes) const {
    for (std::size_t v = 0; v < kVectors; ++v) {
      lanes[v] = T::TimesOne(Column(0, v));
    }
  }
  HWY_INLINE void MultiplyInto(Products* lanes, std::int64_t repeat) const {
    for (std::size_t v = 0; v < kVectors; ++v) {
      lanes[v] = T::Multiply(lanes[v], Column(repeat, v));
    }
  }
  HWY_INLINE void MultiplyTailInto(Products* lanes) const {
    for (std::size_t v = 0; v < kVectors; ++v) {
      if (shape.tail <= static_cast<std::int64_t>(v * kRowsAtOnce)) return;
      lanes[v] = WithTail(lanes[v], v);
    }
  }
  HWY_INLINE Products WithTail(Products lanes, std::size_t v) const {
    const std::int64_t count =
        shape.tail - static_cast<std::int64_t>(v * kRowsAtOnce);
    if (count <= 0) return lanes;
    const auto most = static_cast<std::int64_t>(kRowsAtOnce);
    const auto take = static_cast<std::size_t>(std::min(count, most));
    return hn::IfThenElse(hn::FirstN(ProductTag(), take),
                          T::Multiply(lanes, Column(shape.repeats, v)), lanes);
  }
};

HWY_INLINE void FillWithOnes(Products* lanes, std::size_t count) {
  for (std::size_t v = 0; v < count; ++v) {
    lanes[v] = hn::Set(ProductTag(), 1.0f);
  }
}

/// The columns in ascending order, from 1, of a row with at least one repeat.
struct InOrder {
  template <class AnyRow>
  static HWY_INLINE void Multiply(const AnyRow& row, Products* lanes) {
    row.Start(lanes);
    for (std::int64_t i = 1; i < row.shape.repeats; ++i)
      row.MultiplyInto(lanes, i);
    row.MultiplyTailInto(lanes);
  }
};

/// Steps 1 to 4 of the documented order, of a row with at least one repeat.
struct InPairs {
  template <class AnyRow>
  static HWY_INLINE void Multiply(const AnyRow& row, Products* lanes) {
    const std::int64_t repeats = row.shape.repeats;
    if (repeats == 1) {
      row.Start(lanes);
    } else {
      Pair(row, 0, lanes);
      if (repeats % 2 != 0) row.MultiplyInto(lanes, repeats - 1);
    }
    row.MultiplyTailInto(lanes);
    if (repeats >= 4) Reduce(row, lanes);
  }

 private:
  template <class AnyRow>
  static HWY_INLINE void Pair(const AnyRow& row, std::int64_t k,
                              Products* lanes) {
    for (std::size_t v = 0; v < AnyRow::kVectors; ++v) {
      lanes[v] = AnyRow::Elements::Multiply(row.Column(2 * k, v),
                                            row.Column(2 * k + 1, v));
    }
  }

  /// Multiplies `left` into `lanes`.
  template <class AnyRow>
  static HWY_INLINE void Join(const Products* left, Products* lanes) {
    for (std::size_t v = 0; v < AnyRow::kVectors; ++v) {
      lanes[v] = AnyRow::Elements::Multiply(left[v], lanes[v]);
    }
  }

  /// Step 4 over all pairs, the first of them done. A pair joins the products
  /// of 1, 2, 4, ... pairs before it as soon as it makes twice as many; what is
  /// left then joins from the last one back.
  template <class AnyRow>
  static HWY_INLINE void Reduce(const AnyRow& row, Products* lanes) {
    Products waiting[kMostWaiting][AnyRow::kVectors];
    const std::int64_t pairs = row.shape.repeats / 2;
    int depth = 0;
    for (std::int64_t k = 1; k < pairs; ++k) {
      std::copy_n(lanes, AnyRow::kVectors, waiting[depth++]);
      Pair(row, k, lanes);
      const int joins = std::countr_one(static_cast<std::uint64_t>(k));
      for (int i = 0; i < joins; ++i) Join<AnyRow>(waiting[--depth], lanes);
    }
    while (depth > 0) Join<AnyRow>(waiting[--depth], lanes);
  }

  /// Bits of the number of pairs: a row is shorter than 2^48 bytes.
  static constexpr int kMostWaiting = 40;
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

/// Folds vectors in half until one is left.
template <class T, std::size_t kVectors>
HWY_INLINE Products FoldVectors(Products* lanes) {
  if constexpr (kVectors == 1) {
    return lanes[0];
  } else {
    constexpr std::size_t kWidth = kVectors / 2;
    for (std::size_t v = 0; v < kWidth; ++v) {
      lanes[v] = T::Multiply(lanes[v], lanes[v + kWidth]);
    }
    return FoldVectors<T, kWidth>(lanes);
  }
}

/// Rows shorter than a repeat, whose columns fill at most `kVectors`: lanes
/// without a column are 1, and so nothing changes where they are folded.
template <class T, std::size_t kVectors>
HWY_INLINE Products FoldedShortRows(const Rows& rows) {
  constexpr std::size_t kElement = sizeof(typename T::Bits);
  const ProductTag d;
  Products folded[kRowsAtOnce];
  for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
    Products lanes[kVectors];
    FillWithOnes(lanes, kVectors);
    std::size_t left = static_cast<std::size_t>(rows.cols);
    for (std::size_t v = 0; v < kVectors && left > 0; ++v) {
      const std::size_t take = std::min(left, kRowsAtOnce);
      const auto columns =
          T::TimesOne(T::Load(rows.at[r] + v * kRowsAtOnce * kElement));
      lanes[v] = take == kRowsAtOnce
                     ? columns
                     : hn::IfThenElse(hn::FirstN(d, take), columns, lanes[v]);
      left -= take;
    }
    folded[r] = FoldVectors<T, kVectors>(lanes);
  }
  return FoldRows<T, kRowsAtOnce>(folded);
}

/// The same for as few vectors as will do, up to `kMost`.
template <class T, std::size_t kMost, std::size_t kVectors = 1>
HWY_INLINE Products FoldedShort(const Rows& rows) {
  if constexpr (kVectors < kMost) {
    if (rows.cols > static_cast<std::int64_t>(kVectors * kRowsAtOnce)) {
      return FoldedShort<T, kMost, 2 * kVectors>(rows);
    }
  }
  return FoldedShortRows<T, kVectors>(rows);
}

/// Products in 256 / sizeof(T) lanes, which are then folded in half.
template <class T, class Order>
HWY_INLINE Products FoldedLanes(const Rows& rows) {
  constexpr std::size_t kLanes = 256 / sizeof(typename T::Bits);
  using OneRow = Row<T, kLanes>;
  const Shape<kLanes> shape(rows.cols);
  if (shape.repeats == 0) return FoldedShort<T, OneRow::kVectors>(rows);
  Products folded[kRowsAtOnce];
  for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
    Products lanes[OneRow::kVectors];
    Order::Multiply(OneRow{rows.at[r], shape}, lanes);
    folded[r] = FoldVectors<T, OneRow::kVectors>(lanes);
  }
  return FoldRows<T, kRowsAtOnce>(folded);
}

/// Products in the lanes of a block, the same vector of all rows at once, which
/// are then multiplied left to right.
template <class T>
HWY_INLINE Products ChainedLanes(const Rows& rows) {
  constexpr std::size_t kLanes = 32 / sizeof(typename T::Bits);
  using OneRow = Row<T, kLanes>;
  const ProductTag d;
  const Shape<kLanes> shape(rows.cols);
  Products product = hn::Set(d, 1.0f);
  for (std::size_t v = 0; v < OneRow::kVectors; ++v) {
    Products lanes[kRowsAtOnce];
    FillWithOnes(lanes, kRowsAtOnce);
    for (std::int64_t i = 0; i < shape.repeats; ++i) {
      for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
        const OneRow row{rows.at[r], shape};
        lanes[r] = T::Multiply(lanes[r], row.Column(i, v));
      }
    }
    for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
      lanes[r] = OneRow{rows.at[r], shape}.WithTail(lanes[r], v);
    }
    Transpose(d, lanes);
    for (const Products& lane : lanes) product = hn::Mul(product, lane);
  }
  return T::Round(product);
}

/// Column after column, of several groups of rows at once: each product waits
/// for the one before it, and meanwhile the other groups go on.
template <class T, std::size_t kGroups>
HWY_INLINE void LeftFold(const Rows* groups, Products* products) {
  const ProductTag d;
  constexpr auto kColumns = static_cast<std::int64_t>(kRowsAtOnce);
  FillWithOnes(products, kGroups);
  const std::int64_t cols = groups[0].cols;
  for (std::int64_t first = 0; first < cols; first += kColumns) {
    Products columns[kGroups][kRowsAtOnce];
    for (std::size_t g = 0; g < kGroups; ++g) {
      for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
        columns[g][r] =
            T::Load(groups[g].at[r] + first * static_cast<std::int64_t>(
                                                  sizeof(typename T::Bits)));
      }
      Transpose(d, columns[g]);
    }
    const auto count =
        static_cast<std::size_t>(std::min(cols - first, kColumns));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        products[g] = T::Multiply(products[g], columns[g][i]);
      }
    }
  }
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
