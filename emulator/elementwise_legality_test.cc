// Which rules an element-wise call breaks that is legal but for one thing.

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator/emulator.h"
#include "isa/elementwise_calls.h"

namespace lanediff::emulator {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using isa::RuleSet;

constexpr std::int64_t kUbBytes = 196608;

isa::Operand Window(std::int64_t at, std::int64_t bytes) {
  return {
      .position = Position::kVeccalc, .at = at, .bytes = bytes, .dtype = {}};
}

/// Four iterations of all lanes, operands apart.
template <class Call>
Call Legal(DType type = DType::kHalf) {
  Call call;
  call.dtype = type;
  call.dst = Window(0, 1024);
  call.src0 = Window(1024, 1024);
  call.src1 = Window(2048, 1024);
  call.form = Call::kContiguous;
  call.mask = type == DType::kHalf || type == DType::kInt16 ? 128 : 64;
  call.repeat_times = 4;
  call.repeat_params = {1, 1, 1, 8, 8, 8};
  return call;
}

template <class Call>
Call LegalBits(DType type, std::uint64_t low, std::uint64_t high) {
  Call call = Legal<Call>(type);
  call.form = Call::kBitwise;
  call.mask = 0;
  call.mask_words = {low, high};
  return call;
}

template <class Call>
Call LegalCount(std::int64_t count) {
  Call call = Legal<Call>();
  call.form = Call::kCount;
  call.mask = 0;
  call.repeat_times = 0;
  call.repeat_params = {};
  call.count = count;
  return call;
}

template <class Call>
isa::StepResult ResultOn(isa::Profile profile, const Call& call) {
  std::vector<std::uint8_t> ub(kUbBytes);
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  Emulator emulator(profile, memories, Seams{});
  return emulator.Execute(call);
}

template <class Call>
RuleSet Broken(const Call& call, isa::Profile profile = Product::kAtlasA2) {
  return ResultOn(profile, call).rules;
}

RuleSet Only(isa::RuleId rule) {
  RuleSet rules;
  rules.Add(rule);
  return rules;
}

template <class Call>
class ElementwiseLegalityOf : public testing::Test {};
using Calls = isa::ElementwiseCalls<testing::Types>;
TYPED_TEST_SUITE(ElementwiseLegalityOf, Calls);

/// The rules of `ElementwiseCall<Tag>`.
template <class Call>
struct RulesOf;
template <class Tag>
struct RulesOf<isa::ElementwiseCall<Tag>> {
  using Type = isa::ElementwiseRules<Tag>;
};

TYPED_TEST(ElementwiseLegalityOf, Products) {
  using rule = typename RulesOf<TypeParam>::Type;
  for (const Product product :
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlas200i500A2}) {
    EXPECT_EQ(Broken(Legal<TypeParam>(), product), RuleSet());
  }
  for (const Product product :
       {Product::kAtlasInferenceVectorcore, Product::kAtlas200_300_500}) {
    EXPECT_EQ(Broken(Legal<TypeParam>(), product), Only(rule::kProduct));
  }
  constexpr bool kIsMin = std::is_same_v<TypeParam, isa::Min>;
  EXPECT_EQ(Broken(Legal<TypeParam>(), Product::kAtlasA3), RuleSet());
  EXPECT_EQ(
      Broken(Legal<TypeParam>(), {Product::kAtlasA3, isa::Edition::k2024}),
      kIsMin ? Only(rule::kProduct) : RuleSet());
}

TYPED_TEST(ElementwiseLegalityOf, Types) {
  using rule = typename RulesOf<TypeParam>::Type;
  for (const DType type :
       {DType::kHalf, DType::kFloat, DType::kInt16, DType::kInt32}) {
    EXPECT_EQ(Broken(Legal<TypeParam>(type)), RuleSet());
  }
  const auto int16 = Legal<TypeParam>(DType::kInt16);
  EXPECT_EQ(Broken(int16, Product::kAtlasTraining), Only(rule::kDtype));
  EXPECT_EQ(Broken(Legal<TypeParam>(DType::kUint32)), Only(rule::kDtype));
  // The product's rule comes first.
  EXPECT_EQ(
      Broken(Legal<TypeParam>(DType::kUint32), Product::kAtlas200_300_500),
      Only(rule::kProduct));
  auto call = Legal<TypeParam>();
  call.src1.dtype = DType::kFloat;
  EXPECT_EQ(Broken(call), Only(rule::kDtypeMatch));
}

