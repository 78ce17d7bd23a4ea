#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

/// Which calls of RepeatReduceSum and WholeReduceSum are legal, and what those
/// that are not would do. corpus/repeat_reduce_sum and corpus/whole_reduce_sum
/// have both sides of the boundaries of ranges and windows.
namespace lanediff::oracle {
namespace {

using isa::Edition;
using test::All;
using test::Anywhere;
using test::Broken;
using test::kMax;
using test::kMin;
using test::Refusal;
using test::RepeatOf;
using test::RunsExtended;
using test::SumCall;
using Bits = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kTwo = 0x4000;
constexpr std::uint64_t kFour = 0x4400;

template <class Call>
class ReduceSumRules : public testing::Test {
 protected:
  static constexpr bool kIsRepeat = std::same_as<Call, isa::RepeatReduceSum>;

  /// The name of the rule on the number of lanes.
  static std::string Lanes() { return kIsRepeat ? "ELEMS" : "MASK-CONTIGUOUS"; }

  static Call Changed(const std::function<void(Call&)>& change,
                      std::int64_t lanes = 128) {
    Call call = SumCall<Call>(lanes);
    change(call);
    return call;
  }
};
using Sums = testing::Types<isa::RepeatReduceSum, isa::WholeReduceSum>;
TYPED_TEST_SUITE(ReduceSumRules, Sums, test::NamedByOp);

TYPED_TEST(ReduceSumRules, ProductsAndTypes) {
  for (const Product product : All<Product>()) {
    const bool has = product != Product::kAtlasInferenceVectorcore &&
                     product != Product::kAtlas200_300_500;
    // RRS: only the newest pages, which call it ReduceRepeat, list these two.
    const bool is_new =
        product == Product::kAtlasA3 || product == Product::kAtlas200i500A2;
    const bool has_2024 = has && !(this->kIsRepeat && is_new);
    EXPECT_EQ(Broken(SumCall<TypeParam>(1), {product, Edition::k2024}),
              has_2024 ? "" : "PRODUCT");
    for (const DType dtype : All<DType>()) {
      // The type is looked at whatever the product.
      const bool has_type = dtype == DType::kHalf || dtype == DType::kFloat;
      EXPECT_EQ(
          Broken(SumCall<TypeParam>(1, dtype), product),
          has_type ? (has ? "" : "PRODUCT") : (has ? "DTYPE" : "DTYPE PRODUCT"))
          << Name(product) << " " << Name(dtype);
    }
  }
}

TYPED_TEST(ReduceSumRules, OperandsOneByOne) {
  using Call = TypeParam;
  for (auto operand : {&Call::dst, &Call::src}) {
    const auto with_type = [=](DType dtype) {
      return ReduceSumRules<Call>::Changed(
          [=](Call& c) { (c.*operand).dtype = dtype; });
    };
    EXPECT_EQ(Broken(with_type(DType::kHalf)), "");
    EXPECT_EQ(Broken(with_type(DType::kFloat)), "DTYPE-MATCH");
    for (const Position position : All<Position>()) {
      const bool legal = position == Position::kVecin ||
                         position == Position::kVeccalc ||
                         position == Position::kVecout;
      EXPECT_EQ(Broken(this->Changed(
                    [=](Call& c) { (c.*operand).position = position; })),
                legal ? "" : "POSITION");
    }
  }
}

TYPED_TEST(ReduceSumRules, AllRulesOfAStageAndNoneOfALater) {
  TypeParam call = SumCall<TypeParam>(0, DType::kInt16);
  call.dst.at = -1;
  call.src.at = -1;
  call.src.position = Position::kGm;
  RepeatOf(call) = 256;
  call.src_rep_stride = 65536;
  call.dst_rep_stride = 0;
  call.dst.dtype = DType::kFloat;
  const std::string first = "DST-ALIGN DST-REP-STRIDE-ZERO DTYPE DTYPE-MATCH ";
  const std::string last = "POSITION REPEAT SRC-ALIGN STRIDE-RANGE";
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            first + this->Lanes() + " " + last);
  call.is_set_mask = false;
  test::CountOfLanes(call) = 1000;
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            first + "PLACEHOLDER " + last);
  call = SumCall<TypeParam>(128);
  call.dst.at = 1026;  // would overlap
  call.src.bytes = 255;
  EXPECT_EQ(Broken(call), "BOUNDS");
}

TYPED_TEST(ReduceSumRules, NumbersAtTheEndsOf64Bits) {
  using Call = TypeParam;
  for (const std::int64_t n : {kMin, kMax}) {
    for (auto stride : {&Call::src_blk_stride, &Call::dst_rep_stride,
                        &Call::src_rep_stride}) {
      EXPECT_EQ(Broken(this->Changed([&](Call& c) { c.*stride = n; })),
                "STRIDE-RANGE");
    }
    EXPECT_EQ(Broken(SumCall<Call>(n)), this->Lanes());
    EXPECT_EQ(Broken(this->Changed([&](Call& c) { RepeatOf(c) = n; })),
              "REPEAT");
  }
  if constexpr (TestFixture::kIsRepeat) {
    // Types of 8 and of 64 bits have no range of their own.
    EXPECT_EQ(Broken(SumCall<Call>(1000, DType::kInt8)), "DTYPE");
    EXPECT_EQ(Broken(SumCall<Call>(1000, DType::kInt64)), "DTYPE");
  }
}

