#include "tools/bench/yardsticks.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

#include "generators/random.h"
#include "tools/bench/data.h"
#include "tools/bench/half.h"
#include "tools/bench/oracle_testing.h"

namespace lanediff::bench {
namespace {

using isa::DType;

constexpr std::array kData = {Data::kFinite, Data::kNearOne, Data::kSpecials};

std::vector<std::uint16_t> Halves(std::size_t count, Data data,
                                  std::uint64_t seed) {
  std::vector<std::uint16_t> halves(count);
  FillHalves(halves, data, seed);
  return halves;
}

std::vector<float> Floats(std::size_t count, Data data, std::uint64_t seed) {
  std::vector<float> floats(count);
  FillFloats(floats, data, seed);
  return floats;
}

/// Floats as bits, every NaN as the canonical one: what instructions write is
/// compared so.
std::vector<std::uint32_t> Bits(const std::vector<float>& floats) {
  std::vector<std::uint32_t> bits;
  for (const float value : floats) {
    bits.push_back(std::isnan(value) ? 0x7fc00000u
                                     : std::bit_cast<std::uint32_t>(value));
  }
  return bits;
}

/// Lengths around one and two vectors, and those without a rest.
constexpr std::array<std::size_t, 9> kCounts = {1,  7,  8,   15,  16,
                                                31, 33, 128, 4096};

#define NEEDS_AVX2() \
  if (!HasAvx2()) GTEST_SKIP() << "this processor has no AVX2 and F16C"

/// What `Call` makes of `src0` and `src1` by the loop, as far as `kCounts` go,
/// is what it makes by the oracle.
template <class Call, class T>
void ExpectLoop(DType type, const std::vector<T>& src0,
                const std::vector<T>& src1) {
  for (const std::size_t count : kCounts) {
    std::vector<T> dst(count);
    ElementwiseAvx2<kYardstickOf<Call>, T>(dst.data(), src0.data(), src1.data(),
                                           count);
    const auto right =
        ByOracle<T>(CountOf<Call>(type, static_cast<std::int64_t>(count)), src0,
                    src1, count);
    if constexpr (std::is_same_v<T, float>) {
      EXPECT_EQ(Bits(dst), Bits(right)) << Call::kOp << " " << count;
    } else {
      EXPECT_EQ(dst, right) << Call::kOp << " " << count;
    }
  }
}

template <class Call>
constexpr bool kOneOfTwo =
    std::is_same_v<Call, isa::Min> || std::is_same_v<Call, isa::Max>;

/// Any integers for Min and Max, for the others those whose results fit.
template <class Call, class T>
void ExpectLoopOfIntegers(DType type) {
  std::vector<T> src0(4096);
  std::vector<T> src1(4096);
  make::Random words(1);
  const auto any = [&] {
    const auto bits = words.Bits();
    return kOneOfTwo<Call> ? static_cast<T>(bits)
                           : static_cast<T>(static_cast<int>(bits % 257) - 128);
  };
  for (std::size_t i = 0; i < src0.size(); ++i) {
    src0[i] = any();
    src1[i] = i % 5 == 0 ? src0[i] : any();
  }
  ExpectLoop<Call, T>(type, src0, src1);
}

template <class Call>
class ElementwiseYardsticks : public testing::Test {};
using Calls = testing::Types<isa::Min, isa::Max, isa::Add, isa::Sub, isa::Mul>;
TYPED_TEST_SUITE(ElementwiseYardsticks, Calls);

TYPED_TEST(ElementwiseYardsticks, OfIntegers) {
  NEEDS_AVX2();
  ExpectLoopOfIntegers<TypeParam, std::int16_t>(DType::kInt16);
  ExpectLoopOfIntegers<TypeParam, std::int32_t>(DType::kInt32);
}

TYPED_TEST(ElementwiseYardsticks, OfHalvesAndFloats) {
  NEEDS_AVX2();
  for (const Data data : kData) {
    if (!kOneOfTwo<TypeParam> && data != Data::kNearOne) continue;
    ExpectLoop<TypeParam>(DType::kHalf, Halves(4096, data, 1),
                          Halves(4096, data, 2));
    ExpectLoop<TypeParam>(DType::kFloat, Floats(4096, data, 1),
                          Floats(4096, data, 2));
  }
}

/// Every special value with every other one.
TYPED_TEST(ElementwiseYardsticks, OfPairsOfSpecials) {
  NEEDS_AVX2();
  if (!kOneOfTwo<TypeParam>) GTEST_SKIP() << "numbers only";
  const std::vector<std::uint16_t> values = {
      0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00,
      0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe00, 0xffff};
  std::vector<std::uint16_t> src0;
  std::vector<std::uint16_t> src1;
  std::vector<float> floats0;
  std::vector<float> floats1;
  for (int repeat = 0; repeat < 16; ++repeat) {  // as many as kCounts requires
    for (const std::uint16_t a : values) {
      for (const std::uint16_t b : values) {
        src0.push_back(a);
        src1.push_back(b);
        floats0.push_back(WidenHalf(a));
        floats1.push_back(WidenHalf(b));
      }
    }
  }
  ExpectLoop<TypeParam>(DType::kHalf, src0, src1);
  ExpectLoop<TypeParam>(DType::kFloat, floats0, floats1);
}

/// The sums of `repeats` repeats by both loops are those of the oracle.
void ExpectSums(const std::vector<std::uint16_t>& src, std::size_t repeats) {
  std::vector<std::uint16_t> vectors(repeats);
  std::vector<std::uint16_t> scalars(repeats);
  ReduceSumHalfAvx2(vectors.data(), src.data(), repeats);
  ReduceSumHalfScalar(scalars.data(), src.data(), repeats);
  const auto right = ByOracle<std::uint16_t>(
      SumCall(DType::kHalf, static_cast<std::int64_t>(repeats)), src, {},
      repeats);
  EXPECT_EQ(vectors, right) << repeats;
  EXPECT_EQ(scalars, right) << repeats;
}

TEST(Yardsticks, SumsOfHalves) {
  NEEDS_AVX2();
  for (const Data data : kData) {
    const auto src = Halves(255 * kHalvesInRepeat, data, 3);
    for (const std::size_t repeats : {1, 7, 8, 9, 16, 255}) {
      ExpectSums(src, repeats);
    }
  }
}

/// Sums that are subnormal, or rounded at a tie, at every level.
TEST(Yardsticks, SumsOfSmallHalves) {
  NEEDS_AVX2();
  std::vector<std::uint16_t> src(64 * kHalvesInRepeat);
  make::Random words(9);
  for (std::uint16_t& half : src) {
    const std::uint64_t word = words.Bits();
    half = static_cast<std::uint16_t>((word & 0x83ff) | (word >> 40) % 4 << 10);
  }
  ExpectSums(src, 64);
}

/// The products of `rows` rows of halves are those of the oracle.
void ExpectProducts(const std::vector<std::uint16_t>& halves, std::size_t rows,
                    std::size_t columns) {
  std::vector<std::uint16_t> products(rows);
  LeftFoldHalfScalar(products.data(), halves.data(), rows, columns);
  EXPECT_EQ(products,
            ByOracle<std::uint16_t>(LeftFold(DType::kHalf, rows, columns),
                                    halves, {}, rows));
}

TEST(Yardsticks, LeftFolds) {
  for (const Data data : kData) {
    ExpectProducts(Halves(64 * 128, data, 4), 64, 128);
    const auto floats = Floats(64 * 128, data, 4);
    std::vector<float> products(64);
    LeftFoldFloatScalar(products.data(), floats.data(), 64, 128);
    EXPECT_EQ(Bits(products),
              Bits(ByOracle<float>(LeftFold(DType::kFloat, 64, 128), floats, {},
                                   64)));
  }
}

/// Two factors, so that a product is not soon 0 or saturated.
TEST(Yardsticks, LeftFoldsOfShortRows) {
  for (const Data data : kData) {
    auto halves = Halves(1024 * 16, data, 6);
    for (std::size_t i = 0; i < halves.size(); ++i) {
      if (i % 16 >= 2) halves[i] = 0x3c00;
    }
    ExpectProducts(halves, 1024, 16);
  }
}

TEST(Yardsticks, EveryHalfWidenedAndNarrowed) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const std::uint16_t magnitude = half & 0x7fff;
    const std::uint16_t saturated = magnitude > 0x7c00 ? std::uint16_t{0}
                                    : magnitude == 0x7c00
                                        ? static_cast<std::uint16_t>(half - 1)
                                        : half;
    ASSERT_EQ(NarrowSaturated(WidenHalf(half)), saturated) << bits;
  }
}

TEST(Yardsticks, Bytes) {
  std::vector<std::uint8_t> src(1000);
  FillBytes(src, 1);
  std::vector<std::uint8_t> dst(1000);
  CopyBytes(dst.data(), src.data(), src.size());
  EXPECT_EQ(dst, src);
}

}  // namespace
}  // namespace lanediff::bench
