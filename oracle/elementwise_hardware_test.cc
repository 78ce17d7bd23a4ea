#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/testing.h"

/// Whole calls of Max, Add, Sub and Mul against this machine's own arithmetic:
/// float against float, half against double and one rounding to `_Float16`.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::CountCall;
using test::Machine;

constexpr std::int64_t kElements = 1024;
constexpr int kCalls = test::kSlowBuild ? 1 << 5 : 1 << 10;

/// Of two values of a floating type. Max as the documents have it: NaN stays,
/// and +0 is larger than −0.
template <isa::Elementwise Call, class Float>
Float Computed(Float x, Float y) {
  if constexpr (std::same_as<Call, isa::Add>) return x + y;
  if constexpr (std::same_as<Call, isa::Sub>) return x - y;
  if constexpr (std::same_as<Call, isa::Mul>) return x * y;
  if constexpr (std::same_as<Call, isa::Max>) {
    if (std::isnan(x) || std::isnan(y)) {
      return std::numeric_limits<Float>::quiet_NaN();
    }
    if (x == y) return std::signbit(x) ? y : x;
    return x > y ? x : y;
  }
}

/// Patterns that random bits seldom are, and sizes close to each other.
std::uint64_t Pattern(test::Words& words, const std::vector<std::uint64_t>& few,
                      std::uint64_t ones) {
  const std::uint64_t w = words.Next();
  return (w >> 40) % 8 == 0 ? few[(w >> 32) % few.size()] : w & ones;
}

/// Calls over random patterns; `expected` gives the result's bits.
template <isa::Elementwise Call, class Expected>
void CheckCalls(DType type, const std::vector<std::uint64_t>& few,
                std::uint64_t ones, bool saturation, Expected expected) {
  test::Words words;
  const Call call = CountCall<Call>(kElements, type);
  std::vector<std::uint64_t> left(kElements), right(kElements);
  for (int n = 0; n < kCalls; ++n) {
    for (std::uint64_t& bits : left) bits = Pattern(words, few, ones);
    for (std::uint64_t& bits : right) bits = Pattern(words, few, ones);
    Machine m;
    m.Put(type, call.src0.at, left);
    m.Put(type, call.src1.at, right);
    m.Execute(isa::SetSaturation{.enabled = saturation});
    ASSERT_TRUE(m.Executes(call));
    const auto results = m.Get(type, call.dst.at, kElements);
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i], expected(left[i], right[i]))
          << std::hex << Call::kOp << " " << left[i] << " " << right[i];
    }
  }
}

template <class Call>
class HardwareOf : public testing::Test {};
using Computing = testing::Types<isa::Max, isa::Add, isa::Sub, isa::Mul>;
TYPED_TEST_SUITE(HardwareOf, Computing, test::NamedByOp);

TYPED_TEST(HardwareOf, Float) {
  using Call = TypeParam;
  const std::vector<std::uint64_t> few = {
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
      0x00800000, 0x00800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
      0x7fc00000, 0xff812345, 0x7f000000, 0x3f800000, 0xbf800000, 0x3f800001,
      0x33800000, 0xb3800001, 0x3f000000, 0x4b800000, 0x73000000, 0xf3000001};
  for (bool saturation : {true, false}) {  // which float does not know
    CheckCalls<Call>(
        DType::kFloat, few, 0xffffffff, saturation,
        [](std::uint64_t left, std::uint64_t right) {
          const float result = Computed<Call>(
              std::bit_cast<float>(static_cast<std::uint32_t>(left)),
              std::bit_cast<float>(static_cast<std::uint32_t>(right)));
          return std::isnan(result) ? 0x7fc00000
                                    : std::bit_cast<std::uint32_t>(result);
        });
  }
}

#if defined(__FLT16_MAX__)
__extension__ typedef _Float16 Half;

double Widened(std::uint64_t half) {
  return static_cast<double>(
      std::bit_cast<Half>(static_cast<std::uint16_t>(half)));
}

/// Sums, differences and products of halves are exact in double: all are
/// multiples of 2^-48 below 2^33, with at most 42 bits for a sum and 22 for a
/// product.
template <isa::Elementwise Call>
std::uint64_t HalfResult(std::uint64_t left, std::uint64_t right,
                         bool saturation) {
  const double exact = Computed<Call>(Widened(left), Widened(right));
  if (std::isnan(exact)) return saturation ? 0 : 0x7e00;
  const auto bits = std::bit_cast<std::uint16_t>(static_cast<Half>(exact));
  return saturation && (bits & 0x7fff) == 0x7c00 ? bits - 1U : bits;
}

TYPED_TEST(HardwareOf, Half) {
  using Call = TypeParam;
  const std::vector<std::uint64_t> few = {
      0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x0401,
      0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfd01, 0x7800, 0x3c00,
      0xbc00, 0x3c01, 0x1000, 0x9001, 0x3800, 0x6800, 0x4c00, 0xcbff};
  for (bool saturation : {true, false}) {
    CheckCalls<Call>(DType::kHalf, few, 0xffff, saturation,
                     [=](std::uint64_t left, std::uint64_t right) {
                       return HalfResult<Call>(left, right, saturation);
                     });
  }
}
#endif

}  // namespace
}  // namespace lanediff::oracle
