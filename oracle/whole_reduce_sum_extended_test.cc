#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "isa/whole_reduce_sum.h"
#include "oracle/extended_testing.h"
#include "oracle/testing.h"
#include "oracle/whole_reduce_sum_testing.h"

/// WholeReduceSums that break rules, and what they would do.
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
using test::WholeSum;
using test::WholeSumBits;
using Call = isa::WholeReduceSum;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kTwo = 0x4000;
constexpr std::uint64_t kFour = 0x4400;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(WholeReduceSumExtended, RepeatOf300IsThreeHundredIterations) {
  Call call = WholeSum(2);
  call.repeat_times = 300;
  call.src_rep_stride = 1;
  call.src.bytes = 300 * 32;
  EXPECT_EQ(Anywhere(call), Ids{"WRS-REPEAT"});
  Machine m;
  m.Put(DType::kHalf, call.src.at + 299 * 32, {kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 299 * 2, 1), Words{kTwo});
  EXPECT_EQ(m.oracle.accesses().size(), 600u);
}

TEST(WholeReduceSumExtended, OverlapsAreReadBeforeTheyAreWritten) {
  Call call = WholeSum(4);
  call.dst.at = call.src.at + 2;  // the second lane
  EXPECT_EQ(Anywhere(call), Ids{"WRS-OVERLAP-ITERATION"});
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kOne, kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, call.src.at, 3), (Words{kOne, kFour, kOne}));

  call = WholeSum(2);
  call.repeat_times = 2;
  call.src_rep_stride = 1;
  call.dst.at = call.src.at + 32;  // iteration 0 writes lane 0 of iteration 1
  EXPECT_EQ(Anywhere(call),
            (Ids{"WRS-OVERLAP-DEPENDENCY", "WRS-OVERLAP-ITERATION"}));
  m.Put(DType::kHalf, call.src.at, {kOne, kOne});
  m.Put(DType::kHalf, call.src.at + 32, {0, kTwo});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, call.src.at + 32, 2), (Words{kTwo, kFour}));
}

TEST(WholeReduceSumExtended, AlignmentStridesAndWindowsDontCount) {
  Call call = WholeSum(2);
  call.src.at += 2;
  EXPECT_EQ(Anywhere(call), Ids{"WRS-SRC-ALIGN"});
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kOne});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{kTwo});

  call = WholeSum(2);
  call.repeat_times = 2;
  call.src.at = 4096;
  call.src.bytes = 64;
  call.src_rep_stride = -1;
  EXPECT_EQ(Anywhere(call), (Ids{"WRS-BOUNDS", "WRS-STRIDE-RANGE"}));
  m.Put(DType::kHalf, 4096 - 32, {kTwo, kTwo});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 2, 1), Words{kFour});
  call.src_rep_stride = 70000;
  EXPECT_TRUE(ChangesNothing(m, call, "src would reach outside its memory"));

  call = WholeSum(2);
  call.dst.dtype = DType::kFloat;
  call.dst.bytes = 0;
  EXPECT_EQ(Anywhere(call, Product::kAtlasInferenceVectorcore),
            (Ids{"WRS-BOUNDS", "WRS-DTYPE-MATCH", "WRS-PRODUCT"}));
  Machine other(Product::kAtlasInferenceVectorcore);
  other.Put(DType::kHalf, call.src.at, {kOne, kOne});
  ASSERT_TRUE(RunsExtended(other, call));
  EXPECT_EQ(other.Get(DType::kHalf, 0, 1), Words{kTwo});

  call = WholeSum(1);
  call.dst_rep_stride = 0;
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining),
            Ids{"WRS-DST-REP-STRIDE-ZERO"});
}

TEST(WholeReduceSumExtended, Masks) {
  Call call = WholeSum(77);
  call.is_set_mask = false;
  EXPECT_EQ(Anywhere(call), Ids{"WRS-PLACEHOLDER"});
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kTwo, kOne});
  m.Execute(isa::SetVectorMask{.high = 0, .low = 5});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{kTwo});

  // Bits beyond the lanes of a 32-bit type are ignored.
  const Call bits = WholeSumBits(3, 1, DType::kFloat);
  EXPECT_EQ(Anywhere(bits), Ids{"WRS-MASK-BITS"});
  m.Put(DType::kFloat, bits.src.at, {0x3f800000, 0x3f800000});
  ASSERT_TRUE(RunsExtended(m, bits));
  EXPECT_EQ(m.Get(DType::kFloat, 0, 1), Words{0x40000000});
  EXPECT_EQ(m.oracle.node_count(), 2U);

  // No lane at all: nothing is written, and the register is left empty.
  for (const Call& none : {WholeSum(0), WholeSumBits(0, 0)}) {
    ASSERT_TRUE(RunsExtended(m, none));
    EXPECT_TRUE(m.oracle.accesses().empty());
    call.mask = 0;
    EXPECT_TRUE(m.Executes(call));
    EXPECT_TRUE(m.oracle.accesses().empty());
  }
}

TEST(WholeReduceSumExtended, WhatHasNoExtension) {
  Machine m;
  Call call = WholeSum(129);
  EXPECT_EQ(Anywhere(call), Ids{"WRS-MASK-CONTIGUOUS"});
  EXPECT_TRUE(ChangesNothing(
      m, call, "a number of lanes that an iteration does not have"));
  call = WholeSum(2, DType::kInt32);
  EXPECT_EQ(Anywhere(call), Ids{"WRS-DTYPE"});
  EXPECT_TRUE(ChangesNothing(m, call, "no arithmetic for this type"));
  call = WholeSum(2);
  call.repeat_times = -1;
  EXPECT_EQ(Anywhere(call), Ids{"WRS-REPEAT"});
  EXPECT_TRUE(ChangesNothing(m, call, "a negative repeat"));
  call = WholeSum(2);
  call.dst.position = Position::kA1;  // of no memory here
  EXPECT_EQ(Anywhere(call), (Ids{"WRS-BOUNDS", "WRS-POSITION"}));
  EXPECT_TRUE(ChangesNothing(m, call, "dst's position has no memory here"));
}

TEST(WholeReduceSumExtended, TooMuchWorkAndHugeNumbersReturnAtOnce) {
  Machine m;
  Call call = WholeSum(2);
  call.src_rep_stride = call.dst_rep_stride = 0;
  call.repeat_times = std::int64_t{1} << 40;
  EXPECT_EQ(Anywhere(call), Ids{"WRS-REPEAT"});
  EXPECT_TRUE(ChangesNothing(m, call, "more than 1000000 accesses or 16 MiB"));
  call.repeat_times = kMax;
  for (const std::int64_t stride : {kMax, -kMax - 1}) {
    call.src_rep_stride = call.src_blk_stride = call.dst_rep_stride = stride;
    EXPECT_EQ(Anywhere(call),
              (Ids{"WRS-BOUNDS", "WRS-REPEAT", "WRS-STRIDE-RANGE"}));
    EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  }
}

}  // namespace
}  // namespace lanediff::oracle
