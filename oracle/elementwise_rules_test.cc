#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/testing.h"
#include "oracle/vector_rules.h"

/// Which element-wise calls are legal; elementwise_illegal_test.cc has what the
/// others would do.
/// The folders of the calls in corpus/ have both sides of the boundaries of
/// ranges and windows.
namespace lanediff::oracle {
namespace {

using isa::Edition;
using test::All;
using test::Broken;
using test::CountCall;
using test::kAllOnes;
using test::kMax;
using test::kMin;
using test::MaskCall;
using Params = isa::BinaryRepeatParams;

template <class Call>
constexpr isa::Operand Call::* kOperands[] = {&Call::dst, &Call::src0,
                                              &Call::src1};

/// *-MASK-CONTIGUOUS, *-MASK-BITS and *-PLACEHOLDER of every call that has
/// both forms of masks.
TEST(MaskRules, DependOnTheWidthOfTheType) {
  const isa::RuleId contiguous("C"), bits("B"), placeholder("P");
  const auto broken = [&](const MaskArgument& mask, DType type) {
    std::string texts;
    for (const isa::RuleId id :
         BrokenMaskRules(mask, type, {contiguous, bits, placeholder})) {
      texts += id.text();
    }
    return texts;
  };
  struct Row {
    std::vector<DType> types;
    std::int64_t most;  ///< lanes; 0: no range is given
    std::uint64_t low, high;
  };
  using enum DType;
  const Row rows[] = {
      {{kInt8, kUint8}, 0, kAllOnes, kAllOnes},
      {{kHalf, kBfloat16, kInt16, kUint16}, 128, kAllOnes, kAllOnes},
      {{kFloat, kInt32, kUint32}, 64, kAllOnes, 0},
      {{kDouble, kInt64, kUint64}, 32, 0xffffffff, 0},
  };
  for (const Row& row : rows) {
    for (const DType type : row.types) {
      SCOPED_TRACE(Name(type));
      const bool has_range = row.most > 0;
      EXPECT_EQ(broken({.lanes = 1}, type), "");
      EXPECT_EQ(broken({.lanes = row.most}, type), "");
      for (const std::int64_t n :
           {kMin, std::int64_t{-1}, row.most + 1, kMax}) {
        EXPECT_EQ(broken({.lanes = n}, type), has_range ? "C" : "");
      }
      EXPECT_EQ(broken({.lanes = 0}, type), has_range ? "C" : "");
      const auto words = [&](std::uint64_t low, std::uint64_t high) {
        return broken({.bitwise = true, .words = {low, high}}, type);
      };
      EXPECT_EQ(words(1, 0), "");
      EXPECT_EQ(words(row.low, row.high), "");
      EXPECT_EQ(words(0, 0), has_range ? "B" : "");
      EXPECT_EQ(words(0, 1), row.high != 0 ? "" : "B");
      EXPECT_EQ(words(1, 1), row.high != 0 ? "" : "B");
      EXPECT_EQ(words(0x100000000, 0), row.most == 32 ? "B" : "");
      // Of a call that takes the register as it is.
      for (const std::int64_t n : {-1, 0, 1, 1000}) {
        EXPECT_EQ(broken({.lanes = n, .is_set_mask = false}, type),
                  n == 0 ? "" : "P");
      }
      for (const std::uint64_t low : {0ULL, 1ULL}) {
        for (const std::uint64_t high : {0ULL, 1ULL}) {
          EXPECT_EQ(
              broken(
                  {.bitwise = true, .words = {low, high}, .is_set_mask = false},
                  type),
              low + high == 0 ? "" : "P");
        }
      }
    }
  }
}

template <class Call>
class ElementwiseRules : public testing::Test {
 protected:
  /// A call over `mask` lanes.
  static Call Changed(const std::function<void(Call&)>& change,
                      std::int64_t mask = 128) {
    Call call = MaskCall<Call>(mask);
    change(call);
    return call;
  }

