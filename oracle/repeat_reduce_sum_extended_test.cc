#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "isa/repeat_reduce_sum.h"
#include "isa/state.h"
#include "oracle/extended_testing.h"
#include "oracle/testing.h"

/// RepeatReduceSums that break rules, and what they would do.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Anywhere;
using test::ChangesNothing;
using test::Ids;
using test::Machine;
using test::RunsExtended;
using test::SumCall;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kTwo = 0x4000;
constexpr std::uint64_t kFour = 0x4400;

TEST(RepeatReduceSumExtended, RepeatOf300IsThreeHundredIterations) {
  isa::RepeatReduceSum call = SumCall(2);
  call.repeat = 300;
  call.src_rep_stride = 1;
  call.src.bytes = 300 * 32;
  EXPECT_EQ(Anywhere(call), Ids{"RRS-REPEAT"});
  Machine m;
  m.Put(DType::kHalf, call.src.at + 299 * 32, {kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 299 * 2, 1), Words{kTwo});
  EXPECT_EQ(m.oracle.accesses().size(), 600u);
}

TEST(RepeatReduceSumExtended, MisalignedSourceIsUsedAsItIs) {
  isa::RepeatReduceSum call = SumCall(2);
  call.src.at += 2;
  EXPECT_EQ(Anywhere(call), Ids{"RRS-SRC-ALIGN"});
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{kTwo});
  EXPECT_EQ(m.oracle.accesses()[0].at, 1026);
}

TEST(RepeatReduceSumExtended, OverlapIsReadBeforeItIsWritten) {
  isa::RepeatReduceSum call = SumCall(4);
  call.dst.at = call.src.at + 2;  // the second lane
  EXPECT_EQ(Anywhere(call), Ids{"RRS-OVERLAP-ITERATION"});
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kOne, kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, call.src.at, 3), (Words{kOne, kFour, kOne}));
}

TEST(RepeatReduceSumExtended, LaterIterationsReadWhatEarlierOnesWrote) {
  isa::RepeatReduceSum call = SumCall(2);
  call.repeat = 2;
  call.src_rep_stride = 1;
  call.dst.at = call.src.at + 32;  // iteration 0 writes lane 0 of iteration 1
  EXPECT_EQ(Anywhere(call),
            (Ids{"RRS-OVERLAP-DEPENDENCY", "RRS-OVERLAP-ITERATION"}));
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kOne});
  m.Put(DType::kHalf, call.src.at + 32, {0, kTwo});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, call.src.at + 32, 2), (Words{kTwo, kFour}));
}

TEST(RepeatReduceSumExtended, StridesBeyondTheirRange) {
  isa::RepeatReduceSum call = SumCall(2);
  call.repeat = 2;
  call.src.at = 4096;
  call.src.bytes = 64;
  call.src_rep_stride = -1;
  EXPECT_EQ(Anywhere(call), (Ids{"RRS-BOUNDS", "RRS-STRIDE-RANGE"}));
  Machine m;
  m.Put(DType::kHalf, 4096 - 32, {kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 2, 1), Words{kTwo});

  call.src_rep_stride = 70000;
  Machine other;
  EXPECT_TRUE(
      ChangesNothing(other, call, "src would reach outside its memory"));
}

TEST(RepeatReduceSumExtended, ProductTypesOfOperandsAndWindowsDontCount) {
  isa::RepeatReduceSum call = SumCall(2);
  call.dst.dtype = DType::kFloat;
  call.dst.bytes = 0;
  EXPECT_EQ(Anywhere(call, Product::kAtlas200_300_500),
            (Ids{"RRS-BOUNDS", "RRS-DTYPE-MATCH", "RRS-PRODUCT"}));
  Machine m(Product::kAtlas200_300_500);
  m.Put(DType::kHalf, call.src.at, {kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{kTwo});
}

TEST(RepeatReduceSumExtended, PlaceholderIsIgnoredAndZeroLanesWriteNothing) {
  isa::RepeatReduceSum call = SumCall(77);
  call.is_set_mask = false;
  EXPECT_EQ(Anywhere(call), Ids{"RRS-PLACEHOLDER"});
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kTwo, kOne});
  m.Execute(isa::SetVectorMask{.high = 0, .low = 5});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{kTwo});

  const isa::RepeatReduceSum none = SumCall(0);
  EXPECT_EQ(Anywhere(none), Ids{"RRS-ELEMS"});
  ASSERT_TRUE(RunsExtended(m, none));
  EXPECT_TRUE(m.oracle.accesses().empty());
  // It left the mask empty.
  call.elems_in_one_repeat = 0;
  EXPECT_TRUE(m.Executes(call));
  EXPECT_TRUE(m.oracle.accesses().empty());
}

TEST(RepeatReduceSumExtended, WhatHasNoExtension) {
  Machine m;
  isa::RepeatReduceSum call = SumCall(129);
  EXPECT_EQ(Anywhere(call), Ids{"RRS-ELEMS"});
  EXPECT_TRUE(ChangesNothing(
      m, call, "a number of lanes that an iteration does not have"));
  call = SumCall(2, DType::kInt8);
  EXPECT_EQ(Anywhere(call), Ids{"RRS-DTYPE"});
  EXPECT_TRUE(ChangesNothing(m, call, "no arithmetic for this type"));
  call = SumCall(2);
  call.repeat = -1;
  EXPECT_EQ(Anywhere(call), Ids{"RRS-REPEAT"});
  EXPECT_TRUE(ChangesNothing(m, call, "a negative repeat"));
  call = SumCall(2);
  call.dst.position = Position::kA1;  // of no memory here
  EXPECT_EQ(Anywhere(call), (Ids{"RRS-BOUNDS", "RRS-POSITION"}));
  EXPECT_TRUE(ChangesNothing(m, call, "dst's position has no memory here"));
}

TEST(RepeatReduceSumExtended, TooMuchWorkAndHugeNumbersReturnAtOnce) {
  Machine m;
  isa::RepeatReduceSum call = SumCall(2);
  call.src_rep_stride = call.dst_rep_stride = 0;
  call.repeat = std::int64_t{1} << 40;
  EXPECT_EQ(Anywhere(call), Ids{"RRS-REPEAT"});
  EXPECT_TRUE(ChangesNothing(m, call, "more than 1000000 accesses or 16 MiB"));
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  call.repeat = kMax;
  for (const std::int64_t stride : {kMax, -kMax - 1}) {
    call.src_rep_stride = call.src_blk_stride = call.dst_rep_stride = stride;
    EXPECT_EQ(Anywhere(call),
              (Ids{"RRS-BOUNDS", "RRS-REPEAT", "RRS-STRIDE-RANGE"}));
    EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  }
}

}  // namespace
}  // namespace lanediff::oracle
