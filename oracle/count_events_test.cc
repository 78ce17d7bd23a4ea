#include "oracle/count_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/elementwise_testing.h"
#include "oracle/testing.h"

namespace lanediff::oracle {
namespace {

using enum isa::NumericEvent;

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

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kMinusOne = 0xbc00;
constexpr std::uint64_t kGreatest = 0x7bff;
constexpr std::uint64_t kLowest = 0xfbff;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;
constexpr std::uint64_t kNanBits = 0x7e01;
constexpr std::uint64_t kMinusZeroBits = 0x8000;

/// The node of an operation, and what counts its events.
struct Of {
  decltype(&Add) compute;
  decltype(&CountAdd) count;

  Counted operator()(std::uint64_t left, std::uint64_t right, bool saturation,
                     DType type = DType::kHalf) const {
    isa::NumericEvents events;
    count(type, left, right, compute(type, left, right, saturation), events);
    return Happened(events);
  }
};
constexpr Of kAdd{Add, CountAdd};
constexpr Of kSubtract{Subtract, CountSubtract};
constexpr Of kMultiply{Multiply, CountMultiply};
constexpr Of kMinimum{Minimum, CountExtremum};
constexpr Of kMaximum{Maximum, CountExtremum};

TEST(Events, OfHalves) {
  struct Row {
    const Of& of;
    std::uint64_t left, right;
    bool saturation;
    Counted events;
  };
  const Row rows[] = {
      {kAdd, kOne, kOne, true, {}},
      {kAdd, kOne, 0x0001, true, {{kRounded, 1}}},
      {kAdd, kOne, 0x1000, true, {{kRounded, 1}, {kTie, 1}}},
      {kAdd, kGreatest, kGreatest, true, {{kRounded, 1}, {kSaturatedHigh, 1}}},
      {kAdd, kLowest, kLowest, true, {{kRounded, 1}, {kSaturatedLow, 1}}},
      {kAdd, kLowest, kLowest, false, {{kRounded, 1}, {kOverflowed, 1}}},
      {kAdd, kInf, kOne, true, {{kSaturatedHigh, 1}, {kInfinityInput, 1}}},
      {kAdd, kInf, kOne, false, {{kInfinityInput, 1}}},
      {kAdd, kInf, kMinusInf, true, {{kNanSaturated, 1}, {kInfinityInput, 1}}},
      {kAdd, kInf, kMinusInf, false, {{kNanMade, 1}, {kInfinityInput, 1}}},
      {kAdd, kNanBits, kOne, true, {{kNanSaturated, 1}, {kNanSwallowed, 1}}},
      {kAdd, kNanBits, kOne, false, {}},
      {kAdd, 0x0001, 0x0001, true, {{kSubnormal, 1}}},
      {kAdd, kMinusZeroBits, kMinusZeroBits, true, {{kMinusZero, 1}}},
      {kAdd, kOne, kMinusOne, true, {{kCancellation, 1}}},
      {kAdd, kMinusZeroBits, 0, true, {{kMinusZeroAgainstPlusZero, 1}}},
      // As the sum with the other operand's negative.
      {kSubtract, kOne, kMinusOne, true, {}},
      {kSubtract, kOne, kOne, true, {{kCancellation, 1}}},
      {kSubtract, kOne, 0x9000, true, {{kRounded, 1}, {kTie, 1}}},
      {kSubtract,
       kGreatest,
       kLowest,
       true,
       {{kRounded, 1}, {kSaturatedHigh, 1}}},
      {kSubtract, kLowest, kGreatest, false, {{kRounded, 1}, {kOverflowed, 1}}},
      {kSubtract, kInf, kInf, true, {{kNanSaturated, 1}, {kInfinityInput, 1}}},
      {kSubtract,
       kNanBits,
       kOne,
       true,
       {{kNanSaturated, 1}, {kNanSwallowed, 1}}},
      {kSubtract, kMinusZeroBits, 0, true, {{kMinusZero, 1}}},
      {kSubtract, 0, 0, true, {{kMinusZeroAgainstPlusZero, 1}}},
      {kMultiply, kOne, kMinusOne, true, {}},
      {kMultiply, kMinusZeroBits, 0, true, {{kMinusZero, 1}}},
      {kMultiply, kInf, 0, false, {{kNanMade, 1}, {kInfinityInput, 1}}},
      {kMultiply,
       kGreatest,
       kLowest,
       true,
       {{kRounded, 1}, {kSaturatedLow, 1}}},
      {kMultiply,
       0x0003,
       0x3800,
       true,
       {{kRounded, 1}, {kTie, 1}, {kSubnormal, 1}}},
      {kMinimum, kOne, kMinusOne, true, {}},
      {kMinimum,
       0,
       kMinusZeroBits,
       true,
       {{kMinusZero, 1}, {kMinusZeroAgainstPlusZero, 1}}},
      {kMinimum,
       kMinusInf,
       kOne,
       true,
       {{kSaturatedLow, 1}, {kInfinityInput, 1}}},
      {kMinimum,
       kNanBits,
       kOne,
       true,
       {{kNanSaturated, 1}, {kNanSwallowed, 1}}},
      {kMaximum, kOne, kMinusOne, true, {}},
      {kMaximum, kMinusZeroBits, 0, true, {{kMinusZeroAgainstPlusZero, 1}}},
      {kMaximum, kInf, kOne, true, {{kSaturatedHigh, 1}, {kInfinityInput, 1}}},
      {kMaximum, 0x0001, kMinusOne, true, {{kSubnormal, 1}}},
      {kMaximum,
       kNanBits,
       kOne,
       true,
       {{kNanSaturated, 1}, {kNanSwallowed, 1}}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.of(row.left, row.right, row.saturation), row.events)
        << &row - rows << std::hex << " " << row.left << " " << row.right;
  }
}

/// Of integers nothing but what leaves the type.
TEST(Events, OfIntegers) {
  const auto of = [](const Of& operation, std::uint64_t left,
                     std::uint64_t right, bool saturation) {
    return operation(left, right, saturation, DType::kInt16);
  };
  const Counted saturated({{kIntegerSaturated, 1}});
  const Counted wrapped({{kIntegerWrapped, 1}});
  EXPECT_EQ(of(kAdd, 0x7fff, 1, true), saturated);
  EXPECT_EQ(of(kAdd, 0x7fff, 1, false), wrapped);
  EXPECT_EQ(of(kAdd, 0x7ffe, 1, true), Counted());
  EXPECT_EQ(of(kAdd, 1, 0xffff, true), Counted());
  EXPECT_EQ(of(kSubtract, 0, 0x8000, true), saturated);
  EXPECT_EQ(of(kSubtract, 0, 0x8000, false), wrapped);
  EXPECT_EQ(of(kSubtract, 0, 0x8001, true), Counted());
  EXPECT_EQ(of(kMultiply, 0x100, 0x100, true), saturated);
  EXPECT_EQ(of(kMultiply, 0x100, 0x100, false), wrapped);
  EXPECT_EQ(of(kMultiply, 0x8000, 0, true), Counted());
  EXPECT_EQ(of(kMinimum, 0, 0x8000, true), Counted());  // looks like -0
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
  min.src0 = test::Window(isa::Position::kVecin, 0, 32);
  min.src1 = test::Window(isa::Position::kVecin, 32, 32);
  min.dst = test::Window(isa::Position::kVecin, 64, 32);
  min.count = 2;
  ASSERT_TRUE(machine.Executes(min));
  EXPECT_EQ(Happened(machine.oracle.events()),
            Counted({{kMinusZero, 1},
                     {kInfinityInput, 1},
                     {kMinusZeroAgainstPlusZero, 1}}));

  // In block lanes the halves are multiplied in float; the result, 2^-38, is
  // rounded on its way to half.
  machine.Put(DType::kHalf, 0, {0x0400, 0x0001, kOne});
  isa::Trowprod product = test::RowProduct(2);
  product.src.at = 0;
  product.src.valid_row = product.dst.valid_row = 1;
  product.dst.at = 4096;
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
  test::Board board;
  auto& l1 = board[isa::Memory::kL1];
  std::fill_n(l1.begin() + 512, 64, std::uint8_t{0});
  l1[513] = 0x80;  // -0
  l1[515] = 0x7c;  // inf
  ASSERT_TRUE(board.Executes(test::Widening()));
  EXPECT_EQ(Happened(board.oracle.events()),
            Counted({{kMinusZero, 1}, {kInfinityInput, 1}}));
}

}  // namespace
}  // namespace lanediff::oracle
