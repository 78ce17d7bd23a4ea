#include <gtest/gtest.h>

#include <cstdint>

#include "isa/state.h"
#include "isa/whole_reduce_sum.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"
#include "oracle/whole_reduce_sum_testing.h"

/// What operands of WholeReduceSum may share: the WRS-OVERLAP rules.
namespace lanediff::oracle {
namespace {

using test::Broken;
using test::Ids;
using test::Machine;
using test::Only;
using test::WholeSum;
using test::WholeSumBits;
using Call = isa::WholeReduceSum;
namespace wrs = isa::wrs;

const Ids kNone;

/// A call over all lanes whose element is written at `dst_at`; the lanes of
/// iteration r are read from 1024 + 256r.
Ids OverlapOf(std::int64_t dst_at, std::int64_t repeat,
              std::int64_t dst_rep_stride) {
  Call call = WholeSum(128);
  call.dst.at = dst_at;
  call.dst.bytes = 8192;
  call.repeat_times = repeat;
  call.dst_rep_stride = dst_rep_stride;
  return Broken(call);
}

TEST(WrsOverlap, OverlapWithinAnIteration) {
  const Ids broken = Only(wrs::kOverlapIteration);
  EXPECT_EQ(OverlapOf(1024, 1, 1), kNone);  // complete
  EXPECT_EQ(OverlapOf(1026, 1, 1), broken);
  EXPECT_EQ(OverlapOf(1278, 1, 1), broken);
  EXPECT_EQ(OverlapOf(1280, 1, 1), kNone);
  EXPECT_EQ(OverlapOf(1022, 1, 1), kNone);
  EXPECT_EQ(OverlapOf(1024, 3, 128), kNone);  // complete in each iteration
  EXPECT_EQ(OverlapOf(1024, 4, 1), kNone);    // then where it was read
  // Iteration 0 writes 512, iteration 1 writes 1282 and reads from 1280 on.
  EXPECT_EQ(OverlapOf(512, 2, 385), broken);
  EXPECT_EQ(OverlapOf(512, 1, 385), kNone);
  EXPECT_EQ(OverlapOf(512, 2, 384), kNone);  // 1280: complete
}

TEST(WrsOverlap, CompleteMeansTheLowestParticipatingLane) {
  const auto at = [](std::int64_t dst_at, std::uint64_t mask) {
    Call call = WholeSumBits(mask, 0);
    call.dst.at = dst_at;
    return Broken(call);
  };
  EXPECT_EQ(at(1024, 0b1100), kNone);  // lane 0 is not read
  EXPECT_EQ(at(1026, 0b1100), kNone);
  EXPECT_EQ(at(1028, 0b1100), kNone);  // complete
  EXPECT_EQ(at(1030, 0b1100), Only(wrs::kOverlapIteration));
  EXPECT_EQ(at(1030, 0b0100), kNone);
}

TEST(WrsOverlap, DependencyOnAnEarlierIteration) {
  const Ids broken = Only(wrs::kOverlapDependency);
  EXPECT_EQ(OverlapOf(1280, 1, 1), kNone);
  EXPECT_EQ(OverlapOf(1280, 2, 500), broken);
  EXPECT_EQ(OverlapOf(1534, 2, 500), broken);
  EXPECT_EQ(OverlapOf(1536, 2, 500), kNone);
  EXPECT_EQ(OverlapOf(1536, 3, 500), broken);  // N + 2
  EXPECT_EQ(OverlapOf(896, 3, 64), kNone);     // read before it is written
  Call twice = WholeSum(128);
  twice.dst.at = twice.src.at;
  twice.repeat_times = 2;
  twice.src_rep_stride = 0;
  EXPECT_EQ(Broken(twice),
            (Ids{"WRS-OVERLAP-DEPENDENCY", "WRS-OVERLAP-ITERATION"}));
  twice.dst_rep_stride = 0;  // there is no exception
  EXPECT_EQ(Broken(twice), broken);
}

TEST(WrsOverlap, AnEmptyMaskOverlapsNothing) {
  Machine m;
  m.Execute(isa::SetVectorMask{});
  Call call = WholeSum(0);
  call.is_set_mask = false;
  call.dst.at = 1026;
  EXPECT_TRUE(m.Executes(call));
}

}  // namespace
}  // namespace lanediff::oracle
