// TROWPROD: kernels that multiply in another order or another arithmetic, or
// lose columns.

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::HalfToFloat;
using emulator::kTrowprod;
using isa::Order;
using Kernel = emulator::TrowprodKernel;
using Plan = emulator::TrowprodPlan;
using Row = emulator::TrowprodSeams;
using Ub = std::span<const std::uint8_t>;
using H = std::uint16_t;
using F = std::uint32_t;

/// The real emulator with one kernel of `kernels` replaced.
Mutant Multiplied(const Label& label, emulator::TrowprodKernels Row::* kernels,
                  Order order, Kernel kernel) {
  emulator::TrowprodKernels changed = kTrowprod.*kernels;
  changed[static_cast<std::size_t>(order)] = kernel;
  return PlantedIn(kernels, changed, label);
}

Mutant OfHalf(const Label& label, Order order, Kernel kernel) {
  return Multiplied(label, &Row::half_kernels, order, kernel);
}

Mutant OfFloat(const Label& label, Order order, Kernel kernel) {
  return Multiplied(label, &Row::float_kernels, order, kernel);
}

Kernel RealHalf(Order order) {
  return kTrowprod.half_kernels[static_cast<std::size_t>(order)];
}

Kernel RealFloat(Order order) {
  return kTrowprod.float_kernels[static_cast<std::size_t>(order)];
}

template <class Bits>
inline constexpr std::size_t kLanes = 256 / sizeof(Bits);

template <class Bits>
inline constexpr Bits kOne = sizeof(Bits) == 2 ? 0x3c00u : 0x3f800000u;

template <class Bits>
using Columns = std::vector<Bits>;

template <class Bits>
Columns<Bits> ColumnsOf(const Plan& plan, std::int64_t row, Ub ub) {
  Columns<Bits> columns(static_cast<std::size_t>(plan.cols));
  std::int64_t at = plan.src + row * plan.src_row_stride;
  for (Bits& column : columns) {
    column = emulator::Load<Bits>(ub, at);
    at += static_cast<std::int64_t>(sizeof(Bits));
  }
  return columns;
}

/// What the real kernel makes of other columns.
template <class Bits>
F RealOn(const Columns<Bits>& columns, Order order, bool saturation) {
  std::vector<std::uint8_t> bytes(columns.size() * sizeof(Bits));
  std::memcpy(bytes.data(), columns.data(), bytes.size());
  const Plan plan = {.rows = 1,
                     .cols = static_cast<std::int64_t>(columns.size()),
                     .saturation = saturation};
  const Kernel kernel = sizeof(Bits) == 2 ? RealHalf(order) : RealFloat(order);
  return kernel(plan, 0, bytes);
}

H Multiply(H a, H b, bool saturation) {
  return Saturated(emulator::FloatToHalf(HalfToFloat(a) * HalfToFloat(b)),
                   saturation);
}
F Multiply(F a, F b, bool) { return Canonical(FloatOf(a) * FloatOf(b)); }

template <class Bits>
using Register = std::array<Bits, kLanes<Bits>>;

template <class Bits>
void MultiplyInto(Register<Bits>& into, const Register<Bits>& factor,
                  bool saturation) {
  for (std::size_t e = 0; e < into.size(); ++e) {
    into[e] = Multiply(into[e], factor[e], saturation);
  }
}

/// The columns as registers of 256 bytes, the last one filled up with ones.
template <class Bits>
std::vector<Register<Bits>> RegistersOf(const Columns<Bits>& columns) {
  std::vector<Register<Bits>> all;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j % kLanes<Bits> == 0) all.emplace_back().fill(kOne<Bits>);
    all.back()[j % kLanes<Bits>] = columns[j];
  }
  return all;
}

/// Steps 1 to 3 of the documented order.
template <class Bits>
std::vector<Register<Bits>> TmpOf(const Columns<Bits>& columns,
                                  bool saturation) {
  const std::vector<Register<Bits>> repeats = RegistersOf(columns);
  const std::size_t full = columns.size() / kLanes<Bits>;
  std::vector<Register<Bits>> tmp;
  for (std::size_t k = 0; k + 1 < full; k += 2) {
    tmp.push_back(repeats[k]);
    MultiplyInto(tmp.back(), repeats[k + 1], saturation);
  }
  if (tmp.empty()) tmp.emplace_back().fill(kOne<Bits>);
  for (std::size_t k = full / 2 * 2; k < repeats.size(); ++k) {
    MultiplyInto(tmp[0], repeats[k], saturation);
  }
  return tmp;
}

