#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/rules_testing.h"

/// Which element-wise calls are legal. Masks are in elementwise_masks_test.cc,
/// and what operands may share in elementwise_overlap_test.cc.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Edition;
using isa::Position;
using isa::Product;
using test::BitsCall;
using test::Broken;
using test::CountCall;
using test::Ids;
using test::MaskCall;
using test::Named;
using test::Only;
using test::RulesOf;
using Params = isa::BinaryRepeatParams;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
template <class Call>
constexpr isa::Operand Call::* kOperands[] = {&Call::dst, &Call::src0,
                                              &Call::src1};
const Ids kNone;

template <class Call>
class ElementwiseRules : public testing::Test {};
TYPED_TEST_SUITE(ElementwiseRules, test::ElementwiseCalls, test::NamedByOp);

/// The rules that a legal call over `mask` lanes breaks after `change`.
template <class Call>
Ids BrokenBy(const std::function<void(Call&)>& change, std::int64_t mask = 128,
             DType dtype = DType::kHalf) {
  Call call = MaskCall<Call>(mask, dtype);
  change(call);
  return Broken(call);
}

TYPED_TEST(ElementwiseRules, Product) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  // Min's page of 2024 does not list A3, those of the others do.
  constexpr bool kIsMin = std::same_as<Call, isa::Min>;
  EXPECT_EQ(Broken(MaskCall<Call>(1), {Product::kAtlasA3, Edition::k2024}),
            kIsMin ? Only(rule::kProduct) : kNone);
  EXPECT_EQ(Broken(CountCall<Call>(1), {Product::kAtlasA3, Edition::k2024}),
            kIsMin ? Only(rule::kProduct) : kNone);
  for (std::size_t i = 0; i < isa::kCount<Product>; ++i) {
    const auto p = static_cast<Product>(i);
    const bool legal = p == Product::kAtlasTraining ||
                       p == Product::kAtlasInferenceAicore ||
                       p == Product::kAtlasA2 ||
                       p == Product::kAtlas200i500A2 || p == Product::kAtlasA3;
    if (legal) {
      EXPECT_EQ(Broken(MaskCall<Call>(1), p), kNone);
      EXPECT_EQ(Broken(CountCall<Call>(1), p), kNone);
      EXPECT_EQ(Broken(MaskCall<Call>(1, DType::kInt8), p), Only(rule::kDtype));
      continue;
    }
    EXPECT_EQ(Broken(MaskCall<Call>(1), p), Only(rule::kProduct));
    EXPECT_EQ(Broken(CountCall<Call>(1), p), Only(rule::kProduct));
    // The types depend on the product and are not looked at.
    EXPECT_EQ(Broken(MaskCall<Call>(1, DType::kInt8), p), Only(rule::kProduct));
  }
}

TYPED_TEST(ElementwiseRules, Dtype) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
    const auto dtype = static_cast<DType>(t);
    const bool always = dtype == DType::kHalf || dtype == DType::kFloat ||
                        dtype == DType::kInt32;
    const bool legal = always || dtype == DType::kInt16;
    for (Product p : {Product::kAtlasA2, Product::kAtlasInferenceAicore,
                      Product::kAtlas200i500A2, Product::kAtlasA3}) {
      EXPECT_EQ(Broken(MaskCall<Call>(1, dtype), p),
                legal ? kNone : Only(rule::kDtype));
    }
    EXPECT_EQ(Broken(MaskCall<Call>(1, dtype), Product::kAtlasTraining),
              always ? kNone : Only(rule::kDtype));
  }
}

TYPED_TEST(ElementwiseRules, OperandsOneByOne) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  for (auto operand : kOperands<Call>) {
    const auto with_type = [=](DType dtype) {
      return BrokenBy<Call>([=](Call& c) { (c.*operand).dtype = dtype; });
    };
    EXPECT_EQ(with_type(DType::kHalf), kNone);
    EXPECT_EQ(with_type(DType::kInt16), Only(rule::kDtypeMatch));
    for (std::size_t p = 0; p < isa::kCount<Position>; ++p) {
      const auto position = static_cast<Position>(p);
      const bool legal = position == Position::kVecin ||
                         position == Position::kVeccalc ||
                         position == Position::kVecout;
      EXPECT_EQ(
          BrokenBy<Call>([=](Call& c) { (c.*operand).position = position; }),
          legal ? kNone : Only(rule::kPosition));
    }
    const auto moved = [=](std::int64_t by) {
      return BrokenBy<Call>([=](Call& c) { (c.*operand).at += by; });
    };
    EXPECT_EQ(moved(32), kNone);
    EXPECT_EQ(moved(2), Only(rule::kAlign));
    EXPECT_EQ(moved(16), Only(rule::kAlign));
  }
}

