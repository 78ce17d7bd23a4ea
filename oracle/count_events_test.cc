#include "oracle/count_events.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/testing.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using enum isa::NumericEvent;
using test::Machine;

/// The events that happened and how often.
using Counted = std::map<isa::NumericEvent, std::uint64_t>;

Counted Happened(const isa::NumericEvents& events) {
  Counted counted;
  for (std::size_t i = 0; i < events.counts.size(); ++i) {
    const auto event = static_cast<isa::NumericEvent>(i);
    if (events[event] != 0) counted[event] = events[event];
  }
  return counted;
}

isa::Operand Window(isa::Position position, std::int64_t at,
                    std::int64_t bytes) {
  isa::Operand window;
  window.position = position;
  window.at = at;
  window.bytes = bytes;
  return window;
}

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kMinusOne = 0xbc00;
constexpr std::uint64_t kGreatest = 0x7bff;
constexpr std::uint64_t kLowest = 0xfbff;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;
constexpr std::uint64_t kNanBits = 0x7e01;
constexpr std::uint64_t kMinusZeroBits = 0x8000;

Counted OfAdd(std::uint64_t left, std::uint64_t right, bool saturation) {
  isa::NumericEvents events;
  CountAdd(DType::kHalf, left, right,
           Add(DType::kHalf, left, right, saturation), events);
  return Happened(events);
}

Counted OfMultiply(std::uint64_t left, std::uint64_t right, bool saturation) {
  isa::NumericEvents events;
  CountMultiply(DType::kHalf, left, right,
                Multiply(DType::kHalf, left, right, saturation), events);
  return Happened(events);
}

Counted OfSubtract(std::uint64_t left, std::uint64_t right, bool saturation) {
  isa::NumericEvents events;
  CountSubtract(DType::kHalf, left, right,
                Subtract(DType::kHalf, left, right, saturation), events);
  return Happened(events);
}

Counted OfMinimum(std::uint64_t left, std::uint64_t right, bool saturation) {
  isa::NumericEvents events;
  CountExtremum(DType::kHalf, left, right,
                Minimum(DType::kHalf, left, right, saturation), events);
  return Happened(events);
}

Counted OfMaximum(std::uint64_t left, std::uint64_t right, bool saturation) {
  isa::NumericEvents events;
  CountExtremum(DType::kHalf, left, right,
                Maximum(DType::kHalf, left, right, saturation), events);
  return Happened(events);
}

TEST(Events, OfAdd) {
  EXPECT_EQ(OfAdd(kOne, kOne, true), Counted());
  EXPECT_EQ(OfAdd(kOne, 0x0001, true), Counted({{kRounded, 1}}));
  EXPECT_EQ(OfAdd(kOne, 0x1000, true), Counted({{kRounded, 1}, {kTie, 1}}));
  EXPECT_EQ(OfAdd(kGreatest, kGreatest, true),
            Counted({{kRounded, 1}, {kSaturatedHigh, 1}}));
  EXPECT_EQ(OfAdd(kLowest, kLowest, true),
            Counted({{kRounded, 1}, {kSaturatedLow, 1}}));
  EXPECT_EQ(OfAdd(kLowest, kLowest, false),
            Counted({{kRounded, 1}, {kOverflowed, 1}}));
  EXPECT_EQ(OfAdd(kInf, kOne, true),
            Counted({{kSaturatedHigh, 1}, {kInfinityInput, 1}}));
  EXPECT_EQ(OfAdd(kInf, kOne, false), Counted({{kInfinityInput, 1}}));
  EXPECT_EQ(OfAdd(kInf, kMinusInf, true),
            Counted({{kNanSaturated, 1}, {kInfinityInput, 1}}));
  EXPECT_EQ(OfAdd(kInf, kMinusInf, false),
            Counted({{kNanMade, 1}, {kInfinityInput, 1}}));
  EXPECT_EQ(OfAdd(kNanBits, kOne, true),
            Counted({{kNanSaturated, 1}, {kNanSwallowed, 1}}));
  EXPECT_EQ(OfAdd(kNanBits, kOne, false), Counted());
  EXPECT_EQ(OfAdd(0x0001, 0x0001, true), Counted({{kSubnormal, 1}}));
  EXPECT_EQ(OfAdd(kMinusZeroBits, kMinusZeroBits, true),
            Counted({{kMinusZero, 1}}));
  EXPECT_EQ(OfAdd(kOne, kMinusOne, true), Counted({{kCancellation, 1}}));
  EXPECT_EQ(OfAdd(kMinusZeroBits, 0, true),
            Counted({{kMinusZeroAgainstPlusZero, 1}}));
}