/// A call over `lanes` whose element is written at `dst`; those of iteration r
/// are read from 1024 + 256r.
TYPED_TEST(ReduceSumRules, Overlap) {
  struct Row {
    std::int64_t dst, repeat, dst_rep_stride;
    const char* rules;
    std::int64_t src_rep_stride = 8;
  };
  const Row rows[] = {
      {1024, 1, 1, ""},  // complete
      {1026, 1, 1, "OVERLAP-ITERATION"},
      {1278, 1, 1, "OVERLAP-ITERATION"},
      {1280, 1, 1, ""},
      {1022, 1, 1, ""},
      {1024, 3, 128, ""},  // complete in each iteration
      {1024, 4, 1, ""},    // then where it was read
      // Iteration 1 writes 1282 and reads from 1280 on.
      {512, 2, 385, "OVERLAP-ITERATION"},
      {512, 1, 385, ""},
      {512, 2, 384, ""},  // 1280: complete
      {1280, 2, 500, "OVERLAP-DEPENDENCY"},
      {1534, 2, 500, "OVERLAP-DEPENDENCY"},
      {1536, 2, 500, ""},
      {1536, 3, 500, "OVERLAP-DEPENDENCY"},  // N + 2
      {896, 3, 64, ""},                      // read before it is written
      {1024, 2, 1, "OVERLAP-DEPENDENCY OVERLAP-ITERATION", 0},
      {1024, 2, 0, "OVERLAP-DEPENDENCY", 0},  // there is no exception
  };
  for (const Row& row : rows) {
    TypeParam call = SumCall<TypeParam>(128);
    call.dst.at = row.dst;
    call.dst.bytes = 8192;
    RepeatOf(call) = row.repeat;
    call.dst_rep_stride = row.dst_rep_stride;
    call.src_rep_stride = row.src_rep_stride;
    EXPECT_EQ(Broken(call), row.rules)
        << row.dst << " " << row.repeat << " " << row.dst_rep_stride;
  }
}

TYPED_TEST(ReduceSumRules, CompleteMeansTheLowestParticipatingLane) {
  const auto at = [](std::int64_t dst_at, std::uint64_t mask) {
    Machine m;
    m.Execute(isa::SetVectorMask{.high = 0, .low = mask});
    TypeParam call = SumCall<TypeParam>(0);
    call.is_set_mask = false;
    call.dst.at = dst_at;
    return test::BrokenOn(m, call);
  };
  EXPECT_EQ(at(1024, 0b1100), "");  // lane 0 is not read
  EXPECT_EQ(at(1026, 0b1100), "");
  EXPECT_EQ(at(1028, 0b1100), "");  // complete
  EXPECT_EQ(at(1030, 0b1100), "OVERLAP-ITERATION");
  EXPECT_EQ(at(1030, 0b0100), "");
  EXPECT_EQ(at(1026, 0), "");  // no lane
}

// ---- Whatever they break ----------------------------------------------------

/// Calls over two lanes: what they break, and of what at `src` they make what
/// at `dst`.
TYPED_TEST(ReduceSumRules, IllegalCallsFollowTheFormulas) {
  using Call = TypeParam;
  struct Row {
    std::function<void(Call&)> change;
    std::string rules;
    std::int64_t src;
    Bits lanes;
    std::int64_t dst;
    Bits written;
    Product product = Product::kAtlasA2;
  };
  const Row rows[] = {
      {[](Call& c) {
         RepeatOf(c) = 300;
         c.src_rep_stride = 1;
         c.src.bytes = 300 * 32;
       },
       "REPEAT",
       1024 + 299 * 32,
       {kOne, kOne},
       299 * 2,
       {kTwo}},
      {[](Call& c) { c.src.at += 2; },
       "SRC-ALIGN",
       1026,
       {kOne, kOne},
       0,
       {kTwo}},
      {[](Call& c) {  // onto the second lane of four
         test::CountOfLanes(c) = 4;
         c.dst.at = 1026;
       },
       "OVERLAP-ITERATION",
       1024,
       {kOne, kOne, kOne, kOne},
       1024,
       {kOne, kFour, kOne}},
      {[](Call& c) {  // iteration 0 writes lane 0 of iteration 1
         RepeatOf(c) = 2;
         c.src_rep_stride = 0;
         c.src.at = c.dst.at = 1024 + 32;
       },
       "OVERLAP-DEPENDENCY OVERLAP-ITERATION",
       1024 + 32,
       {kOne, kOne},
       1024 + 32,
       {kTwo, 0x4200}},
      {[](Call& c) {
         RepeatOf(c) = 2;
         c.src.at = 4096;
         c.src.bytes = 64;
         c.src_rep_stride = -1;
       },
       "BOUNDS STRIDE-RANGE",
       4096 - 32,
       {kOne, kOne},
       2,
       {kTwo}},
      {[](Call& c) {
         c.dst.dtype = DType::kFloat;
         c.dst.bytes = 0;
       },
       "BOUNDS DTYPE-MATCH PRODUCT",
       1024,
       {kOne, kOne},
       0,
       {kTwo},
       Product::kAtlas200_300_500},
      {[](Call& c) { c.dst_rep_stride = 0; },
       "DST-REP-STRIDE-ZERO",
       1024,
       {kOne, kOne},
       0,
       {kTwo},
       Product::kAtlasTraining},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rules);
    const Call call = this->Changed(row.change, 2);
    EXPECT_EQ(Anywhere(call, row.product), row.rules);
    Machine m(row.product);
    m.Put(DType::kHalf, row.src, row.lanes);
    ASSERT_TRUE(RunsExtended(m, call));
    EXPECT_EQ(m.Get(DType::kHalf, row.dst, row.written.size()), row.written);
  }
}

