// What pairs of elements are to show, worked out from their values: half and
// int16 are exact in double, and so are their sums and products.

#include "generators/random/pair_data.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "generators/random.h"

namespace lanediff::make {
namespace {

using isa::DType;

double HalfValue(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double magnitude = exponent == 0
                               ? std::ldexp(fraction, -24)
                               : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -magnitude : magnitude;
}

double Int16Value(std::uint64_t bits) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(bits));
}

double Result(DataUse use, double left, double right) {
  if (use == DataUse::kPairProduct) return left * right;
  return use == DataUse::kPairSum ? left + right : left - right;
}

/// Of 1,000 pairs of some regions, how many have `property`.
int CountOf(DType type, DataUse use, DataIntent intent,
            const std::function<bool(double left, double right, double result)>&
                property) {
  Random random(17);
  int count = 0;
  for (int region = 0; region < 10; ++region) {
    DataTheme theme = {.intent = intent, .use = use, .key = random.Bits()};
    for (std::int64_t i = 0; i < 100; ++i) {
      double sides[2];
      for (bool second : {false, true}) {
        theme.second = second;
        const std::uint64_t bits = ThemedElement(type, theme, i, random.Bits());
        sides[second ? 1 : 0] =
            type == DType::kHalf ? HalfValue(bits) : Int16Value(bits);
      }
      count += property(sides[0], sides[1], Result(use, sides[0], sides[1]));
    }
  }
  return count;
}

constexpr DataUse kUses[] = {DataUse::kPairSum, DataUse::kPairDifference,
                             DataUse::kPairProduct};

TEST(PairData, TiesLieHalfway) {
  for (DataUse use : kUses) {
    const int ties = CountOf(
        DType::kHalf, use, DataIntent::kTies, [](double, double, double r) {
          if (r == 0) return false;
          const double unit = std::ldexp(1, std::max(std::ilogb(r), -14) - 10);
          return std::abs(std::fmod(r / unit, 1)) == 0.5;
        });
    EXPECT_GT(ties, 900) << static_cast<int>(use);
  }
}

TEST(PairData, OverflowIsMetOnBothSides) {
  for (DataUse use : kUses) {
    const auto within = [&](double low, double high) {
      return CountOf(DType::kHalf, use, DataIntent::kJustOverflow,
                     [=](double, double, double r) {
                       return std::abs(r) >= low && std::abs(r) < high;
                     });
    };
    EXPECT_GT(within(65024, 65520), 150) << static_cast<int>(use);
    EXPECT_GT(within(65520, 66560), 150) << static_cast<int>(use);
    EXPECT_GT(within(65024, 66560), 900) << static_cast<int>(use);
  }
}

TEST(PairData, CancellationLeavesLittle) {
  for (DataUse use : {DataUse::kPairSum, DataUse::kPairDifference}) {
    const int small = CountOf(DType::kHalf, use, DataIntent::kCancellation,
                              [](double left, double, double r) {
                                return std::abs(r) <= std::abs(left) / 512;
                              });
    EXPECT_EQ(small, 1000) << static_cast<int>(use);
  }
}

TEST(PairData, ProductsAreSubnormal) {
  const int subnormal =
      CountOf(DType::kHalf, DataUse::kPairProduct, DataIntent::kSubnormals,
              [](double, double, double r) {
                return r != 0 && std::abs(r) < std::ldexp(1, -14);
              });
  EXPECT_GT(subnormal, 700);
}

TEST(PairData, IntegersMeetBothLimitsFromBothSides) {
  for (DataUse use : kUses) {
    for (double limit : {32767.0, -32768.0}) {
      const auto beside = [&](int side) {
        return CountOf(DType::kInt16, use, DataIntent::kJustOverflow,
                       [=](double left, double right, double r) {
                         // A product leaves the limit by as many units as its
                         // factor.
                         const double units = use == DataUse::kPairProduct
                                                  ? 2 * std::abs(left) + 2
                                                  : 4;
                         return right != 0 && std::abs(r - limit) <= units &&
                                (side < 0 ? r <= limit : r >= limit);
                       });
      };
      EXPECT_GT(beside(-1), 50) << static_cast<int>(use) << " at " << limit;
      EXPECT_GT(beside(1), 50) << static_cast<int>(use) << " at " << limit;
    }
  }
}

}  // namespace
}  // namespace lanediff::make
