#include "isa/repeat_reduce_sum.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// What RepeatReduceSum computes, reads and writes. Its rules are in
/// repeat_reduce_sum_rules_test.cc.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::Machine;
using test::SumCall;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;

/// What one iteration over `lanes` writes.
std::uint64_t Sum(const Words& lanes, bool saturation = true,
                  DType dtype = DType::kHalf) {
  Machine m;
  const isa::RepeatReduceSum call =
      SumCall(static_cast<std::int64_t>(lanes.size()), dtype);
  m.Put(dtype, call.src.at, lanes);
  m.Execute(isa::SetSaturation{.enabled = saturation});
  EXPECT_TRUE(m.Executes(call));
  return m.Get(dtype, call.dst.at, 1).front();
}

Words Times(std::size_t count, std::uint64_t value) {
  return Words(count, value);
}

TEST(RepeatReduceSum, CompleteSampleOfTheDocument) {
  Machine m;
  isa::RepeatReduceSum call = SumCall(128);
  call.repeat = 16;
  call.dst.bytes = 32;
  call.src.bytes = 4096;
  m.Put(DType::kHalf, call.src.at, Times(2048, kOne));
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, call.dst.at, 16), Times(16, 0x5800));
  EXPECT_EQ(m.oracle.node_count(), 16U * 127U);
}

TEST(RepeatReduceSum, WorkedExampleOfTheDocument) {
  Machine m;
  const isa::RepeatReduceSum call = SumCall(4);
  m.Put(DType::kHalf, call.src.at, {0x7b53, 0x7b53, 0xf753, 0x5640});
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, call.dst.at, 1), Words{0x7858});  // 35584

  const std::vector<Node>& nodes = m.oracle.nodes();
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].result, 0x7bffU);
  EXPECT_TRUE(nodes[0].saturated);
  EXPECT_EQ(nodes[0].exact, "120000");
  EXPECT_EQ(nodes[1].exact, "-29900");
  EXPECT_EQ(nodes[1].result, 0xf74dU);  // -29904
  EXPECT_TRUE(nodes[1].rounded);
  EXPECT_EQ(nodes[1].index, 1);
  EXPECT_EQ(nodes[2].level, 1);
  EXPECT_EQ(nodes[2].exact, "35600");
  ASSERT_EQ(m.oracle.true_results().size(), 1U);
  EXPECT_EQ(m.oracle.true_results()[0].exact, "90100");
  EXPECT_EQ(m.oracle.true_results()[0].bits, 0x7858U);
  EXPECT_EQ(m.oracle.true_results()[0].at, call.dst.at);
}

TEST(RepeatReduceSum, AddsNeighboursAndNotFromTheLeft) {
  // 2048 swallows single ones; four ones summed first are not swallowed.
  EXPECT_EQ(Sum({0x6800, 0, 0, 0, kOne, kOne, kOne, kOne}), 0x6802U);
  // Not halves against each other: 2048+1 and 1-2048 are 2048 and -2047.
  EXPECT_EQ(Sum({0x6800, kOne, kOne, 0xe800}), kOne);
  EXPECT_EQ(Sum({0x4c000000, 0x3f800000, 0x3f800000, 0xcc000000}, true,
                DType::kFloat),
            0U);
}

TEST(RepeatReduceSum, SaturatesAtEachNodeOnBothSides) {
  EXPECT_EQ(Sum({0x7bff, 0x7bff, 0xfbff, 0}), 0U);
  EXPECT_EQ(Sum({0xfbff, 0xfbff, 0, 0}), 0xfbffU);
  EXPECT_EQ(Sum({0xfbff, 0xfbff, 0, 0}, false), kMinusInf);
  EXPECT_EQ(Sum({0x7bff, 0x7bff, 0xfbff, 0xfbff}, false), 0x7e00U);
}

TEST(RepeatReduceSum, NanNodeBecomesZeroWithItsPartner) {
  Words lanes = Times(128, kOne);
  lanes[77] = 0xfd01;
  EXPECT_EQ(Sum(lanes), 0x57e0U);  // 126
  EXPECT_EQ(Sum(lanes, false), 0x7e00U);
}