/// Lane e by lane e + w, w halved.
template <class Bits>
F FoldHalves(Register<Bits> lanes, bool saturation) {
  for (std::size_t w = lanes.size() / 2; w >= 1; w /= 2) {
    for (std::size_t e = 0; e < w; ++e) {
      lanes[e] = Multiply(lanes[e], lanes[e + w], saturation);
    }
  }
  return lanes[0];
}

/// Lane 2e by lane 2e + 1.
template <class Bits>
F FoldNeighbours(Register<Bits> lanes, bool saturation) {
  for (std::size_t w = lanes.size() / 2; w >= 1; w /= 2) {
    for (std::size_t e = 0; e < w; ++e) {
      lanes[e] = Multiply(lanes[2 * e], lanes[2 * e + 1], saturation);
    }
  }
  return lanes[0];
}

/// Halves the number of repeats of tmp and forgets an odd one.
template <class Bits>
F PairsDropped(const Plan& plan, std::int64_t row, Ub ub) {
  auto tmp = TmpOf(ColumnsOf<Bits>(plan, row, ub), plan.saturation);
  while (tmp.size() > 1) {
    const std::size_t half = tmp.size() / 2;
    for (std::size_t k = 0; k < half; ++k) {
      tmp[k] = tmp[2 * k];
      MultiplyInto(tmp[k], tmp[2 * k + 1], plan.saturation);
    }
    tmp.resize(half);
  }
  return FoldHalves(tmp[0], plan.saturation);
}

/// The documented order, but for a left-to-right chain over tmp.
F TmpFromTheLeft(const Plan& plan, std::int64_t row, Ub ub) {
  auto tmp = TmpOf(ColumnsOf<F>(plan, row, ub), plan.saturation);
  for (std::size_t k = 1; k < tmp.size(); ++k) {
    MultiplyInto(tmp[0], tmp[k], plan.saturation);
  }
  return FoldHalves(tmp[0], plan.saturation);
}

/// The documented order, but for neighbours in step 5.
F NeighboursAtEnd(const Plan& plan, std::int64_t row, Ub ub) {
  auto tmp = TmpOf(ColumnsOf<F>(plan, row, ub), plan.saturation);
  while (tmp.size() > 1) {
    std::vector<Register<F>> next;
    for (std::size_t k = 0; k < tmp.size(); k += 2) {
      next.push_back(tmp[k]);
      if (k + 1 < tmp.size()) {
        MultiplyInto(next.back(), tmp[k + 1], plan.saturation);
      }
    }
    tmp = std::move(next);
  }
  return FoldNeighbours(tmp[0], plan.saturation);
}

/// The columns of full repeats an odd one of which is left out, if there are
/// more than one, and the tail.
template <class Bits>
Columns<Bits> WithoutOddRepeat(Columns<Bits> columns) {
  const std::size_t full = columns.size() / kLanes<Bits>;
  if (full < 3 || full % 2 == 0) return columns;
  const auto odd =
      columns.begin() + static_cast<std::ptrdiff_t>((full - 1) * kLanes<Bits>);
  std::fill(odd, odd + kLanes<Bits>, kOne<Bits>);
  return columns;
}

Table Orders() {
  return {
      OfFloat(kTileRow("trp-documented-as-register-lanes", kOrder,
                       "multiplies in the order of the next generation's code"),
              Order::kDocumented, RealFloat(Order::kRegisterLanes)),
      OfFloat(kTileRow("trp-documented-as-left-fold", kOrder,
                       "multiplies from left to right where the document pairs",
                       "the vendor's CPU model"),
              Order::kDocumented, RealFloat(Order::kLeftFold)),
      OfHalf(
          kTileRow("trp-documented-as-block-lanes", kOrder,
                   "multiplies halves in block lanes where the document pairs",
                   "what the shipped code does"),
          Order::kDocumented, RealHalf(Order::kBlockLanes)),
      OfFloat(kTileRow("trp-block-lanes-as-register-lanes", kOrder,
                       "gives block-lanes a whole register of accumulators"),
              Order::kBlockLanes, RealFloat(Order::kRegisterLanes)),
      OfFloat(kTileRow("trp-register-lanes-as-documented", kOrder,
                       "multiplies pairs of repeats in register-lanes"),
              Order::kRegisterLanes, RealFloat(Order::kDocumented)),
      OfHalf(kTileRow("trp-left-fold-as-register-lanes", kOrder,
                      "multiplies halves lane by lane in left-fold"),
             Order::kLeftFold, RealHalf(Order::kRegisterLanes)),
      OfFloat(kTileRow("trp-left-fold-from-the-right", kOrder,
                       "multiplies from right to left in left-fold"),
              Order::kLeftFold,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                auto columns = ColumnsOf<F>(p, row, ub);
                std::ranges::reverse(columns);
                return RealOn(columns, Order::kLeftFold, p.saturation);
              }),
      OfHalf(kTileRow(
                 "trp-block-lanes-chain-in-half", kOrder,
                 "rounds the last chain of block-lanes to half at every step"),
             Order::kBlockLanes,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               std::array<H, 16> lanes;
               lanes.fill(kOne<H>);
               const auto columns = ColumnsOf<H>(p, row, ub);
               for (std::size_t j = 0; j < columns.size(); ++j) {
                 lanes[j % 16] =
                     Multiply(lanes[j % 16], columns[j], p.saturation);
               }
               return RealOn<H>({lanes.begin(), lanes.end()}, Order::kLeftFold,
                                p.saturation);
             }),
      OfFloat(
          kTileRow("trp-tmp-from-the-left", kOrder,
                   "multiplies the repeats of tmp in a chain, not as a tree"),
          Order::kDocumented, TmpFromTheLeft),
      OfFloat(kTileRow("trp-neighbours-at-end", kOrder,
                       "folds the last register by neighbours, not by halves"),
              Order::kDocumented, NeighboursAtEnd),
  };
}

