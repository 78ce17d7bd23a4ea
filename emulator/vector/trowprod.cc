#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/vector/highway_config.h"
#include "emulator/vector/vectors.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/trowprod.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/row_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

using Plan = TrowprodPlan;

/// As many rows as a vector has lanes, from row `first` on. Behind the last row
/// it is multiplied again, and not stored.
Rows RowsFrom(const Plan& plan, std::int64_t first, const std::uint8_t* ub) {
  Rows rows{.at = {}, .cols = plan.cols};
  for (std::size_t i = 0; i < kRowsAtOnce; ++i) {
    const std::int64_t row =
        std::min(first + static_cast<std::int64_t>(i), plan.rows - 1);
    rows.at[i] = ub + plan.src + row * plan.src_row_stride;
  }
  return rows;
}

/// The products of `RowsFrom`. No row is written that another one reads: the
/// tiles lie apart.
template <class T>
void StoreRows(const Plan& plan, std::int64_t first, Products products,
               std::uint8_t* ub) {
  using Bits = typename T::Bits;
  HWY_ALIGN Bits elements[kRowsAtOnce];
  T::Store(products, reinterpret_cast<std::uint8_t*>(elements));
  const std::int64_t last =
      std::min(first + static_cast<std::int64_t>(kRowsAtOnce), plan.rows);
  for (std::int64_t row = first; row < last; ++row) {
    std::memcpy(ub + plan.dst + row * plan.dst_row_stride,
                &elements[row - first], sizeof(Bits));
  }
}

template <class T, Products (*kProducts)(const Rows&)>
void MultiplyRows(const Plan& plan, std::uint8_t* ub) {
  constexpr auto kCount = static_cast<std::int64_t>(kRowsAtOnce);
  for (std::int64_t first = 0; first < plan.rows; first += kCount) {
    StoreRows<T>(plan, first, kProducts(RowsFrom(plan, first, ub)), ub);
  }
}

/// `kGroups` vectors of rows at a time while there are as many, then one.
template <class T, std::size_t kGroups>
void FoldLeft(const Plan& plan, std::int64_t first, std::uint8_t* ub) {
  constexpr auto kCount = static_cast<std::int64_t>(kRowsAtOnce);
  constexpr auto kAtOnce = static_cast<std::int64_t>(kGroups) * kCount;
  // A group that begins behind the last row is none.
  for (;
       kGroups == 1 ? first < plan.rows : first + kAtOnce - kCount < plan.rows;
       first += kAtOnce) {
    Rows groups[kGroups];
    Products products[kGroups];
    for (std::size_t g = 0; g < kGroups; ++g) {
      groups[g] =
          RowsFrom(plan, first + static_cast<std::int64_t>(g) * kCount, ub);
    }
    LeftFold<T, kGroups>(groups, products);
    for (std::size_t g = 0; g < kGroups; ++g) {
      StoreRows<T>(plan, first + static_cast<std::int64_t>(g) * kCount,
                   products[g], ub);
    }
  }
  if constexpr (kGroups > 1) FoldLeft<T, kGroups / 2>(plan, first, ub);
}

template <class T>
void MultiplyInOrder(const Plan& plan, std::uint8_t* ub) {
  switch (plan.order) {
    case isa::Order::kDocumented:
      return MultiplyRows<T, FoldedLanes<T, InPairs>>(plan, ub);
    case isa::Order::kBlockLanes:
      return MultiplyRows<T, ChainedLanes<T>>(plan, ub);
    case isa::Order::kRegisterLanes:
      return MultiplyRows<T, FoldedLanes<T, InOrder>>(plan, ub);
    case isa::Order::kLeftFold:
      return FoldLeft<T, T::kChains>(plan, 0, ub);
  }
}

}  // namespace

Path Trowprod(const TrowprodPlan& plan, std::span<std::uint8_t> ub) {
  const bool half = plan.dtype == isa::DType::kHalf;
  if (!half) {
    MultiplyInOrder<FloatElements>(plan, ub.data());
  } else if (plan.saturation) {
    MultiplyInOrder<HalfElements<true>>(plan, ub.data());
  } else {
    MultiplyInOrder<HalfElements<false>>(plan, ub.data());
  }
  const std::int64_t element = half ? 2 : 4;
  const bool contiguous = plan.src_row_stride == plan.cols * element &&
                          plan.dst_row_stride == element;
  return contiguous ? Path::kContiguous : Path::kStrided;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

constinit const ByVectorTarget<TrowprodVectors> kTrowprodByTarget =
    LANEDIFF_BY_VECTOR_TARGET(Trowprod);

}  // namespace lanediff::emulator
#endif