TYPED_TEST(ElementwiseRules, Count) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  EXPECT_EQ(Broken(CountCall<Call>(0)), kNone);
  EXPECT_EQ(Broken(CountCall<Call>(2048)), kNone);  // 4096 bytes
  EXPECT_EQ(Broken(CountCall<Call>(2147483647)), Only(rule::kBounds));
  for (std::int64_t n :
       {std::int64_t{2147483648}, std::int64_t{-1}, kMin, kMax}) {
    EXPECT_EQ(Broken(CountCall<Call>(n)), Only(rule::kCount));
  }
}

TYPED_TEST(ElementwiseRules, Repeat) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  const auto repeat = [](std::int64_t n) {
    return BrokenBy<Call>([=](Call& c) {
      c.repeat_times = n;
      c.repeat_params = {1, 1, 1, 0, 0, 0};
    });
  };
  EXPECT_EQ(repeat(0), kNone);
  EXPECT_EQ(repeat(255), kNone);
  for (std::int64_t n : {std::int64_t{-1}, std::int64_t{256}, kMin, kMax}) {
    EXPECT_EQ(repeat(n), Only(rule::kRepeat));
  }
}

TYPED_TEST(ElementwiseRules, Strides) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  constexpr std::int64_t Params::* kStrides[] = {
      &Params::dst_blk_stride,  &Params::src0_blk_stride,
      &Params::src1_blk_stride, &Params::dst_rep_stride,
      &Params::src0_rep_stride, &Params::src1_rep_stride};
  for (auto stride : kStrides) {
    const auto set = [=](std::int64_t n) {  // one lane: no stride is used
      return BrokenBy<Call>([=](Call& c) { c.repeat_params.*stride = n; }, 1);
    };
    EXPECT_EQ(set(255), kNone);
    EXPECT_EQ(set(0), stride == &Params::dst_blk_stride
                          ? Only(rule::kDstBlkStrideZero)
                          : kNone);
    for (std::int64_t n : {std::int64_t{-1}, std::int64_t{256}, kMin, kMax}) {
      EXPECT_EQ(set(n), Only(rule::kStrideRange));
    }
  }
}

TYPED_TEST(ElementwiseRules, Bounds) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  for (auto operand : kOperands<Call>) {
    const auto window = [=](std::int64_t at, std::int64_t bytes,
                            std::int64_t repeat) {
      return BrokenBy<Call>([=](Call& c) {
        c.repeat_times = repeat;
        (c.*operand).at = at;
        (c.*operand).bytes = bytes;
      });
    };
    EXPECT_EQ(window(12288, 256, 1), kNone);
    EXPECT_EQ(window(12288, 255, 1), Only(rule::kBounds));
    EXPECT_EQ(window(12288, 512, 2), kNone);
    EXPECT_EQ(window(12288, 511, 2), Only(rule::kBounds));
    // Also when nothing is read or written.
    EXPECT_EQ(window(12288, 4096, 0), kNone);
    EXPECT_EQ(window(12288, 4097, 0), Only(rule::kBounds));
    EXPECT_EQ(window(12288, -1, 0), Only(rule::kBounds));
    EXPECT_EQ(window(-32, 4096, 0), Only(rule::kBounds));
    EXPECT_EQ(window(kMax - 31, kMax, 0), Only(rule::kBounds));
  }
  Call call = CountCall<Call>(2049);
  EXPECT_EQ(Broken(call), Only(rule::kBounds));
}

TYPED_TEST(ElementwiseRules, LanesThatTakeNoPartNeedNoWindow) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  Call call = BitsCall<Call>(0, 1);  // lane 64 alone: bytes 128 and 129
  call.dst.bytes = call.src0.bytes = call.src1.bytes = 130;
  EXPECT_EQ(Broken(call), kNone);
  call.src1.bytes = 129;
  EXPECT_EQ(Broken(call), Only(rule::kBounds));
}

TYPED_TEST(ElementwiseRules, AllRulesOfAStageAndNoneOfALater) {
  using Call = TypeParam;
  using rule = RulesOf<Call>;
  Call call = MaskCall<Call>(0, DType::kUint8);
  call.dtype = DType::kUint16;
  call.dst.at = -1;
  call.src0.position = Position::kGm;
  call.src1.dtype = DType::kFloat;
  call.repeat_times = 256;
  call.repeat_params = {0, 256, 1, 1, 1, 1};
  EXPECT_EQ(Broken(call),
            Named<Call>({"-ALIGN", "-DST-BLK-STRIDE-ZERO", "-DTYPE",
                         "-DTYPE-MATCH", "-MASK-CONTIGUOUS", "-POSITION",
                         "-REPEAT", "-STRIDE-RANGE"}));
  call = MaskCall<Call>(128);
  call.src0.at = 32;  // would overlap
  call.src0.bytes = 255;
  EXPECT_EQ(Broken(call), Only(rule::kBounds));
}

}  // namespace
}  // namespace lanediff::oracle