TEST(RepeatReduceSum, ALoneLaneMeetsNoArithmetic) {
  EXPECT_EQ(Sum({kInf}), 0x7bffU);
  EXPECT_EQ(Sum({kMinusInf}), 0xfbffU);
  EXPECT_EQ(Sum({0xfd01}), 0U);
  EXPECT_EQ(Sum({0xfd01}, false), 0xfd01U);
  EXPECT_EQ(Sum({kInf}, false), kInf);
  EXPECT_EQ(Sum({0xff812345}, true, DType::kFloat), 0xff812345U);
  EXPECT_EQ(Sum({0x7f800000}, true, DType::kFloat), 0x7f800000U);

  Machine m;
  m.Put(DType::kHalf, 1024, {kInf});
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(SumCall(1)));
  ASSERT_EQ(m.oracle.nodes().size(), 1U);
  EXPECT_EQ(m.oracle.nodes()[0].operation, "write");
  EXPECT_EQ(m.oracle.nodes()[0].level, 7);
  EXPECT_EQ(m.oracle.nodes()[0].exact, "inf");
  EXPECT_EQ(m.oracle.node_count(), 0U);
}

TEST(RepeatReduceSum, APassedThroughValueStaysAsItIs) {
  // Lane 2 comes through as inf: -65504 + inf, and not -65504 + 65504.
  EXPECT_EQ(Sum({0xfbff, 0, kInf}), 0x7bffU);
}

TEST(RepeatReduceSum, MissingLanesAreNoZeros) {
  EXPECT_EQ(Sum({0x8000}), 0x8000U);
  EXPECT_EQ(Sum({0x8000, 0x8000, 0x8000}), 0x8000U);
  EXPECT_EQ(Sum({0x8000, 0x0000, 0x8000}), 0U);
  EXPECT_EQ(Sum({0xbc00, kOne}), 0U);
}

TEST(RepeatReduceSum, SubnormalsAreKept) {
  EXPECT_EQ(Sum({0x0001, 0x0001, 0x8001}), 0x0001U);
  EXPECT_EQ(Sum({1, 1, 1}, true, DType::kFloat), 3U);
}

TEST(RepeatReduceSum, StridesAndNothingElseIsWritten) {
  Machine m;
  isa::RepeatReduceSum call = SumCall(20);
  call.repeat = 3;
  call.src_blk_stride = 3;
  call.src_rep_stride = 5;
  call.dst_rep_stride = 7;
  call.dst_blk_stride = -2147483648LL;  // RRS-DST-BLK-STRIDE: no effect
  m.Put(DType::kHalf, call.src.at, Times(1024, 0));
  for (std::int64_t r = 0; r < 3; ++r) {
    m.Put(DType::kHalf, call.src.at + 32 * (5 * r), {kOne});
    m.Put(DType::kHalf, call.src.at + 32 * (5 * r + 3) + 6, {0x4000});
    m.Put(DType::kHalf, call.src.at + 32 * (5 * r + 3) + 8, {0x5000});  // out
  }
  auto expected = m.ub;
  EXPECT_TRUE(m.Executes(call));
  for (std::size_t r = 0; r < 3; ++r) {  // 1 + 2 = 3.0 = 0x4200
    expected[r * 14] = 0x00;
    expected[r * 14 + 1] = 0x42;
  }
  EXPECT_EQ(m.ub, expected);
}

TEST(RepeatReduceSum, SourceStridesOfZero) {
  Machine m;
  isa::RepeatReduceSum call = SumCall(128);
  call.repeat = 2;
  call.src_blk_stride = 0;
  call.src_rep_stride = 0;
  call.src.bytes = 32;
  m.Put(DType::kHalf, call.src.at, Times(16, kOne));
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, call.dst.at, 2), Times(2, 0x5800));
}

TEST(RepeatReduceSum, WithDestinationStrideZeroTheLastIterationWins) {
  Machine m;
  isa::RepeatReduceSum call = SumCall(1);
  call.repeat = 3;
  call.dst_rep_stride = 0;
  call.dst.bytes = 2;
  for (std::int64_t r = 0; r < 3; ++r) {
    m.Put(DType::kHalf, call.src.at + 256 * r,
          {0x4000 + static_cast<std::uint64_t>(r)});
  }
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, call.dst.at, 1), Words{0x4002});
}