Table Lost() {
  return {
      OfFloat(
          kTileRow(
              "trp-pairs-dropped-float", kOrder,
              "drops pairs of repeats unless their number is a power of two",
              "a product loop that halves the number of repeat pairs and "
              "forgets the odd one"),
          Order::kDocumented, PairsDropped<F>),
      OfHalf(kTileRow(
                 "trp-pairs-dropped-half", kOrder,
                 "drops pairs of repeats unless their number is a power of two",
                 "a product loop that halves the number of repeat pairs and "
                 "forgets the odd one"),
             Order::kDocumented, PairsDropped<H>),
      OfFloat(
          kTileRow("trp-odd-repeat-dropped", kOrder, "drops an odd last repeat",
                   "a loop over pairs without a rest"),
          Order::kDocumented,
          [](const Plan& p, std::int64_t row, Ub ub) -> F {
            return RealOn(WithoutOddRepeat(ColumnsOf<F>(p, row, ub)),
                          Order::kDocumented, p.saturation);
          }),
      OfFloat(kTileRow("trp-tail-dropped", kOrder,
                       "drops the columns behind the last full repeat",
                       "a loop over registers without a tail"),
              Order::kDocumented,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                Plan full = p;
                full.cols = p.cols / 64 * 64;
                return RealFloat(Order::kDocumented)(full, row, ub);
              }),
      OfHalf(kTileRow("trp-tail-reads-whole-register", kAddress,
                      "multiplies what is behind the last column into the tail",
                      "a tail without a mask"),
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               Plan more = p;
               more.cols = (p.cols + 127) / 128 * 128;
               return RealHalf(Order::kDocumented)(more, row, ub);
             }),
      OfFloat(
          kTileRow("trp-tail-into-last-lanes", kOrder,
                   "multiplies the tail into the last lanes, not the first"),
          Order::kDocumented,
          [](const Plan& p, std::int64_t row, Ub ub) -> F {
            auto columns = ColumnsOf<F>(p, row, ub);
            const std::size_t tail = columns.size() % 64;
            if (tail != 0) {
              columns.insert(columns.end() - std::ptrdiff_t(tail), 64 - tail,
                             kOne<F>);
            }
            auto tmp = TmpOf(
                Columns<F>(columns.begin(), columns.end() - (tail ? 64 : 0)),
                p.saturation);
            if (tail != 0) {
              MultiplyInto(tmp[0], RegistersOf(columns).back(), p.saturation);
            }
            while (tmp.size() > 1) {
              const std::size_t half = (tmp.size() + 1) / 2;
              for (std::size_t k = 0; k < half; ++k) {
                tmp[k] = tmp[2 * k];
                if (2 * k + 1 < tmp.size()) {
                  MultiplyInto(tmp[k], tmp[2 * k + 1], p.saturation);
                }
              }
              tmp.resize(half);
            }
            return FoldHalves(tmp[0], p.saturation);
          }),
      OfHalf(kTileRow("trp-first-row-only", kAddress,
                      "gives every row the product of the first"),
             Order::kDocumented,
             [](const Plan& p, std::int64_t, Ub ub) -> F {
               return RealHalf(Order::kDocumented)(p, 0, ub);
             }),
  };
}

