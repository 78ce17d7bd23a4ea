#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/rules_testing.h"

/// What operands of an element-wise call may share: the *-OVERLAP rules.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::Broken;
using test::CountCall;
using test::Ids;
using test::MaskCall;
using test::Named;
using test::Only;
using test::RulesOf;

const Ids kNone;

template <class Call>
class ElementwiseOverlap : public testing::Test {};
TYPED_TEST_SUITE(ElementwiseOverlap, test::ElementwiseCalls, test::NamedByOp);

/// A call of `repeat` whole iterations with operands at these places.
template <class Call>
Call At(std::int64_t dst, std::int64_t src0, std::int64_t src1,
        std::int64_t repeat, isa::BinaryRepeatParams params,
        DType dtype = DType::kHalf) {
  Call call = MaskCall<Call>(
      dtype == DType::kHalf || dtype == DType::kInt16 ? 128 : 64, dtype);
  call.dst.at = dst;
  call.src0.at = src0;
  call.src1.at = src1;
  call.repeat_times = repeat;
  call.repeat_params = params;
  return call;
}

TYPED_TEST(ElementwiseOverlap, WithinAnIteration) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  struct Row {
    const char* what;
    std::int64_t src;
    isa::BinaryRepeatParams params;
    std::int64_t mask;
    Ids rules;
  };
  const Ids broken = Only(rule::kOverlapIteration);
  // dst is at 4096, one of the sources at `src`.
  const Row rows[] = {
      {"coincides", 4096, {1, 1, 1, 8, 8, 8}, 128, kNone},
      {"one block on", 4128, {1, 1, 1, 8, 8, 8}, 128, broken},
      {"one block back", 4064, {1, 1, 1, 8, 8, 8}, 128, broken},
      {"right behind", 4352, {1, 1, 1, 8, 8, 8}, 128, kNone},
      {"last block shared", 4320, {1, 1, 1, 8, 8, 8}, 128, broken},
      {"right before", 3840, {1, 1, 1, 8, 8, 8}, 128, kNone},
      {"other block stride", 4096, {1, 2, 2, 8, 8, 8}, 128, broken},
      {"block stride 0", 4096, {1, 0, 0, 8, 8, 8}, 128, broken},
      {"one block alone", 4096, {1, 2, 2, 8, 8, 8}, 16, kNone},
      {"coincides in part", 4096, {1, 2, 2, 8, 8, 8}, 17, broken},
      {"one of the third", 4096, {1, 2, 2, 8, 8, 8}, 33, broken},
      {"every other block", 4128, {2, 2, 2, 8, 8, 8}, 128, kNone},
      {"lanes out of the mask", 4128, {1, 1, 1, 8, 8, 8}, 16, kNone},
  };
  for (const Row& row : rows) {
    Call call = At<Call>(4096, row.src, 12288, 1, row.params);
    call.mask = row.mask;
    EXPECT_EQ(Broken(call), row.rules) << "src0 " << row.what;
    call = At<Call>(4096, 12288, row.src, 1, row.params);
    call.mask = row.mask;
    EXPECT_EQ(Broken(call), row.rules) << "src1 " << row.what;
  }
}

TYPED_TEST(ElementwiseOverlap, AppliesToEveryIteration) {
  using Call = TypeParam;
  // Iteration 1 writes block 136 to 143 and reads from block 140.
  Call call = At<Call>(4096, 4096 + 384, 12288, 2, {1, 1, 1, 8, 0, 8});
  EXPECT_EQ(Broken(call), Named<Call>({"-OVERLAP-ITERATION"}));
  call.repeat_times = 1;
  EXPECT_EQ(Broken(call), kNone);
}

TYPED_TEST(ElementwiseOverlap, DependencyOnSrc0HasNoException) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  const Ids broken = Only(rule::kOverlapDependency);
  // Iteration 1, or 2, reads what iteration 0 wrote.
  EXPECT_EQ(Broken(At<Call>(4352, 4096, 8192, 1, {1, 1, 1, 8, 8, 8})), kNone);
  EXPECT_EQ(Broken(At<Call>(4352, 4096, 8192, 2, {1, 1, 1, 8, 8, 8})), broken);
  EXPECT_EQ(Broken(At<Call>(4608, 4096, 8192, 2, {1, 1, 1, 8, 8, 8})), kNone);
  EXPECT_EQ(Broken(At<Call>(4608, 4096, 8192, 3, {1, 1, 1, 8, 8, 8})), broken);
  // Written after it was read: no matter.
  EXPECT_EQ(Broken(At<Call>(3840, 4096, 8192, 3, {1, 1, 1, 8, 8, 8})), kNone);
  EXPECT_EQ(Broken(At<Call>(4096, 4096, 8192, 3, {1, 1, 1, 8, 8, 8})), kNone);
  EXPECT_EQ(Broken(At<Call>(4096, 4096, 8192, 2, {1, 1, 1, 0, 0, 8})), broken);
  EXPECT_EQ(Broken(At<Call>(4096, 4096, 8192, 2, {1, 1, 1, 0, 0, 0})), broken);
}