/// As the sum with the other operand's negative.
TEST(Events, OfSubtract) {
  EXPECT_EQ(OfSubtract(kOne, kMinusOne, true), Counted());
  EXPECT_EQ(OfSubtract(kOne, kOne, true), Counted({{kCancellation, 1}}));
  EXPECT_EQ(OfSubtract(kOne, 0x9000, true),
            Counted({{kRounded, 1}, {kTie, 1}}));
  EXPECT_EQ(OfSubtract(kGreatest, kLowest, true),
            Counted({{kRounded, 1}, {kSaturatedHigh, 1}}));
  EXPECT_EQ(OfSubtract(kLowest, kGreatest, false),
            Counted({{kRounded, 1}, {kOverflowed, 1}}));
  EXPECT_EQ(OfSubtract(kInf, kInf, true),
            Counted({{kNanSaturated, 1}, {kInfinityInput, 1}}));
  EXPECT_EQ(OfSubtract(kNanBits, kOne, true),
            Counted({{kNanSaturated, 1}, {kNanSwallowed, 1}}));
  EXPECT_EQ(OfSubtract(kMinusZeroBits, 0, true), Counted({{kMinusZero, 1}}));
  EXPECT_EQ(OfSubtract(0, 0, true), Counted({{kMinusZeroAgainstPlusZero, 1}}));
}

TEST(Events, OfMultiply) {
  EXPECT_EQ(OfMultiply(kOne, kMinusOne, true), Counted());
  EXPECT_EQ(OfMultiply(kMinusZeroBits, 0, true), Counted({{kMinusZero, 1}}));
  EXPECT_EQ(OfMultiply(kInf, 0, false),
            Counted({{kNanMade, 1}, {kInfinityInput, 1}}));
  EXPECT_EQ(OfMultiply(kGreatest, kLowest, true),
            Counted({{kRounded, 1}, {kSaturatedLow, 1}}));
  EXPECT_EQ(OfMultiply(0x0003, 0x3800, true),
            Counted({{kRounded, 1}, {kTie, 1}, {kSubnormal, 1}}));
}

TEST(Events, OfMinimum) {
  EXPECT_EQ(OfMinimum(kOne, kMinusOne, true), Counted());
  EXPECT_EQ(OfMinimum(0, kMinusZeroBits, true),
            Counted({{kMinusZero, 1}, {kMinusZeroAgainstPlusZero, 1}}));
  EXPECT_EQ(OfMinimum(kMinusInf, kOne, true),
            Counted({{kSaturatedLow, 1}, {kInfinityInput, 1}}));
  EXPECT_EQ(OfMinimum(kNanBits, kOne, true),
            Counted({{kNanSaturated, 1}, {kNanSwallowed, 1}}));

  isa::NumericEvents events;  // an integer that looks like -0 is no -0
  CountExtremum(DType::kInt16, 0, 0x8000,
                Minimum(DType::kInt16, 0, 0x8000, true), events);
  EXPECT_EQ(Happened(events), Counted());
}

