// TROWPROD: kernels that multiply in another arithmetic.

#include <algorithm>

#include "emulator/mutants/modules.h"
#include "emulator/mutants/trowprod_columns.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::trp;
using namespace trowprod;

Table Arithmetic() {
  return {
      OfHalf({"trp-float-accumulator", isa::arith::kRound,
              "multiplies halves in float and rounds once, at the end",
              "a SIMD back end that widens first"},
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
      OfHalf({"trp-saturates-at-end", rule::kSaturate,
              "multiplies as IEEE does and saturates the last product only"},
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               Plan plain = p;
               plain.saturation = false;
               return Saturated(
                   static_cast<H>(RealHalf(Order::kDocumented)(plain, row, ub)),
                   p.saturation);
             }),
      OfFloat({"trp-double-accumulator", isa::arith::kRound,
               "multiplies floats in double and rounds once, at the end"},
              Order::kLeftFold,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                double product = 1;
                for (const F column : ColumnsOf<F>(p, row, ub)) {
                  product *= FloatOf(column);
                }
                return Canonical(static_cast<float>(product));
              }),
      OfHalf({"trp-truncates", isa::arith::kRound,
              "rounds products of halves toward zero",
              "f16 conversion by truncation in a SIMD back end"},
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
      OfFloat({"trp-subnormals-flushed", isa::arith::kSubnormal,
               "makes subnormal products zero", "FTZ mode"},
              Order::kLeftFold,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                F product = kOne<F>;
                for (const F column : ColumnsOf<F>(p, row, ub)) {
                  product =
                      FlushedFloat(Multiply(product, column, p.saturation));
                }
                return product;
              }),
      OfHalf({"trp-subnormal-columns-flushed", isa::arith::kSubnormal,
              "takes a subnormal half for zero", "DAZ mode"},
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               auto columns = ColumnsOf<H>(p, row, ub);
               std::ranges::transform(columns, columns.begin(), FlushedHalf);
               return RealOn(columns, Order::kDocumented, p.saturation);
             }),
      OfFloat({"trp-zero-ends-the-row", isa::arith::kNan,
               "gives +0 as soon as a column is zero",
               "a shortcut that forgets infinities, NaN and signs"},
              Order::kDocumented,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                const auto columns = ColumnsOf<F>(p, row, ub);
                const bool zero = std::ranges::any_of(
                    columns, [](F x) { return (x & 0x7fffffffu) == 0; });
                return zero ? 0
                            : RealOn(columns, Order::kDocumented, p.saturation);
              }),
      OfFloat({"trp-by-logarithms", isa::arith::kZeroSign,
               "multiplies magnitudes and loses the sign of the product",
               "a product formed as the exponential of a sum of logarithms"},
              Order::kRegisterLanes,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                const F product = RealFloat(Order::kRegisterLanes)(p, row, ub);
                return product & 0x7fffffffu;
              }),
      OfHalf({"trp-nan-columns-skipped", isa::arith::kNan,
              "takes a NaN column for 1", "a NaN-ignoring product"},
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               auto columns = ColumnsOf<H>(p, row, ub);
               for (H& x : columns) {
                 if ((x & 0x7fffu) > 0x7c00u) x = kOne<H>;
               }
               return RealOn(columns, Order::kDocumented, p.saturation);
             }),
      OfFloat({"trp-starts-from-old-dst", rule::kAddress,
               "multiplies by what the destination held",
               "an accumulator that is not set to 1"},
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

Table TrowprodArithmetic() { return Arithmetic(); }

}  // namespace lanediff::mutants
