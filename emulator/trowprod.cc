#include "emulator/trowprod.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "emulator/address.h"
#include "emulator/arithmetic.h"
#include "emulator/half.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::DType;
using isa::Layout;

// ---- Address plan -----------------------------------------------------------

TrowprodPlan Plan(const Call& call, const State& state) {
  const std::int64_t element = ElementBytes(call.dtype);
  const auto& [dst, src, tmp] = call.tiles;
  return {.dtype = call.dtype,
          .order = call.order.value_or(isa::Order::kDocumented),
          .rows = src.valid_row,
          .cols = src.valid_col,
          .src = src.at,
          .src_row_stride = src.cols * element,
          .dst = dst.at,
          .dst_row_stride =
              dst.layout == Layout::kNd ? dst.cols * element : element,
          .saturation = state.saturation};
}

// ---- Arithmetic -------------------------------------------------------------

struct Half {
  using Bits = std::uint16_t;
  static constexpr Bits kOne = 0x3c00u;

  static Bits Round(float value, bool saturation) {
    const Bits half = FloatToHalf(value);
    return saturation ? SaturateHalf(half) : half;
  }

  static Bits Multiply(Bits a, Bits b, bool saturation) {
    // 24 bits hold twice 11: the float product is exact and rounded once.
    return Round(HalfToFloat(a) * HalfToFloat(b), saturation);
  }

  /// The last chain of block-lanes: in float, rounded once at the end.
  static Bits Chain(std::span<const Bits> lanes, bool saturation) {
    float product = 1.0f;
    for (const Bits lane : lanes) product *= HalfToFloat(lane);
    return Round(product, saturation);
  }
};

struct Float {
  using Bits = std::uint32_t;
  static constexpr Bits kOne = 0x3f800000u;

  static Bits Multiply(Bits a, Bits b, bool) {
    const float product = std::bit_cast<float>(a) * std::bit_cast<float>(b);
    return std::isnan(product) ? 0x7fc00000u : std::bit_cast<Bits>(product);
  }

  static Bits Chain(std::span<const Bits> lanes, bool saturation) {
    Bits product = kOne;
    for (const Bits lane : lanes) product = Multiply(product, lane, saturation);
    return product;
  }
};

/// TRP-INTEGER-OVERFLOW: as Mul multiplies integers.
template <class Int, class Unsigned>
struct Integer {
  using Bits = Unsigned;
  static constexpr Bits kOne = 1;

  static Bits Multiply(Bits a, Bits b, bool saturation) {
    return static_cast<Bits>(IntegerOf<std::multiplies<>>(
        static_cast<Int>(a), static_cast<Int>(b), saturation));
  }

  static Bits Chain(std::span<const Bits> lanes, bool saturation) {
    Bits product = kOne;
    for (const Bits lane : lanes) product = Multiply(product, lane, saturation);
    return product;
  }
};
using Int16 = Integer<std::int16_t, std::uint16_t>;
using Int32 = Integer<std::int32_t, std::uint32_t>;

// ---- Kernels ----------------------------------------------------------------

/// One row of `src` and the products formed of it.
template <class T>
class Row {
 public:
  using Bits = typename T::Bits;
  static constexpr int kLanes = 256 / sizeof(Bits);
  using Lanes = std::array<Bits, kLanes>;

  Row(const TrowprodPlan& plan, std::int64_t row,
      std::span<const std::uint8_t> ub)
      : ub_(ub),
        at_(plan.src + row * plan.src_row_stride),
        cols_(plan.cols),
        saturation_(plan.saturation) {}

  Bits Documented() const {
    const std::int64_t pairs = cols_ / kLanes / 2;
    return Fold(pairs == 0 ? FirstOfTmp() : Reduce(0, pairs));
  }

  Bits BlockLanes() const {
    std::array<Bits, kBlockBytes / sizeof(Bits)> lanes;
    MultiplyIntoLanes(lanes);
    return T::Chain(lanes, saturation_);
  }

  Bits RegisterLanes() const {
    Lanes lanes;
    MultiplyIntoLanes(lanes);
    return Fold(lanes);
  }

  Bits LeftFold() const {
    Bits product = T::kOne;
    for (std::int64_t j = 0; j < cols_; ++j) {
      product = Multiply(product, Column(j));
    }
    return product;
  }

 private:
  Bits Multiply(Bits a, Bits b) const { return T::Multiply(a, b, saturation_); }

  Bits Column(std::int64_t j) const {
    return Load<Bits>(ub_, at_ + j * static_cast<std::int64_t>(sizeof(Bits)));
  }

  /// Multiplies `count` columns from `first` on into the first lanes.
  void MultiplyInto(Lanes& lanes, std::int64_t first, int count) const {
    for (int e = 0; e < count; ++e) {
      lanes[e] = Multiply(lanes[e], Column(first + e));
    }
  }

  /// Step 1 for the pair k.
  Lanes Pair(std::int64_t k) const {
    Lanes lanes;
    for (int e = 0; e < kLanes; ++e) {
      lanes[e] = Column(2 * k * kLanes + e);
    }
    MultiplyInto(lanes, (2 * k + 1) * kLanes, kLanes);
    return lanes;
  }