TEST(Events, OfMaximum) {
  EXPECT_EQ(OfMaximum(kOne, kMinusOne, true), Counted());
  EXPECT_EQ(OfMaximum(kMinusZeroBits, 0, true),
            Counted({{kMinusZeroAgainstPlusZero, 1}}));
  EXPECT_EQ(OfMaximum(kInf, kOne, true),
            Counted({{kSaturatedHigh, 1}, {kInfinityInput, 1}}));
  EXPECT_EQ(OfMaximum(0x0001, kMinusOne, true), Counted({{kSubnormal, 1}}));
  EXPECT_EQ(OfMaximum(kNanBits, kOne, true),
            Counted({{kNanSaturated, 1}, {kNanSwallowed, 1}}));
}

/// Of integers nothing but what leaves the type.
TEST(Events, OfIntegers) {
  const auto of = [](auto count, auto compute, std::uint64_t left,
                     std::uint64_t right, bool saturation) {
    isa::NumericEvents events;
    count(DType::kInt16, left, right,
          compute(DType::kInt16, left, right, saturation), events);
    return Happened(events);
  };
  EXPECT_EQ(of(CountAdd, Add, 0x7fff, 1, true),
            Counted({{kIntegerSaturated, 1}}));
  EXPECT_EQ(of(CountAdd, Add, 0x7fff, 1, false),
            Counted({{kIntegerWrapped, 1}}));
  EXPECT_EQ(of(CountAdd, Add, 0x7ffe, 1, true), Counted());
  EXPECT_EQ(of(CountAdd, Add, 1, 0xffff, true), Counted());
  EXPECT_EQ(of(CountSubtract, Subtract, 0, 0x8000, true),
            Counted({{kIntegerSaturated, 1}}));
  EXPECT_EQ(of(CountSubtract, Subtract, 0, 0x8000, false),
            Counted({{kIntegerWrapped, 1}}));
  EXPECT_EQ(of(CountSubtract, Subtract, 0, 0x8001, true), Counted());
  EXPECT_EQ(of(CountMultiply, Multiply, 0x100, 0x100, true),
            Counted({{kIntegerSaturated, 1}}));
  EXPECT_EQ(of(CountMultiply, Multiply, 0x100, 0x100, false),
            Counted({{kIntegerWrapped, 1}}));
  EXPECT_EQ(of(CountMultiply, Multiply, 0x8000, 0, true), Counted());
}

TEST(Events, OfWrite) {
  isa::NumericEvents events;
  CountWrite(DType::kHalf, kInf, DType::kHalf, Write(DType::kHalf, kInf, true),
             events);
  EXPECT_EQ(Happened(events),
            Counted({{kSaturatedHigh, 1}, {kInfinityInput, 1}}));
}

TEST(Events, HaveDistinctNames) {
  std::map<std::string_view, int> names;
  for (std::string_view name : isa::Words<isa::NumericEvent>::kSpelling) {
    EXPECT_EQ(++names[name], 1) << name;
  }
  EXPECT_EQ(isa::Name(kMinusZeroAgainstPlusZero),
            "minus-zero-against-plus-zero");
  EXPECT_EQ(isa::Name(kIntegerWrapped), "integer-wrapped");
}

TEST(OracleEvents, AreThoseOfTheLastStep) {
  Machine machine;
  machine.Put(DType::kHalf, 1024, {kOne, kMinusOne, kGreatest, kGreatest});
  ASSERT_TRUE(machine.Executes(test::SumCall(4)));
  // 1 - 1, 65504 + 65504, and the sum of the two.
  EXPECT_EQ(Happened(machine.oracle.events()),
            Counted({{kRounded, 1}, {kSaturatedHigh, 1}, {kCancellation, 1}}));

  ASSERT_TRUE(machine.Executes(test::SumCall(2)));
  EXPECT_EQ(Happened(machine.oracle.events()), Counted({{kCancellation, 1}}));

  ASSERT_FALSE(machine.Executes(test::SumCall(129)));
  EXPECT_EQ(Happened(machine.oracle.events()), Counted());
}

TEST(OracleEvents, OfAValueThatMetNoArithmetic) {
  Machine machine;
  machine.Put(DType::kHalf, 1024, {kMinusInf});
  ASSERT_TRUE(machine.Executes(test::SumCall(1)));
  EXPECT_EQ(Happened(machine.oracle.events()),
            Counted({{kSaturatedLow, 1}, {kInfinityInput, 1}}));
}