TYPED_TEST(ElementwiseOverlap, DependencyOnSrc1IsAllowedWithStrideZero) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  struct Row {
    std::int64_t dst;
    isa::BinaryRepeatParams params;
    bool exception;
  };
  const Row rows[] = {
      {8192, {1, 1, 1, 0, 8, 0}, true},   // running result
      {8192, {1, 1, 1, 8, 8, 0}, true},   // src1RepStride alone
      {8448, {1, 1, 1, 0, 8, 8}, true},   // dstRepStride alone
      {8448, {1, 1, 1, 8, 8, 8}, false},  // neither
      {8448, {1, 1, 1, 8, 0, 8}, false},  // src0RepStride doesn't count
  };
  for (const Row& row : rows) {
    for (DType t : {DType::kHalf, DType::kFloat, DType::kInt32}) {
      EXPECT_EQ(Broken(At<Call>(row.dst, 4096, 8192, 2, row.params, t)),
                row.exception ? kNone : Only(rule::kOverlapDependency))
          << Name(t) << " " << row.dst;
    }
    EXPECT_EQ(
        Broken(At<Call>(row.dst, 4096, 8192, 2, row.params, DType::kInt16)),
        Only(rule::kOverlapDependency));
  }
}

TYPED_TEST(ElementwiseOverlap, SourcesWhereTheExceptionIsUsed) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  // src1 moves from 8192 to dst at 8448, which stays.
  EXPECT_EQ(Broken(At<Call>(8448, 7936, 8192, 2, {1, 1, 1, 0, 0, 8})), kNone);
  EXPECT_EQ(Broken(At<Call>(8448, 7968, 8192, 2, {1, 1, 1, 0, 0, 8})),
            Only(rule::kOverlapSources));
  EXPECT_EQ(Broken(At<Call>(8448, 8192, 8192, 2, {1, 1, 1, 0, 0, 8})),
            Only(rule::kOverlapSources));
  // The byte shared may lie in different iterations: src0 0 and src1 1.
  EXPECT_EQ(Broken(At<Call>(8448, 8704, 8192, 3, {1, 1, 1, 0, 8, 8})),
            Only(rule::kOverlapSources));
  EXPECT_EQ(Broken(At<Call>(8448, 8704, 8192, 2, {1, 1, 1, 0, 8, 8})), kNone);
  // Not used: nothing is read back.
  EXPECT_EQ(Broken(At<Call>(8448, 8192, 8192, 1, {1, 1, 1, 0, 0, 8})), kNone);
  EXPECT_EQ(Broken(At<Call>(0, 8192, 8192, 2, {1, 1, 1, 0, 8, 8})), kNone);
  // With src0 at dst in iteration 1 both rules are broken.
  EXPECT_EQ(Broken(At<Call>(8192, 7936, 8192, 2, {1, 1, 1, 0, 8, 0})),
            Named<Call>({"-OVERLAP-DEPENDENCY", "-OVERLAP-SOURCES"}));
}

TYPED_TEST(ElementwiseOverlap, CountForm) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  const auto at = [](std::int64_t dst, std::int64_t src0, std::int64_t src1,
                     std::int64_t count) {
    Call call = CountCall<Call>(count);
    call.dst.at = dst;
    call.src0.at = src0;
    call.src1.at = src1;
    return Broken(call);
  };
  EXPECT_EQ(at(4096, 4096, 4096, 200), kNone);
  EXPECT_EQ(at(4128, 4096, 8192, 16), kNone);
  EXPECT_EQ(at(4128, 4096, 8192, 17), Only(rule::kOverlapCount));
  EXPECT_EQ(at(4096, 4128, 8192, 16), kNone);
  EXPECT_EQ(at(4096, 4128, 8192, 17), Only(rule::kOverlapCount));
  EXPECT_EQ(at(8224, 4096, 8192, 16), kNone);
  EXPECT_EQ(at(8224, 4096, 8192, 17), Only(rule::kOverlapCount));
  EXPECT_EQ(at(8224, 8224, 8192, 17), Only(rule::kOverlapCount));
  EXPECT_EQ(at(0, 8224, 8192, 17), kNone);  // two sources may overlap
  EXPECT_EQ(at(4128, 4096, 8192, 0), kNone);
}

}  // namespace
}  // namespace lanediff::oracle