  /// Steps 1 to 3 for the first repeat of tmp.
  Lanes FirstOfTmp() const {
    const std::int64_t repeats = cols_ / kLanes;
    Lanes lanes;
    if (repeats >= 2) {
      lanes = Pair(0);
    } else {
      lanes.fill(T::kOne);
    }
    if (repeats % 2 != 0) MultiplyInto(lanes, (repeats - 1) * kLanes, kLanes);
    MultiplyInto(lanes, repeats * kLanes, static_cast<int>(cols_ % kLanes));
    return lanes;
  }

  /// Step 4 over `count` repeats of tmp from `first` on. Pairing neighbours
  /// level by level, with an odd last one moving down, makes the tree whose
  /// left half is the largest power of two.
  Lanes Reduce(std::int64_t first, std::int64_t count) const {
    if (count == 1) return first == 0 ? FirstOfTmp() : Pair(first);
    const auto left = static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(count - 1)));
    Lanes lanes = Reduce(first, left);
    const Lanes right = Reduce(first + left, count - left);
    for (int e = 0; e < kLanes; ++e) lanes[e] = Multiply(lanes[e], right[e]);
    return lanes;
  }

  /// Step 5.
  Bits Fold(Lanes lanes) const {
    for (int width = kLanes / 2; width >= 1; width /= 2) {
      for (int e = 0; e < width; ++e) {
        lanes[e] = Multiply(lanes[e], lanes[e + width]);
      }
    }
    return lanes[0];
  }

  /// Column j into lane j mod lanes.size(), in ascending order, from 1.
  void MultiplyIntoLanes(std::span<Bits> lanes) const {
    std::ranges::fill(lanes, T::kOne);
    std::size_t lane = 0;
    for (std::int64_t j = 0; j < cols_; ++j) {
      lanes[lane] = Multiply(lanes[lane], Column(j));
      if (++lane == lanes.size()) lane = 0;
    }
  }

  std::span<const std::uint8_t> ub_;
  std::int64_t at_;
  std::int64_t cols_;
  bool saturation_;
};

template <class T, auto Product>
std::uint32_t Kernel(const TrowprodPlan& plan, std::int64_t row,
                     std::span<const std::uint8_t> ub) {
  return (Row<T>(plan, row, ub).*Product)();
}

template <class T>
constexpr TrowprodKernels kKernels = {
    Kernel<T, &Row<T>::Documented>, Kernel<T, &Row<T>::BlockLanes>,
    Kernel<T, &Row<T>::RegisterLanes>, Kernel<T, &Row<T>::LeftFold>};

// ---- Write-back -------------------------------------------------------------

void WriteBack(const TrowprodPlan& plan, std::int64_t row, std::uint32_t bits,
               std::span<std::uint8_t> ub) {
  const std::int64_t at = plan.dst + row * plan.dst_row_stride;
  if (ElementBytes(plan.dtype) == 4) {
    Store(ub, at, bits);
  } else {
    Store(ub, at, static_cast<std::uint16_t>(bits));
  }
}

// ---- The four in a row ------------------------------------------------------

/// Whether all rows, up to a multiple of 32 bytes, lie in a memory of `size`
/// bytes. Those of a legal call do, its tile is padded so.
bool RowsInside(const TrowprodPlan& plan, std::size_t size) {
  const std::int64_t bytes = plan.cols * ElementBytes(plan.dtype);
  const std::int64_t padded =
      (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  return plan.src >= 0 &&
         plan.src + (plan.rows - 1) * plan.src_row_stride + padded <=
             static_cast<std::int64_t>(size);
}

const TrowprodKernels& KernelsOf(DType dtype, const TrowprodSeams& seams) {
  switch (dtype) {
    case DType::kHalf:
      return seams.half_kernels;
    case DType::kInt16:
      return seams.int16_kernels;
    case DType::kInt32:
      return seams.int32_kernels;
    default:
      return seams.float_kernels;
  }
}

Path RunRows(const TrowprodPlan& plan, const TrowprodSeams& seams,
             std::span<std::uint8_t> ub) {
  const bool floating =
      plan.dtype == DType::kHalf || plan.dtype == DType::kFloat;
  if (seams.vectors != nullptr && floating && RowsInside(plan, ub.size())) {
    return seams.vectors(plan, ub);
  }
  const TrowprodKernels& kernels = KernelsOf(plan.dtype, seams);
  const TrowprodKernel kernel = kernels[static_cast<std::size_t>(plan.order)];
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    seams.write_back(plan, row, kernel(plan, row, ub), ub);
  }
  return Path::kPlain;
}

}  // namespace

constinit const TrowprodSeams kTrowprod = {.legality = TrowprodLegality,
                                           .plan = Plan,
                                           .half_kernels = kKernels<Half>,
                                           .float_kernels = kKernels<Float>,
                                           .int16_kernels = kKernels<Int16>,
                                           .int32_kernels = kKernels<Int32>,
                                           .write_back = WriteBack};

isa::StepResult Run(const Call& call, const TrowprodSeams& seams,
                    State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const TrowprodPlan plan = seams.plan(call, state);
  state.paths.Count(RunRows(plan, seams, state.memories[isa::Memory::kUb]));

  result.notes.AddIf(state.edition == isa::Edition::k2024 &&
                         call.tiles.front().layout == Layout::kNd,
                     call.Rule(isa::CallRule::kDstNdDeprecated));
  return result;
}

}  // namespace lanediff::emulator