TYPED_TEST(ReduceSumRules, IllegalMasks) {
  TypeParam call = SumCall<TypeParam>(77);
  call.is_set_mask = false;
  EXPECT_EQ(Anywhere(call), "PLACEHOLDER");
  Machine m;
  m.Put(DType::kHalf, call.src.at, {kOne, kTwo, kOne});
  m.Execute(isa::SetVectorMask{.high = 0, .low = 5});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Bits{kTwo});
  EXPECT_EQ(m.oracle.accesses().size(), 3U);

  // Bits beyond the lanes of a 32-bit type are ignored.
  const isa::WholeReduceSum bits = test::WholeSumBits(3, 1, DType::kFloat);
  EXPECT_EQ(Anywhere(bits), "MASK-BITS");
  m.Put(DType::kFloat, bits.src.at, {0x3f800000, 0x3f800000});
  ASSERT_TRUE(RunsExtended(m, bits));
  EXPECT_EQ(m.Get(DType::kFloat, 0, 1), Bits{0x40000000});

  ASSERT_TRUE(RunsExtended(m, test::WholeSumBits(0, 0)));
  EXPECT_TRUE(m.oracle.accesses().empty());
  const TypeParam none = SumCall<TypeParam>(0);
  EXPECT_EQ(Anywhere(none), this->Lanes());
  ASSERT_TRUE(RunsExtended(m, none));
  EXPECT_TRUE(m.oracle.accesses().empty());
  test::CountOfLanes(call) = 0;  // it left the mask empty
  EXPECT_TRUE(m.Executes(call));
  EXPECT_TRUE(m.oracle.accesses().empty());
}

TYPED_TEST(ReduceSumRules, WhatHasNoExtension) {
  using Call = TypeParam;
  struct Row {
    std::function<void(Call&)> change;
    std::string rules, reason;
  };
  const auto with_strides = [](std::int64_t repeat, std::int64_t stride) {
    return [=](Call& c) {
      RepeatOf(c) = repeat;
      c.src_rep_stride = c.src_blk_stride = c.dst_rep_stride = stride;
    };
  };
  const Row rows[] = {
      {[](Call& c) { test::CountOfLanes(c) = 129; }, this->Lanes(),
       "a number of lanes that an iteration does not have"},
      {[](Call& c) { c.dtype = DType::kInt32; }, "DTYPE",
       "no arithmetic for this type"},
      {[](Call& c) { RepeatOf(c) = -1; }, "REPEAT", "a negative repeat"},
      {[](Call& c) { c.dst.position = Position::kA1; },  // of no memory here
       "BOUNDS POSITION", "dst's position has no memory here"},
      {with_strides(2, 70000), "BOUNDS STRIDE-RANGE",
       "dst would reach outside its memory"},
      {[](Call& c) {
         RepeatOf(c) = 2;
         c.src_rep_stride = 70000;
       },
       "BOUNDS STRIDE-RANGE", "src would reach outside its memory"},
      {with_strides(std::int64_t{1} << 40, 0), "REPEAT",
       "more than 1000000 accesses or 16 MiB"},
      {with_strides(kMax, kMax), "BOUNDS REPEAT STRIDE-RANGE",
       "dst would reach outside its memory"},
      {with_strides(kMax, kMin), "BOUNDS REPEAT STRIDE-RANGE",
       "dst would reach outside its memory"},
  };
  for (const Row& row : rows) {
    Machine m;
    const Call call = this->Changed(row.change, 2);
    EXPECT_EQ(Anywhere(call), row.rules) << row.reason;
    EXPECT_EQ(Refusal(m, call), row.reason);
  }
}

}  // namespace
}  // namespace lanediff::oracle
