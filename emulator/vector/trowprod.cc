#include "emulator/vector/trowprod.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/vector/highway_config.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/trowprod.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/row_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

using Plan = TrowprodPlan;

/// As many rows at once as a vector has lanes. No row is written that another
/// one reads: the tiles lie apart.
template <class T, Products (*kProducts)(const Rows&)>
void MultiplyRows(const Plan& plan, std::uint8_t* ub) {
  using Bits = typename T::Bits;
  constexpr auto kCount = static_cast<std::int64_t>(kRowsAtOnce);
  HWY_ALIGN Bits products[kRowsAtOnce];
  Rows rows{.at = {}, .cols = plan.cols};
  for (std::int64_t first = 0; first < plan.rows; first += kCount) {
    for (std::int64_t i = 0; i < kCount; ++i) {
      // Behind the last row it is multiplied again, and not stored.
      const std::int64_t row = std::min(first + i, plan.rows - 1);
      rows.at[i] = ub + plan.src + row * plan.src_row_stride;
    }
    T::Store(kProducts(rows), reinterpret_cast<std::uint8_t*>(products));
    const std::int64_t last = std::min(first + kCount, plan.rows);
    for (std::int64_t row = first; row < last; ++row) {
      std::memcpy(ub + plan.dst + row * plan.dst_row_stride,
                  &products[row - first], sizeof(Bits));
    }
  }
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
      return MultiplyRows<T, LeftFold<T>>(plan, ub);
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