  /// Whole iterations with operands at these places.
  static Call At(std::int64_t dst, std::int64_t src0, std::int64_t src1,
                 std::int64_t repeat, const Params& params,
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
};
TYPED_TEST_SUITE(ElementwiseRules, test::ElementwiseCalls, test::NamedByOp);

TYPED_TEST(ElementwiseRules, ProductsAndTypes) {
  using Call = TypeParam;
  // Min's page of 2024 does not list A3, those of the others do.
  const char* const min_2024 = std::same_as<Call, isa::Min> ? "PRODUCT" : "";
  for (const Product product : All<Product>()) {
    const bool has = product != Product::kAtlasInferenceVectorcore &&
                     product != Product::kAtlas200_300_500;
    for (const Call& call : {MaskCall<Call>(1), CountCall<Call>(1)}) {
      EXPECT_EQ(Broken(call, product), has ? "" : "PRODUCT");
      EXPECT_EQ(Broken(call, {product, Edition::k2024}),
                !has                           ? "PRODUCT"
                : product == Product::kAtlasA3 ? min_2024
                                               : "");
    }
    for (const DType dtype : All<DType>()) {
      const bool has_type =
          dtype == DType::kHalf || dtype == DType::kFloat ||
          dtype == DType::kInt32 ||
          (dtype == DType::kInt16 && product != Product::kAtlasTraining);
      // The types depend on the product and are not looked at without.
      EXPECT_EQ(Broken(MaskCall<Call>(1, dtype), product), !has ? "PRODUCT"
                                                           : has_type
                                                               ? ""
                                                               : "DTYPE");
    }
  }
}

TYPED_TEST(ElementwiseRules, OperandsOneByOne) {
  using Call = TypeParam;
  for (auto operand : kOperands<Call>) {
    const auto broken = [&](const std::function<void(isa::Operand&)>& change) {
      Call call = MaskCall<Call>(128);
      change(call.*operand);
      return Broken(call);
    };
    EXPECT_EQ(broken([](isa::Operand& o) { o.dtype = DType::kHalf; }), "");
    EXPECT_EQ(broken([](isa::Operand& o) { o.dtype = DType::kInt16; }),
              "DTYPE-MATCH");
    for (const Position position : All<Position>()) {
      const bool legal = position == Position::kVecin ||
                         position == Position::kVeccalc ||
                         position == Position::kVecout;
      EXPECT_EQ(broken([=](isa::Operand& o) { o.position = position; }),
                legal ? "" : "POSITION");
    }
    EXPECT_EQ(broken([](isa::Operand& o) { o.at += 32; }), "");
    EXPECT_EQ(broken([](isa::Operand& o) { o.at += 2; }), "ALIGN");
    EXPECT_EQ(broken([](isa::Operand& o) { o.at += 16; }), "ALIGN");
    EXPECT_EQ(broken([](isa::Operand& o) { o.bytes = 255; }), "BOUNDS");
    EXPECT_EQ(broken([](isa::Operand& o) { o.at = kMax - 31; }), "BOUNDS");
  }
}

TYPED_TEST(ElementwiseRules, NumbersAtTheEndsOf64Bits) {
  using Call = TypeParam;
  for (const std::int64_t n : {kMin, kMax}) {
    EXPECT_EQ(Broken(CountCall<Call>(n)), "COUNT");
    EXPECT_EQ(Broken(this->Changed([=](Call& c) { c.repeat_times = n; })),
              "REPEAT");
    for (auto stride : {&Params::dst_blk_stride, &Params::src0_blk_stride,
                        &Params::src1_blk_stride, &Params::dst_rep_stride,
                        &Params::src0_rep_stride, &Params::src1_rep_stride}) {
      EXPECT_EQ(
          Broken(this->Changed([=](Call& c) { c.repeat_params.*stride = n; })),
          "STRIDE-RANGE");
    }
  }
}

TYPED_TEST(ElementwiseRules, AllRulesOfAStageAndNoneOfALater) {
  using Call = TypeParam;
  Call call = MaskCall<Call>(0, DType::kUint16);
  call.dst.at = -1;
  call.src0.position = Position::kGm;
  call.src1.dtype = DType::kFloat;
  call.repeat_times = 256;
  call.repeat_params = {0, 256, 1, 1, 1, 1};
  EXPECT_EQ(Broken(call),
            "ALIGN DST-BLK-STRIDE-ZERO DTYPE DTYPE-MATCH MASK-CONTIGUOUS "
            "POSITION REPEAT STRIDE-RANGE");
  call = MaskCall<Call>(128);
  call.src0.at = 32;  // would overlap
  call.src0.bytes = 255;
  EXPECT_EQ(Broken(call), "BOUNDS");
}

// ---- What operands may share ------------------------------------------------

TYPED_TEST(ElementwiseRules, OverlapWithinAnIteration) {
  struct Row {
    const char* what;
    std::int64_t src;
    Params params;
    std::int64_t mask;
    bool broken;
  };
  // dst is at 4096, one of the sources at `src`.
  const Row rows[] = {
      {"coincides", 4096, {1, 1, 1, 8, 8, 8}, 128, false},
      {"one block on", 4128, {1, 1, 1, 8, 8, 8}, 128, true},
      {"one block back", 4064, {1, 1, 1, 8, 8, 8}, 128, true},
      {"right behind", 4352, {1, 1, 1, 8, 8, 8}, 128, false},
      {"last block shared", 4320, {1, 1, 1, 8, 8, 8}, 128, true},
      {"right before", 3840, {1, 1, 1, 8, 8, 8}, 128, false},
      {"other block stride", 4096, {1, 2, 2, 8, 8, 8}, 128, true},
      {"block stride 0", 4096, {1, 0, 0, 8, 8, 8}, 128, true},
      {"one block alone", 4096, {1, 2, 2, 8, 8, 8}, 16, false},
      {"coincides in part", 4096, {1, 2, 2, 8, 8, 8}, 17, true},
      {"one of the third", 4096, {1, 2, 2, 8, 8, 8}, 33, true},
      {"every other block", 4128, {2, 2, 2, 8, 8, 8}, 128, false},
      {"lanes out of the mask", 4128, {1, 1, 1, 8, 8, 8}, 16, false},
  };
  for (const Row& row : rows) {
    TypeParam call = this->At(4096, row.src, 12288, 1, row.params);
    call.mask = row.mask;
    const char* const rules = row.broken ? "OVERLAP-ITERATION" : "";
    EXPECT_EQ(Broken(call), rules) << "src0 " << row.what;
    call.src0.at = 12288;
    call.src1.at = row.src;
    EXPECT_EQ(Broken(call), rules) << "src1 " << row.what;
  }
}

TYPED_TEST(ElementwiseRules, OverlapOfIterations) {
  struct Row {
    std::int64_t dst, src0, src1, repeat;
    Params params;
    const char* rules;
  };
  const Row rows[] = {
      // Iteration 1 writes blocks 136 to 143 and reads from block 140 on.
      {4096, 4480, 12288, 2, {1, 1, 1, 8, 0, 8}, "OVERLAP-ITERATION"},
      {4096, 4480, 12288, 1, {1, 1, 1, 8, 0, 8}, ""},
      // Iteration 1, or 2, reads what iteration 0 wrote.
      {4352, 4096, 8192, 1, {1, 1, 1, 8, 8, 8}, ""},
      {4352, 4096, 8192, 2, {1, 1, 1, 8, 8, 8}, "OVERLAP-DEPENDENCY"},
      {4608, 4096, 8192, 2, {1, 1, 1, 8, 8, 8}, ""},
      {4608, 4096, 8192, 3, {1, 1, 1, 8, 8, 8}, "OVERLAP-DEPENDENCY"},
      // Written after it was read: no matter.
      {3840, 4096, 8192, 3, {1, 1, 1, 8, 8, 8}, ""},
      {4096, 4096, 8192, 3, {1, 1, 1, 8, 8, 8}, ""},
      {4096, 4096, 8192, 2, {1, 1, 1, 0, 0, 8}, "OVERLAP-DEPENDENCY"},
      {4096, 4096, 8192, 2, {1, 1, 1, 0, 0, 0}, "OVERLAP-DEPENDENCY"},
      // Under the exception src1 moves from 8192 to dst at 8448, which stays.
      {8448, 7936, 8192, 2, {1, 1, 1, 0, 0, 8}, ""},
      {8448, 7968, 8192, 2, {1, 1, 1, 0, 0, 8}, "OVERLAP-SOURCES"},
      {8448, 8192, 8192, 2, {1, 1, 1, 0, 0, 8}, "OVERLAP-SOURCES"},
      // The byte shared may lie in different iterations: src0 0 and src1 1.
      {8448, 8704, 8192, 3, {1, 1, 1, 0, 8, 8}, "OVERLAP-SOURCES"},
      {8448, 8704, 8192, 2, {1, 1, 1, 0, 8, 8}, ""},
      // Not used: nothing is read back.
      {8448, 8192, 8192, 1, {1, 1, 1, 0, 0, 8}, ""},
      {0, 8192, 8192, 2, {1, 1, 1, 0, 8, 8}, ""},
      // With src0 at dst in iteration 1 both rules are broken.
      {8192,
       7936,
       8192,
       2,
       {1, 1, 1, 0, 8, 0},
       "OVERLAP-DEPENDENCY OVERLAP-SOURCES"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(
        Broken(this->At(row.dst, row.src0, row.src1, row.repeat, row.params)),
        row.rules)
        << row.dst << " " << row.src0 << " " << row.repeat;
  }
}

TYPED_TEST(ElementwiseRules, DependencyOnSrc1IsAllowedWithStrideZero) {
  struct Row {
    std::int64_t dst;
    Params params;
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
    for (DType t :
         {DType::kHalf, DType::kFloat, DType::kInt32, DType::kInt16}) {
      EXPECT_EQ(Broken(this->At(row.dst, 4096, 8192, 2, row.params, t)),
                row.exception && t != DType::kInt16 ? "" : "OVERLAP-DEPENDENCY")
          << Name(t) << " " << row.dst;
    }
  }
}

TYPED_TEST(ElementwiseRules, OverlapInTheCountForm) {
  struct Row {
    std::int64_t dst, src0, src1, count;
    bool broken;
  };
  const Row rows[] = {
      {4096, 4096, 4096, 200, false}, {4128, 4096, 8192, 16, false},
      {4128, 4096, 8192, 17, true},   {4096, 4128, 8192, 16, false},
      {4096, 4128, 8192, 17, true},   {8224, 4096, 8192, 16, false},
      {8224, 4096, 8192, 17, true},   {8224, 8224, 8192, 17, true},
      {0, 8224, 8192, 17, false},  // two sources may overlap
      {4128, 4096, 8192, 0, false},
  };
  for (const Row& row : rows) {
    TypeParam call = CountCall<TypeParam>(row.count);
    call.dst.at = row.dst;
    call.src0.at = row.src0;
    call.src1.at = row.src1;
    EXPECT_EQ(Broken(call), row.broken ? "OVERLAP-COUNT" : "")
        << row.dst << " " << row.src0 << " " << row.count;
  }
}

}  // namespace
}  // namespace lanediff::oracle
