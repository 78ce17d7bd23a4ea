#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/rules_testing.h"

/// Which masks an element-wise call may have.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::BitsCall;
using test::Broken;
using test::Ids;
using test::MaskCall;
using test::Named;
using test::Only;
using test::RulesOf;

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
const Ids kNone;

template <class Call>
class ElementwiseMasks : public testing::Test {};
TYPED_TEST_SUITE(ElementwiseMasks, test::ElementwiseCalls, test::NamedByOp);

TYPED_TEST(ElementwiseMasks, MaskContiguous) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  struct Row {
    DType dtype;
    std::int64_t most;
  };
  const Row rows[] = {{DType::kHalf, 128},
                      {DType::kInt16, 128},
                      {DType::kFloat, 64},
                      {DType::kInt32, 64}};
  for (const Row& row : rows) {
    EXPECT_EQ(Broken(MaskCall<Call>(1, row.dtype)), kNone);
    EXPECT_EQ(Broken(MaskCall<Call>(row.most, row.dtype)), kNone);
    for (std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, row.most + 1}) {
      EXPECT_EQ(Broken(MaskCall<Call>(n, row.dtype)),
                Only(rule::kMaskContiguous));
    }
  }
  const Ids both = Named<Call>({"-DTYPE", "-MASK-CONTIGUOUS"});
  EXPECT_EQ(Broken(MaskCall<Call>(32, DType::kInt64)), Only(rule::kDtype));
  EXPECT_EQ(Broken(MaskCall<Call>(33, DType::kInt64)), both);
  EXPECT_EQ(Broken(MaskCall<Call>(129, DType::kUint16)), both);
  EXPECT_EQ(Broken(MaskCall<Call>(1000, DType::kInt8)), Only(rule::kDtype));
}

TYPED_TEST(ElementwiseMasks, MaskBits) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  struct Row {
    DType dtype;
    std::array<std::uint64_t, 2> mask;
    Ids rules;
  };
  const Ids bits = Only(rule::kMaskBits);
  const Ids type = Only(rule::kDtype);
  const Ids both = Named<Call>({"-DTYPE", "-MASK-BITS"});
  const Row rows[] = {
      {DType::kHalf, {0, 0}, bits},
      {DType::kHalf, {1, 0}, kNone},
      {DType::kHalf, {0, 1}, kNone},
      {DType::kInt16, {kAllOnes, kAllOnes}, kNone},
      {DType::kFloat, {0, 0}, bits},
      {DType::kFloat, {0, 1}, bits},
      {DType::kFloat, {1, 1}, bits},
      {DType::kFloat, {kAllOnes, 0}, kNone},
      {DType::kInt32, {1, 0}, kNone},
      {DType::kInt64, {0, 0}, both},
      {DType::kInt64, {1, 0}, type},
      {DType::kInt64, {0xffffffff, 0}, type},
      {DType::kInt64, {0x100000000, 0}, both},
      {DType::kInt64, {1, 1}, both},
      {DType::kUint8, {0, 0}, type},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Broken(BitsCall<Call>(row.mask[0], row.mask[1], row.dtype)),
              row.rules)
        << Name(row.dtype) << " " << row.mask[0] << " " << row.mask[1];
  }
}

TYPED_TEST(ElementwiseMasks, Placeholder) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  const auto contiguous = [](std::int64_t mask) {
    Call call = MaskCall<Call>(mask);
    call.is_set_mask = false;
    return Broken(call);
  };
  EXPECT_EQ(contiguous(0), kNone);
  for (std::int64_t mask : {1, -1, 128, 1000}) {
    EXPECT_EQ(contiguous(mask), Only(rule::kPlaceholder));
  }
  const auto bitwise = [](std::uint64_t low, std::uint64_t high) {
    Call call = BitsCall<Call>(low, high);
    call.is_set_mask = false;
    return Broken(call);
  };
  EXPECT_EQ(bitwise(0, 0), kNone);
  EXPECT_EQ(bitwise(1, 0), Only(rule::kPlaceholder));
  EXPECT_EQ(bitwise(0, 1), Only(rule::kPlaceholder));
}

}  // namespace
}  // namespace lanediff::oracle
