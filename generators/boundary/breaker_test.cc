#include "generators/boundary/breaker.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace lanediff::make::sweep {
namespace {

Case Of(isa::Step step) {
  Case c;
  c.program = {isa::PipeBarrier{}, std::move(step)};
  return c;
}

template <class Call>
const Call& CallOf(const Case& c) {
  return std::get<Call>(c.program.back());
}

TEST(Set, GivesAFieldOfTheLastStepItsValue) {
  Case c = Of(isa::WholeReduceSum{});
  EXPECT_TRUE(Set("dtype", isa::DType::kInt8)(c));
  EXPECT_TRUE(Set("src.dtype", isa::DType::kFloat)(c));
  EXPECT_TRUE(Set("dst.position", isa::Position::kA1)(c));
  EXPECT_TRUE(Set("dst.at", -32)(c));
  EXPECT_TRUE(Set("mask", 129)(c));
  EXPECT_TRUE(Set("isSetMask", false)(c));
  isa::WholeReduceSum expected;
  expected.dtype = isa::DType::kInt8;
  expected.src.dtype = isa::DType::kFloat;
  expected.dst.position = isa::Position::kA1;
  expected.dst.at = -32;
  expected.mask = 129;
  expected.is_set_mask = false;
  EXPECT_EQ(CallOf<isa::WholeReduceSum>(c), expected);
}

TEST(Set, ReachesGroupsAndTiles) {
  isa::Add add;
  add.form = isa::Add::kBitwise;
  Case c = Of(add);
  EXPECT_TRUE(Set("src1RepStride", 256)(c));
  EXPECT_TRUE(Set("mask", MaskWords{0, 1})(c));
  EXPECT_EQ(CallOf<isa::Add>(c).repeat_params.src1_rep_stride, 256);
  EXPECT_EQ(CallOf<isa::Add>(c).mask_words, (MaskWords{0, 1}));
  c = Of(isa::Trowprod{});
  EXPECT_TRUE(Set("dst.layout", isa::Layout::kDn)(c));
  EXPECT_TRUE(Set("tmp.validRow", 3)(c));
  EXPECT_EQ(CallOf<isa::Trowprod>(c).dst.layout, isa::Layout::kDn);
  EXPECT_EQ(CallOf<isa::Trowprod>(c).tmp.valid_row, 3);
}

TEST(Set, RefusesAFieldOfAnotherForm) {
  const Case before = Of(isa::Add{});  // the count form
  Case c = before;
  EXPECT_FALSE(Set("mask", 1)(c));
  EXPECT_FALSE(Set("mask", MaskWords{1, 0})(c));
  EXPECT_FALSE(Set("dstRepStride", 1)(c));
  EXPECT_EQ(c, before);
  EXPECT_TRUE(Set("count", 1)(c));
}

TEST(SetDeathTest, AMisspeltFieldIsAMistake) {
  Case c = Of(isa::Add{});
  EXPECT_DEATH(Set("counts", 1)(c), "");
  EXPECT_DEATH(Set("dst.rows", 1)(c), "");
  EXPECT_DEATH(Set("count", isa::DType::kHalf)(c), "");
  EXPECT_DEATH(Plus("dtype", 1)(c), "");
}

TEST(Plus, AddsAndWrapsAround) {
  Case c = Of(isa::DataCopy{});
  EXPECT_TRUE(Plus("dst.bytes", -1)(c));
  EXPECT_EQ(CallOf<isa::DataCopy>(c).dst.bytes, -1);
  EXPECT_TRUE(Set("src.at", std::numeric_limits<std::int64_t>::max())(c));
  EXPECT_TRUE(Plus("src.at", 1)(c));
  EXPECT_EQ(CallOf<isa::DataCopy>(c).src.at,
            std::numeric_limits<std::int64_t>::min());
}

TEST(Breaker, AppliesAllChangesOrRefuses) {
  const Breaker breaker{isa::min::kMaskContiguous,
                        "129",
                        {Is("isSetMask", true), Set("mask", 129)}};
  isa::Min call;
  call.form = isa::Min::kContiguous;
  Case c = Of(call);
  EXPECT_TRUE(breaker.Apply(c));
  EXPECT_EQ(CallOf<isa::Min>(c).mask, 129);
  call.is_set_mask = false;
  c = Of(call);
  EXPECT_FALSE(breaker.Apply(c));
  EXPECT_EQ(CallOf<isa::Min>(c).mask, 0);
}

}  // namespace
}  // namespace lanediff::make::sweep
