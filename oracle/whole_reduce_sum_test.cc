#include "oracle/whole_reduce_sum.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"
#include "oracle/whole_reduce_sum_testing.h"

/// What WholeReduceSum reads, writes and leaves behind. The documents' examples
/// are in whole_reduce_sum_examples_test.cc, its rules in
/// whole_reduce_sum_rules_test.cc.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::Ids;
using test::Machine;
using test::Only;
using test::Sum;
using test::SumBits;
using test::SumOf;
using test::WholeSum;
using test::WholeSumBits;
using Call = isa::WholeReduceSum;
using Words = std::vector<std::uint64_t>;
namespace wrs = isa::wrs;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kMost = 0x7bff;  // 65504
constexpr std::uint64_t kLeast = 0xfbff;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;
constexpr std::uint64_t kNan = 0x7e00;

Words Times(std::size_t count, std::uint64_t value) {
  return Words(count, value);
}

/// Lanes hold powers of two or nothing: sums identify the lanes that took part.
TEST(WholeReduceSum, Masks) {
  Words lanes = Times(128, 0x6400);  // 1024, to be left out
  lanes[3] = 0x4000;
  lanes[65] = 0x4400;
  EXPECT_EQ(SumOf(WholeSumBits(8, 0), lanes), 0x4000U);
  EXPECT_EQ(SumOf(WholeSumBits(8, 2), lanes), 0x4600U);
  EXPECT_EQ(SumOf(WholeSumBits(0, 2), lanes), 0x4400U);
  EXPECT_EQ(SumOf(WholeSum(4), lanes), 0x6a01U);  // 3074
  Words floats = Times(64, 0x3f800000);
  floats[63] = 0x40000000;
  constexpr std::uint64_t kTopTwo = std::uint64_t{3} << 62;
  EXPECT_EQ(SumOf(WholeSumBits(kTopTwo, 0, DType::kFloat), floats),
            0x40400000U);
  EXPECT_EQ(SumOf(WholeSum(63, DType::kFloat), floats), 0x427c0000U);
}

TEST(WholeReduceSum, StridesAndNothingElseIsWritten) {
  Machine m;
  Call call = WholeSum(20);
  call.repeat_times = 3;
  call.src_blk_stride = 3;
  call.src_rep_stride = 5;
  call.dst_rep_stride = 7;
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

TEST(WholeReduceSum, StridesOfZero) {
  Machine m;
  Call call = WholeSum(128);
  call.repeat_times = 2;
  call.src_blk_stride = call.src_rep_stride = 0;
  call.src.bytes = 32;
  m.Put(DType::kHalf, call.src.at, Times(16, kOne));
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 2), Times(2, 0x5800));

  call = WholeSum(1);  // the last iteration wins
  call.repeat_times = 3;
  call.dst_rep_stride = 0;
  call.dst.bytes = 2;
  for (std::int64_t r = 0; r < 3; ++r) {
    m.Put(DType::kHalf, call.src.at + 256 * r,
          {0x4000 + static_cast<std::uint64_t>(r)});
  }
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{0x4002});
}

TEST(WholeReduceSum, ALoneLaneMeetsNoArithmetic) {
  EXPECT_EQ(Sum({kInf}), kMost);
  EXPECT_EQ(Sum({kMinusInf}), kLeast);
  EXPECT_EQ(Sum({0xfd01}), 0U);
  EXPECT_EQ(Sum({0xfd01}, false), 0xfd01U);
  EXPECT_EQ(Sum({kInf}, false), kInf);
  EXPECT_EQ(SumBits(4, {kNan, kOne, kMinusInf}), kLeast);
  EXPECT_EQ(Sum({0xff812345}, true, DType::kFloat), 0xff812345U);
  EXPECT_EQ(Sum({0x7f800000}, true, DType::kFloat), 0x7f800000U);
  EXPECT_EQ(Sum({0x0001, 0x0001, 0x8001}), 0x0001U);  // subnormals are kept
}

/// The number of halves that a call with isSetMask=false sums.
std::uint64_t LanesInMaskRegister(Machine& m) {
  Call call = WholeSum(0);
  call.is_set_mask = false;
  m.Put(DType::kHalf, call.src.at, Times(128, kOne));
  const std::uint64_t before = m.oracle.node_count();
  EXPECT_TRUE(m.Executes(call));
  return m.oracle.node_count() - before + 1;
}

TEST(WholeReduceSum, WhatIsLeftInTheMaskRegister) {
  Machine m;
  EXPECT_EQ(LanesInMaskRegister(m), 128U);  // all ones at the start
  EXPECT_TRUE(m.Executes(WholeSum(5)));
  EXPECT_EQ(LanesInMaskRegister(m), 5U);
  EXPECT_EQ(LanesInMaskRegister(m), 5U);
  EXPECT_TRUE(m.Executes(WholeSumBits(7, 1)));
  EXPECT_EQ(LanesInMaskRegister(m), 4U);
  EXPECT_TRUE(m.Executes(WholeSum(64, DType::kFloat)));
  EXPECT_EQ(LanesInMaskRegister(m), 64U);
  Call nothing = WholeSumBits(0xf, 0xf);
  nothing.repeat_times = 0;
  EXPECT_TRUE(m.Executes(nothing));
  EXPECT_EQ(LanesInMaskRegister(m), 8U);
  Call rejected = WholeSum(7);
  rejected.src.at = 1;
  EXPECT_FALSE(m.Executes(rejected));
  EXPECT_EQ(LanesInMaskRegister(m), 8U);
}

TEST(WholeReduceSum, Notes) {
  Machine m;
  const auto notes = [&](const Call& call) {
    return test::Texts(m.Execute(call).notes);
  };
  Call call = WholeSum(1);
  EXPECT_EQ(notes(call), Ids{});
  call.repeat_times = 0;
  EXPECT_EQ(notes(call), Only(wrs::kRepeatZero));

  m.Execute(isa::SetVectorMask{.high = 1, .low = 0});
  const auto before = m.ub;
  for (Call empty : {WholeSum(0, DType::kFloat),  // the low half alone counts
                     WholeSumBits(0, 0, DType::kFloat)}) {
    empty.is_set_mask = false;
    EXPECT_EQ(notes(empty), Only(wrs::kMaskEmpty));
    EXPECT_TRUE(m.oracle.accesses().empty());
    empty.repeat_times = 0;
    EXPECT_EQ(notes(empty), (Ids{"WRS-MASK-EMPTY", "WRS-REPEAT-ZERO"}));
  }
  EXPECT_EQ(m.ub, before);
  call = WholeSum(0);
  call.is_set_mask = false;
  EXPECT_EQ(notes(call), Ids{});
}

TEST(WholeReduceSum, Accesses) {
  Machine m;
  Call call = WholeSumBits(0b1011, 0);
  call.repeat_times = 2;
  EXPECT_TRUE(m.Executes(call));
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 6U);
  EXPECT_EQ(
      accesses[3],
      (isa::Access{.operand = "src", .at = 1280, .bytes = 4, .iteration = 1}));
  EXPECT_EQ(accesses[4], (isa::Access{.operand = "src",
                                      .at = 1286,
                                      .bytes = 2,
                                      .iteration = 1,
                                      .lane = 3}));
  EXPECT_EQ(accesses[5], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .at = 2,
                                      .bytes = 2,
                                      .iteration = 1}));
}

}  // namespace
}  // namespace lanediff::oracle