TEST(RepeatReduceSum, MaskRegisterPicksLanes) {
  Machine m;
  m.Put(DType::kHalf, 1024, Times(128, 0x6400));  // 1024, to be left out
  m.Put(DType::kHalf, 1024 + 2 * 3, {kOne});
  m.Put(DType::kHalf, 1024 + 2 * 127, {0x4000});
  m.Execute(isa::SetVectorMask{.high = std::uint64_t{1} << 63, .low = 8});
  isa::RepeatReduceSum call = SumCall(0);
  call.is_set_mask = false;
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, call.dst.at, 1), Words{0x4200});
  EXPECT_EQ(m.oracle.node_count(), 1U);
}

TEST(RepeatReduceSum, ForFloatTheLowHalfOfTheMaskRegisterCounts) {
  Machine m;
  m.Put(DType::kFloat, 1024, Times(64, 0x3f800000));
  m.Execute(isa::SetVectorMask{.high = ~std::uint64_t{0}, .low = 3});
  isa::RepeatReduceSum call = SumCall(0, DType::kFloat);
  call.is_set_mask = false;
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kFloat, call.dst.at, 1), Words{0x40000000});
}

/// The number of halves that a call with isSetMask=false sums.
std::uint64_t LanesInMaskRegister(Machine& m) {
  m.Put(DType::kHalf, 8192, Times(128, kOne));
  isa::RepeatReduceSum call = SumCall(0);
  call.src.at = 8192;
  call.is_set_mask = false;
  const std::uint64_t before = m.oracle.node_count();
  EXPECT_TRUE(m.Executes(call));
  return m.oracle.node_count() - before + 1;
}

TEST(RepeatReduceSum, LeavesItsMaskInTheRegister) {
  Machine m;
  EXPECT_EQ(LanesInMaskRegister(m), 128U);  // all ones at the start
  EXPECT_TRUE(m.Executes(SumCall(5)));
  EXPECT_EQ(LanesInMaskRegister(m), 5U);
  EXPECT_TRUE(m.Executes(SumCall(64, DType::kFloat)));
  EXPECT_EQ(LanesInMaskRegister(m), 64U);  // bits 64 to 127 are clear
  isa::RepeatReduceSum nothing = SumCall(9);
  nothing.repeat = 0;
  EXPECT_TRUE(m.Executes(nothing));
  EXPECT_EQ(LanesInMaskRegister(m), 9U);  // executed, with repeat 0 as well
  isa::RepeatReduceSum rejected = SumCall(7);
  rejected.src.at = 1;
  EXPECT_FALSE(m.Executes(rejected));
  EXPECT_EQ(LanesInMaskRegister(m), 9U);
}

TEST(RepeatReduceSum, AccessesAreMergedWhereContiguous) {
  Machine m;
  isa::RepeatReduceSum call = SumCall(40);
  call.repeat = 2;
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(m.oracle.accesses().size(), 4U);
  EXPECT_EQ(
      m.oracle.accesses()[2],
      (isa::Access{.operand = "src", .at = 1280, .bytes = 80, .iteration = 1}));
  EXPECT_EQ(m.oracle.accesses()[3], (isa::Access{.operand = "dst",
                                                 .write = true,
                                                 .at = 2,
                                                 .bytes = 2,
                                                 .iteration = 1}));

  call.src_blk_stride = 2;  // blocks of 16 lanes, 32 bytes apart
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(m.oracle.accesses().size(), 8U);
  EXPECT_EQ(
      m.oracle.accesses()[2],
      (isa::Access{.operand = "src", .at = 1152, .bytes = 16, .lane = 32}));

  m.Execute(isa::SetVectorMask{.high = 0, .low = 0b1011});
  call = SumCall(0);
  call.is_set_mask = false;
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(m.oracle.accesses().size(), 3U);
  EXPECT_EQ(m.oracle.accesses()[0].bytes, 4);
  EXPECT_EQ(m.oracle.accesses()[1],
            (isa::Access{.operand = "src", .at = 1030, .bytes = 2, .lane = 3}));

  call.elems_in_one_repeat = 1;
  EXPECT_FALSE(m.Executes(call));
  EXPECT_TRUE(m.oracle.accesses().empty());
}

TEST(RepeatReduceSum, TracingIsOffByDefault) {
  Machine m;
  EXPECT_TRUE(m.Executes(SumCall(4)));
  EXPECT_TRUE(m.oracle.nodes().empty());
  EXPECT_TRUE(m.oracle.true_results().empty());
  EXPECT_EQ(m.oracle.node_count(), 3U);
}

}  // namespace
}  // namespace lanediff::oracle