Table Arithmetic() {
  return {
      OfHalf(kTileRow("trp-float-accumulator", isa::arith::kRound,
                      "multiplies halves in float and rounds once, at the end",
                      "a SIMD back end that widens first"),
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               Columns<F> wide;
               for (const H column : ColumnsOf<H>(p, row, ub)) {
                 wide.push_back(BitsOf(HalfToFloat(column)));
               }
               const F product = RealOn(wide, Order::kDocumented, p.saturation);
               return Saturated(emulator::FloatToHalf(FloatOf(product)),
                                p.saturation);
             }),
      OfHalf(kTileRow(
                 "trp-saturates-at-end", kSaturate,
                 "multiplies as IEEE does and saturates the last product only"),
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               Plan plain = p;
               plain.saturation = false;
               return Saturated(
                   static_cast<H>(RealHalf(Order::kDocumented)(plain, row, ub)),
                   p.saturation);
             }),
      OfFloat(
          kTileRow("trp-double-accumulator", isa::arith::kRound,
                   "multiplies floats in double and rounds once, at the end"),
          Order::kLeftFold,
          [](const Plan& p, std::int64_t row, Ub ub) -> F {
            double product = 1;
            for (const F column : ColumnsOf<F>(p, row, ub)) {
              product *= FloatOf(column);
            }
            return Canonical(static_cast<float>(product));
          }),
      OfHalf(kTileRow("trp-truncates", isa::arith::kRound,
                      "rounds products of halves toward zero",
                      "f16 conversion by truncation in a SIMD back end"),
             Order::kLeftFold,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               H product = kOne<H>;
               for (const H column : ColumnsOf<H>(p, row, ub)) {
                 product = Saturated(TruncatedToHalf(HalfToFloat(product) *
                                                     HalfToFloat(column)),
                                     p.saturation);
               }
               return product;
             }),
      OfFloat(kTileRow("trp-subnormals-flushed", isa::arith::kSubnormal,
                       "makes subnormal products zero", "FTZ mode"),
              Order::kLeftFold,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                F product = kOne<F>;
                for (const F column : ColumnsOf<F>(p, row, ub)) {
                  product =
                      FlushedFloat(Multiply(product, column, p.saturation));
                }
                return product;
              }),
      OfHalf(kTileRow("trp-subnormal-columns-flushed", isa::arith::kSubnormal,
                      "takes a subnormal half for zero", "DAZ mode"),
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               auto columns = ColumnsOf<H>(p, row, ub);
               std::ranges::transform(columns, columns.begin(), FlushedHalf);
               return RealOn(columns, Order::kDocumented, p.saturation);
             }),
      OfFloat(kTileRow("trp-zero-ends-the-row", isa::arith::kNan,
                       "gives +0 as soon as a column is zero",
                       "a shortcut that forgets infinities, NaN and signs"),
              Order::kDocumented,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                const auto columns = ColumnsOf<F>(p, row, ub);
                const bool zero = std::ranges::any_of(
                    columns, [](F x) { return (x & 0x7fffffffu) == 0; });
                return zero ? 0
                            : RealOn(columns, Order::kDocumented, p.saturation);
              }),
      OfFloat(kTileRow(
                  "trp-by-logarithms", isa::arith::kZeroSign,
                  "multiplies magnitudes and loses the sign of the product",
                  "a product formed as the exponential of a sum of logarithms"),
              Order::kRegisterLanes,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                const F product = RealFloat(Order::kRegisterLanes)(p, row, ub);
                return product & 0x7fffffffu;
              }),
      OfHalf(kTileRow("trp-nan-columns-skipped", isa::arith::kNan,
                      "takes a NaN column for 1", "a NaN-ignoring product"),
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               auto columns = ColumnsOf<H>(p, row, ub);
               for (H& x : columns) {
                 if ((x & 0x7fffu) > 0x7c00u) x = kOne<H>;
               }
               return RealOn(columns, Order::kDocumented, p.saturation);
             }),
      OfFloat(kTileRow("trp-starts-from-old-dst", kAddress,
                       "multiplies by what the destination held",
                       "an accumulator that is not set to 1"),
              Order::kDocumented,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                const F old =
                    emulator::Load<F>(ub, p.dst + row * p.dst_row_stride);
                return Multiply(RealFloat(Order::kDocumented)(p, row, ub), old,
                                p.saturation);
              }),
  };
}

}  // namespace

Table TrowprodOrders() { return Joined(Orders(), Lost()); }

Table TrowprodArithmetic() { return Arithmetic(); }

}  // namespace lanediff::mutants
