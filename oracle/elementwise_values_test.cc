#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/testing.h"

/// What the element-wise calls make of single pairs: *-VALUE and
/// *-INTEGER-OVERFLOW. Finite values in general are node tests' matter.
namespace lanediff::oracle {
namespace {

using test::CountCall;

constexpr DType kH = DType::kHalf;
constexpr DType kF = DType::kFloat;

template <isa::Elementwise Call>
std::uint64_t Result(DType dtype, std::uint64_t left, std::uint64_t right,
                     bool saturation) {
  Machine m;
  const Call call = CountCall<Call>(1, dtype);
  m.Put(dtype, call.src0.at, {left});
  m.Put(dtype, call.src1.at, {right});
  m.Execute(isa::SetSaturation{.enabled = saturation});
  EXPECT_TRUE(m.Executes(call));
  return m.Get(dtype, call.dst.at, 1).front();
}

/// A result in saturation mode, and with the mode off where it differs.
struct Modes {
  Modes(std::uint64_t both) : on(both), off(both) {}  // NOLINT: reads as one
  Modes(std::uint64_t with, std::uint64_t without) : on(with), off(without) {}

  bool operator==(const Modes&) const = default;
  friend void PrintTo(const Modes& m, std::ostream* os) {
    *os << std::hex << "0x" << m.on << " | 0x" << m.off;
  }