TYPED_TEST(ElementwiseLegalityOf, Ranges) {
  using rule = typename RulesOf<TypeParam>::Type;
  const auto expect = [](isa::RuleId broken, auto change) {
    auto call = Legal<TypeParam>();
    change(call);
    EXPECT_EQ(Broken(call), Only(broken)) << broken.text();
  };
  expect(rule::kPosition, [](auto& c) { c.src1.position = Position::kGm; });
  expect(rule::kAlign, [](auto& c) { c.dst.at = 16; });
  expect(rule::kRepeat, [](auto& c) { c.repeat_times = 256; });
  expect(rule::kRepeat, [](auto& c) { c.repeat_times = -1; });
  expect(rule::kStrideRange,
         [](auto& c) { c.repeat_params.src1_rep_stride = 256; });
  expect(rule::kStrideRange,
         [](auto& c) { c.repeat_params.dst_blk_stride = -1; });
  expect(rule::kDstBlkStrideZero,
         [](auto& c) { c.repeat_params.dst_blk_stride = 0; });
  expect(rule::kMaskContiguous, [](auto& c) { c.mask = 0; });
  expect(rule::kMaskContiguous, [](auto& c) { c.mask = 129; });
  expect(rule::kPlaceholder, [](auto& c) { c.is_set_mask = false; });
  expect(rule::kBounds, [](auto& c) { c.src0.bytes = 1023; });
  expect(rule::kBounds, [](auto& c) { c.dst.at = kUbBytes; });
  EXPECT_EQ(Broken(LegalCount<TypeParam>(-1)), Only(rule::kCount));
  EXPECT_EQ(Broken(LegalCount<TypeParam>(2147483648)), Only(rule::kCount));
  EXPECT_EQ(Broken(LegalCount<TypeParam>(2147483647)), Only(rule::kBounds));
  EXPECT_EQ(Broken(LegalCount<TypeParam>(512)), RuleSet());
}

TYPED_TEST(ElementwiseLegalityOf, MaskWords) {
  using rule = typename RulesOf<TypeParam>::Type;
  const auto broken = [](DType type, std::uint64_t low, std::uint64_t high) {
    return Broken(LegalBits<TypeParam>(type, low, high));
  };
  EXPECT_EQ(broken(DType::kHalf, 0, 1), RuleSet());
  EXPECT_EQ(broken(DType::kHalf, 0, 0), Only(rule::kMaskBits));
  EXPECT_EQ(broken(DType::kFloat, ~0ull, 0), RuleSet());
  EXPECT_EQ(broken(DType::kFloat, 1, 1), Only(rule::kMaskBits));
  // The range of 64-bit types is looked at, although no such type is legal.
  RuleSet both = Only(rule::kDtype);
  EXPECT_EQ(broken(DType::kInt64, 0xffffffff, 0), both);
  both.Add(rule::kMaskBits);
  EXPECT_EQ(broken(DType::kInt64, 0x100000000, 0), both);
  EXPECT_EQ(broken(DType::kInt8, 0, 0), Only(rule::kDtype));
}

TYPED_TEST(ElementwiseLegalityOf, Overlap) {
  using rule = typename RulesOf<TypeParam>::Type;
  auto call = Legal<TypeParam>();
  call.dst = call.src0;
  EXPECT_EQ(Broken(call), RuleSet());
  call.dst = Window(1024 + 32, 1024);
  RuleSet both = Only(rule::kOverlapIteration);
  both.Add(rule::kOverlapDependency);
  EXPECT_EQ(Broken(call), both);
  call.dst = Window(1024 + 256, 1024);
  EXPECT_EQ(Broken(call), Only(rule::kOverlapDependency));
  call.dst = Window(1024 - 256, 1024);  // where it has been read already
  EXPECT_EQ(Broken(call), RuleSet());

  auto count = LegalCount<TypeParam>(512);
  count.dst = count.src1;
  EXPECT_EQ(Broken(count), RuleSet());
  count.dst = Window(2048 - 32, 1024);
  EXPECT_EQ(Broken(count), Only(rule::kOverlapCount));
}

TYPED_TEST(ElementwiseLegalityOf, TheExceptionForSrc1) {
  using rule = typename RulesOf<TypeParam>::Type;
  auto call = Legal<TypeParam>();
  call.dst = call.src1 = Window(2048, 1024);
  call.repeat_params.dst_rep_stride = call.repeat_params.src1_rep_stride = 0;
  EXPECT_EQ(Broken(call), RuleSet());
  call.dtype = DType::kInt16;
  EXPECT_EQ(Broken(call), Only(rule::kOverlapDependency));

  // Iterations 0 and 1 write what iteration 2 reads from src1.
  call = Legal<TypeParam>();
  call.dst = Window(2048 + 512, 256);
  call.repeat_params.dst_rep_stride = call.repeat_params.src0_rep_stride = 0;
  EXPECT_EQ(Broken(call), RuleSet());
  call.src0 = Window(2048, 256);
  EXPECT_EQ(Broken(call), Only(rule::kOverlapSources));
  std::swap(call.src0, call.src1);
  std::swap(call.repeat_params.src0_rep_stride,
            call.repeat_params.src1_rep_stride);
  EXPECT_EQ(Broken(call), Only(rule::kOverlapDependency));
}

TYPED_TEST(ElementwiseLegalityOf, Notes) {
  using rule = typename RulesOf<TypeParam>::Type;
  const auto notes = [](const TypeParam& call) {
    const isa::StepResult result = ResultOn(Product::kAtlasA2, call);
    EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
    return result.notes;
  };
  EXPECT_EQ(notes(Legal<TypeParam>()), RuleSet());
  EXPECT_EQ(notes(LegalCount<TypeParam>(1)), Only(rule::kClobbersMask));
  EXPECT_EQ(notes(LegalCount<TypeParam>(0)), Only(rule::kNop));
  auto call = Legal<TypeParam>();
  call.repeat_times = 0;
  EXPECT_EQ(notes(call), Only(rule::kNop));
}

}  // namespace
}  // namespace lanediff::emulator