TEST(OracleEvents, OfMinAndTrowprod) {
  Machine machine;
  machine.Put(DType::kHalf, 0, {0, kOne});
  machine.Put(DType::kHalf, 32, {kMinusZeroBits, kInf});
  isa::Min min;
  min.src0 = Window(isa::Position::kVecin, 0, 32);
  min.src1 = Window(isa::Position::kVecin, 32, 32);
  min.dst = Window(isa::Position::kVecin, 64, 32);
  min.count = 2;
  ASSERT_TRUE(machine.Executes(min));
  EXPECT_EQ(Happened(machine.oracle.events()),
            Counted({{kMinusZero, 1},
                     {kInfinityInput, 1},
                     {kMinusZeroAgainstPlusZero, 1}}));

  // In block lanes the halves are multiplied in float; the result, 2^-38, is
  // rounded on its way to half.
  machine.Put(DType::kHalf, 0, {0x0400, 0x0001, kOne});
  isa::Tile tile;
  tile.rows = tile.valid_row = 1;
  tile.cols = 16;
  tile.valid_col = 2;
  isa::Trowprod product;
  product.dtype = DType::kHalf;
  product.src = tile;
  tile.at = 32;
  product.dst = tile;
  tile.at = 64;
  product.tmp = tile;
  product.order = isa::Order::kBlockLanes;
  ASSERT_TRUE(machine.Executes(product));
  // The other subnormal is lane 1 after its product with the neutral 1.
  EXPECT_EQ(Happened(machine.oracle.events()),
            Counted({{kRounded, 1}, {kSubnormal, 1}}));
}

TEST(OracleEvents, OfElementwiseCalls) {
  Machine machine;
  machine.Put(DType::kInt32, 4096, {0x7fffffff, 5});
  machine.Put(DType::kInt32, 8192, {0x7fffffff, 5});
  using test::CountCall;
  const auto of = [&](const isa::Step& step) {
    EXPECT_TRUE(machine.Executes(step));
    return Happened(machine.oracle.events());
  };
  EXPECT_EQ(of(CountCall<isa::Add>(2, DType::kInt32)),
            Counted({{kIntegerSaturated, 1}}));
  EXPECT_EQ(of(CountCall<isa::Mul>(2, DType::kInt32)),
            Counted({{kIntegerSaturated, 1}}));
  EXPECT_EQ(of(CountCall<isa::Sub>(2, DType::kInt32)), Counted());
  EXPECT_EQ(of(CountCall<isa::Max>(2, DType::kInt32)), Counted());
  machine.Put(DType::kHalf, 4096, {kOne});
  machine.Put(DType::kHalf, 8192, {kOne});
  EXPECT_EQ(of(CountCall<isa::Sub>(1)), Counted({{kCancellation, 1}}));
}

TEST(OracleEvents, OfTheWideningCopy) {
  Machine machine;
  std::vector<std::uint8_t> l1(64, 0);
  std::vector<std::uint8_t> bias_table(128, 0);
  l1[1] = 0x80;  // -0
  l1[3] = 0x7c;  // inf
  isa::Memories memories;
  memories[isa::Memory::kL1] = l1;
  memories[isa::Memory::kBt] = bias_table;
  Oracle oracle(isa::Product::kAtlasA2, memories);
  isa::DataCopy copy;
  copy.form = isa::DataCopy::kParams;
  copy.src = Window(isa::Position::kC1, 0, 64);
  copy.dst = Window(isa::Position::kC2, 0, 128);
  copy.dst.dtype = DType::kFloat;
  copy.params = {.block_count = 1, .block_len = 1};
  ASSERT_EQ(oracle.Execute(copy).status, isa::StepResult::Status::kExecuted);
  EXPECT_EQ(Happened(oracle.events()),
            Counted({{kMinusZero, 1}, {kInfinityInput, 1}}));
}

}  // namespace
}  // namespace lanediff::oracle