  std::uint64_t on;
  std::uint64_t off;
};

template <isa::Elementwise Call>
Modes Of(DType dtype, std::uint64_t left, std::uint64_t right) {
  return {Result<Call>(dtype, left, right, true),
          Result<Call>(dtype, left, right, false)};
}

/// The same in either order.
template <isa::Elementwise Call>
void ExpectBothOrders(DType dtype, std::uint64_t left, std::uint64_t right,
                      const Modes& expected) {
  EXPECT_EQ(Of<Call>(dtype, left, right), expected)
      << Call::kOp << " " << Name(dtype) << std::hex << " " << left << " "
      << right;
  EXPECT_EQ(Of<Call>(dtype, right, left), expected)
      << Call::kOp << " " << Name(dtype) << std::hex << " " << right << " "
      << left;
}

// ---- Halves and floats ------------------------------------------------------

constexpr std::uint64_t kZero = 0;
constexpr std::uint64_t kMinusZero = 0x8000;
constexpr std::uint64_t kMost = 0x7bff;  // 65504
constexpr std::uint64_t kLeast = 0xfbff;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;
constexpr std::uint64_t kNan = 0x7e00;
// What saturation mode makes of infinities and NaN.
const Modes kOver{kMost, kInf};
const Modes kUnder{kLeast, kMinusInf};
const Modes kNone{kZero, kNan};

struct Row {
  std::uint64_t src0, src1;
  Modes max, add, sub, mul;
};

/// The documents' special values, and NaN against the other operands.
const Row kSpecialValues[] = {
    {kMost, kMost, kMost, kOver, kZero, kOver},
    {kMost, kLeast, kMost, kZero, kOver, kUnder},
    {kMost, kMinusInf, kMost, kUnder, kOver, kUnder},
    {kInf, kInf, kOver, kOver, kNone, kOver},
    {kInf, kMinusInf, kOver, kNone, kOver, kUnder},
    {kMinusInf, kMinusInf, kUnder, kUnder, kNone, kOver},
    {kInf, kZero, kOver, kOver, kOver, kNone},
    {kZero, kMinusZero, kZero, kZero, kZero, kMinusZero},
    {kMinusZero, kZero, kZero, kZero, kMinusZero, kMinusZero},
    {kMinusZero, kMinusZero, kMinusZero, kMinusZero, kZero, kZero},
    {kMost, 0x7c01, kNone, kNone, kNone, kNone},
    {kLeast, 0xfe00, kNone, kNone, kNone, kNone},
    {kInf, kNan, kNone, kNone, kNone, kNone},
    {kMinusInf, 0xfd01, kNone, kNone, kNone, kNone},
    {kZero, 0x7fff, kNone, kNone, kNone, kNone},
    {kMinusZero, kNan, kNone, kNone, kNone, kNone},
    {kNan, 0xfe01, kNone, kNone, kNone, kNone},
};

TEST(ElementwiseValues, SpecialHalves) {
  for (const Row& row : kSpecialValues) {
    ExpectBothOrders<isa::Max>(kH, row.src0, row.src1, row.max);
    ExpectBothOrders<isa::Add>(kH, row.src0, row.src1, row.add);
    ExpectBothOrders<isa::Mul>(kH, row.src0, row.src1, row.mul);
    EXPECT_EQ(Of<isa::Sub>(kH, row.src0, row.src1), row.sub)
        << std::hex << row.src0 << " - " << row.src1;
  }
  // Sub in the other order.
  EXPECT_EQ(Of<isa::Sub>(kH, kLeast, kMost), kUnder);
  EXPECT_EQ(Of<isa::Sub>(kH, kMinusInf, kMost), kUnder);
  EXPECT_EQ(Of<isa::Sub>(kH, kMinusInf, kInf), kUnder);
  EXPECT_EQ(Of<isa::Sub>(kH, kZero, kInf), kUnder);
  EXPECT_EQ(Of<isa::Sub>(kH, kZero, kZero), kZero);
  EXPECT_EQ(Of<isa::Sub>(kH, kNan, kMost), kNone);
  EXPECT_EQ(Of<isa::Sub>(kH, 0xfd01, kInf), kNone);
}

/// The half's counterpart; canonical NaN for NaN.
std::uint64_t AsFloat(std::uint64_t half) {
  const std::uint64_t sign = (half & 0x8000) << 16;
  switch (half & 0x7fff) {
    case kZero:
      return sign;
    case kMost:
      return sign | 0x7f7fffff;
    case kInf:
      return sign | 0x7f800000;
    default:
      return 0x7fc00000;
  }
}

/// For float, which has no saturation, both modes give what half gives with the
/// mode off.
TEST(ElementwiseValues, SpecialFloats) {
  for (const Row& row : kSpecialValues) {
    const std::uint64_t src0 = AsFloat(row.src0);
    const std::uint64_t src1 = AsFloat(row.src1);
    ExpectBothOrders<isa::Max>(kF, src0, src1, AsFloat(row.max.off));
    ExpectBothOrders<isa::Add>(kF, src0, src1, AsFloat(row.add.off));
    ExpectBothOrders<isa::Mul>(kF, src0, src1, AsFloat(row.mul.off));
    EXPECT_EQ(Of<isa::Sub>(kF, src0, src1), Modes(AsFloat(row.sub.off)));
  }
  // ARITH-NAN: the canonical one, whichever goes in.
  constexpr std::uint64_t kNans[] = {0xff812345, 0x7f800001, 0xffffffff};
  for (std::uint64_t nan : kNans) {
    ExpectBothOrders<isa::Max>(kF, nan, 0x3f800000, 0x7fc00000);
    ExpectBothOrders<isa::Min>(kF, nan, 0xff800000, 0x7fc00000);
    ExpectBothOrders<isa::Add>(kF, nan, 0, 0x7fc00000);
    ExpectBothOrders<isa::Sub>(kF, nan, 0, 0x7fc00000);
    ExpectBothOrders<isa::Mul>(kF, nan, 0, 0x7fc00000);
  }
}

TEST(ElementwiseValues, Minima) {
  ExpectBothOrders<isa::Min>(kH, 0x3c00, 0x4000, 0x3c00);
  ExpectBothOrders<isa::Min>(kH, 0xc000, 0xbc00, 0xc000);
  ExpectBothOrders<isa::Min>(kH, kMinusZero, kZero, kMinusZero);
  ExpectBothOrders<isa::Min>(kH, kZero, kZero, kZero);
  ExpectBothOrders<isa::Min>(kH, 0x0001, 0x0002, 0x0001);
  ExpectBothOrders<isa::Min>(kH, 0x8001, kMinusZero, 0x8001);
  ExpectBothOrders<isa::Min>(kH, kInf, kInf, kOver);
  ExpectBothOrders<isa::Min>(kH, kInf, kMost, kMost);
  ExpectBothOrders<isa::Min>(kH, kMinusInf, 0x3c00, kUnder);
  ExpectBothOrders<isa::Min>(kH, kMinusInf, kLeast, kUnder);
  ExpectBothOrders<isa::Min>(kH, kNan, 0x3c00, kNone);
  ExpectBothOrders<isa::Min>(kH, 0xfd01, kMinusInf, kNone);
  ExpectBothOrders<isa::Min>(kH, 0x7c01, 0xfe00, kNone);
  ExpectBothOrders<isa::Min>(kF, 0x7f800000, 0x7f800000, 0x7f800000);
  ExpectBothOrders<isa::Min>(kF, 0xff800000, 0x00000001, 0xff800000);
  ExpectBothOrders<isa::Min>(kF, 0x80000000, 0x00000000, 0x80000000);
  ExpectBothOrders<isa::Min>(kF, 0x00000001, 0x00000002, 0x00000001);
}

TEST(ElementwiseValues, Maxima) {
  ExpectBothOrders<isa::Max>(kH, 0x3c00, 0x4000, 0x4000);
  ExpectBothOrders<isa::Max>(kH, 0xc000, 0xbc00, 0xbc00);
  ExpectBothOrders<isa::Max>(kH, 0xbc00, 0x3800, 0x3800);
  ExpectBothOrders<isa::Max>(kH, 0x0001, 0x0002, 0x0002);
  ExpectBothOrders<isa::Max>(kH, 0x8001, kMinusZero, kMinusZero);
  ExpectBothOrders<isa::Max>(kH, kMinusInf, kLeast, kLeast);
  ExpectBothOrders<isa::Max>(kH, kMinusInf, 0x8001, 0x8001);
  ExpectBothOrders<isa::Max>(kF, 0xff800000, 0x80000001, 0x80000001);
  ExpectBothOrders<isa::Max>(kF, 0x00800000, 0x007fffff, 0x00800000);
}

/// ARITH-ROUND, ARITH-SUBNORMAL.
TEST(ElementwiseValues, Rounding) {
  constexpr std::uint64_t kHalfOne = 0x3800;               // 0.5
  ExpectBothOrders<isa::Add>(kH, 0x6800, 0x3c00, 0x6800);  // 2048 + 1
  ExpectBothOrders<isa::Add>(kH, 0x6800, 0x4200, 0x6802);  // 2048 + 3
  ExpectBothOrders<isa::Add>(kH, kMost, 0x4b80, kMost);    // + 15
  ExpectBothOrders<isa::Add>(kH, kMost, 0x4c00, kOver);    // + 16
  ExpectBothOrders<isa::Add>(kH, kLeast, 0xcc00, kUnder);
  EXPECT_EQ(Of<isa::Sub>(kH, 0x6800, 0xbc00), Modes(0x6800));
  EXPECT_EQ(Of<isa::Sub>(kH, 0x6800, 0xc200), Modes(0x6802));
  EXPECT_EQ(Of<isa::Sub>(kH, kLeast, 0x4b80), Modes(kLeast));
  EXPECT_EQ(Of<isa::Sub>(kH, kLeast, 0x4c00), kUnder);
  EXPECT_EQ(Of<isa::Sub>(kH, 0x0400, 0x0001), Modes(0x03ff));
  ExpectBothOrders<isa::Mul>(kH, 0x0400, kHalfOne, 0x0200);
  ExpectBothOrders<isa::Mul>(kH, 0x0001, kHalfOne, kZero);
  ExpectBothOrders<isa::Mul>(kH, 0x8001, kHalfOne, kMinusZero);
  ExpectBothOrders<isa::Mul>(kH, 0x0001, 0x3a00, 0x0001);  // 0.75
  ExpectBothOrders<isa::Mul>(kF, 0x00000001, 0xbf000000, 0x80000000);
  ExpectBothOrders<isa::Mul>(kF, 0x00800000, 0x3f000000, 0x00400000);
}

// ---- Integers ---------------------------------------------------------------

struct IntegerRow {
  std::int64_t src0, src1;
  std::int64_t on[3];  // Add, Sub, Mul
  std::int64_t off[3];
};

void CheckIntegers(DType dtype, const IntegerRow& row, std::uint64_t ones) {
  const auto bits = [=](std::int64_t value) {
    return static_cast<std::uint64_t>(value) & ones;
  };
  const auto expected = [&](int i) {
    return Modes(bits(row.on[i]), bits(row.off[i]));
  };
  const std::uint64_t left = bits(row.src0);
  const std::uint64_t right = bits(row.src1);
  ExpectBothOrders<isa::Add>(dtype, left, right, expected(0));
  EXPECT_EQ(Of<isa::Sub>(dtype, left, right), expected(1))
      << row.src0 << " - " << row.src1;
  ExpectBothOrders<isa::Mul>(dtype, left, right, expected(2));
  ExpectBothOrders<isa::Max>(dtype, left, right,
                             bits(std::max(row.src0, row.src1)));
  ExpectBothOrders<isa::Min>(dtype, left, right,
                             bits(std::min(row.src0, row.src1)));
}

/// The documents' table for int16, with the ends of each type.
void CheckEnds(DType dtype, std::int64_t least, std::uint64_t ones) {
  const std::int64_t most = -least - 1;
  const IntegerRow rows[] = {
      {most, most, {most, 0, most}, {-2, 0, 1}},
      {least, least, {least, 0, most}, {0, 0, 0}},
      {least, most, {-1, least, least}, {-1, 1, least}},
      {most, least, {-1, most, least}, {-1, -1, least}},
      // Both sides of both ends.
      {most, 0, {most, most, 0}, {most, most, 0}},
      {most, 1, {most, most - 1, most}, {least, most - 1, most}},
      {most, -1, {most - 1, most, -most}, {most - 1, least, -most}},
      {least, 0, {least, least, 0}, {least, least, 0}},
      {least, 1, {least + 1, least, least}, {least + 1, most, least}},
      {least, -1, {least, least + 1, most}, {most, least + 1, least}},
      {0, least, {least, most, 0}, {least, least, 0}},
      {-1, least, {least, most, most}, {most, most, least}},
  };
  for (const IntegerRow& row : rows) CheckIntegers(dtype, row, ones);
}

TEST(ElementwiseValues, Int16) { CheckEnds(DType::kInt16, -32768, 0xffff); }
TEST(ElementwiseValues, Int32) {
  CheckEnds(DType::kInt32, -2147483648LL, 0xffffffff);
}

/// Patterns that would be zeros, infinities and NaNs as halves and floats.
TEST(ElementwiseValues, IntegersAreNoFloats) {
  ExpectBothOrders<isa::Max>(DType::kInt16, 0x7e00, 0x7c00, 0x7e00);
  ExpectBothOrders<isa::Min>(DType::kInt16, 0x7e00, 0x7c00, 0x7c00);
  ExpectBothOrders<isa::Max>(DType::kInt16, 0x8000, 0xffff, 0xffff);
  ExpectBothOrders<isa::Add>(DType::kInt16, 0x8000, 0, 0x8000);
  ExpectBothOrders<isa::Add>(DType::kInt32, 0x7f800000, 0x1, 0x7f800001);
  ExpectBothOrders<isa::Mul>(DType::kInt32, 0x7fc00000, 1, 0x7fc00000);
}

}  // namespace
}  // namespace lanediff::oracle
