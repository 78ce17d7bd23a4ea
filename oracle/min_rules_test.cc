#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "isa/min.h"
#include "isa/vocabulary.h"
#include "oracle/min_testing.h"
#include "oracle/rules_testing.h"

/// Which calls of Min are legal.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Broken;
using test::Ids;
using test::MinBits;
using test::MinCount;
using test::MinMask;
using test::Only;
using Call = isa::Min;
using Params = isa::BinaryRepeatParams;
namespace rule = isa::min;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
constexpr isa::Operand Call::* kOperands[] = {&Call::dst, &Call::src0,
                                              &Call::src1};
const Ids kNone;

/// The rules that a legal call over `mask` lanes breaks after `change`.
Ids BrokenBy(const std::function<void(Call&)>& change, std::int64_t mask = 128,
             DType dtype = DType::kHalf) {
  Call call = MinMask(mask, dtype);
  change(call);
  return Broken(call);
}

TEST(MinRules, Product) {
  for (Product p : {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
                    Product::kAtlasA2, Product::kAtlas200i500A2}) {
    EXPECT_EQ(Broken(MinMask(1), p), kNone);
  }
  for (Product p : {Product::kAtlasInferenceVectorcore, Product::kAtlasA3,
                    Product::kAtlas200_300_500}) {
    EXPECT_EQ(Broken(MinMask(1), p), Only(rule::kProduct));
    EXPECT_EQ(Broken(MinCount(1), p), Only(rule::kProduct));
    // The types depend on the product and are not looked at.
    EXPECT_EQ(Broken(MinMask(1, DType::kInt8), p), Only(rule::kProduct));
  }
}

TEST(MinRules, Dtype) {
  for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
    const auto dtype = static_cast<DType>(t);
    const bool always = dtype == DType::kHalf || dtype == DType::kFloat ||
                        dtype == DType::kInt32;
    const bool legal = always || dtype == DType::kInt16;
    for (Product p : {Product::kAtlasA2, Product::kAtlasInferenceAicore,
                      Product::kAtlas200i500A2}) {
      EXPECT_EQ(Broken(MinMask(1, dtype), p),
                legal ? kNone : Only(rule::kDtype));
    }
    EXPECT_EQ(Broken(MinMask(1, dtype), Product::kAtlasTraining),
              always ? kNone : Only(rule::kDtype));
  }
}

TEST(MinRules, OperandsOneByOne) {
  for (auto operand : kOperands) {
    const auto with_type = [=](DType dtype) {
      return BrokenBy([=](Call& c) { (c.*operand).dtype = dtype; });
    };
    EXPECT_EQ(with_type(DType::kHalf), kNone);
    EXPECT_EQ(with_type(DType::kInt16), Only(rule::kDtypeMatch));
    for (std::size_t p = 0; p < isa::kCount<Position>; ++p) {
      const auto position = static_cast<Position>(p);
      const bool legal = position == Position::kVecin ||
                         position == Position::kVeccalc ||
                         position == Position::kVecout;
      EXPECT_EQ(BrokenBy([=](Call& c) { (c.*operand).position = position; }),
                legal ? kNone : Only(rule::kPosition));
    }
    const auto moved = [=](std::int64_t by) {
      return BrokenBy([=](Call& c) { (c.*operand).at += by; });
    };
    EXPECT_EQ(moved(32), kNone);
    EXPECT_EQ(moved(2), Only(rule::kAlign));
    EXPECT_EQ(moved(16), Only(rule::kAlign));
  }
}

TEST(MinRules, Count) {
  EXPECT_EQ(Broken(MinCount(0)), kNone);
  EXPECT_EQ(Broken(MinCount(2048)), kNone);  // 4096 bytes
  EXPECT_EQ(Broken(MinCount(2147483647)), Only(rule::kBounds));
  for (std::int64_t n :
       {std::int64_t{2147483648}, std::int64_t{-1}, kMin, kMax}) {
    EXPECT_EQ(Broken(MinCount(n)), Only(rule::kCount));
  }
}

TEST(MinRules, Repeat) {
  const auto repeat = [](std::int64_t n) {
    return BrokenBy([=](Call& c) {
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

TEST(MinRules, Strides) {
  constexpr std::int64_t Params::* kStrides[] = {
      &Params::dst_blk_stride,  &Params::src0_blk_stride,
      &Params::src1_blk_stride, &Params::dst_rep_stride,
      &Params::src0_rep_stride, &Params::src1_rep_stride};
  for (auto stride : kStrides) {
    const auto set = [=](std::int64_t n) {  // one lane: no stride is used
      return BrokenBy([=](Call& c) { c.repeat_params.*stride = n; }, 1);
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

TEST(MinRules, MaskContiguous) {
  struct Row {
    DType dtype;
    std::int64_t most;
  };
  const Row rows[] = {{DType::kHalf, 128},
                      {DType::kInt16, 128},
                      {DType::kFloat, 64},
                      {DType::kInt32, 64}};
  for (const Row& row : rows) {
    EXPECT_EQ(Broken(MinMask(1, row.dtype)), kNone);
    EXPECT_EQ(Broken(MinMask(row.most, row.dtype)), kNone);
    for (std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, row.most + 1}) {
      EXPECT_EQ(Broken(MinMask(n, row.dtype)), Only(rule::kMaskContiguous));
    }
  }
  const Ids both{"MIN-DTYPE", "MIN-MASK-CONTIGUOUS"};
  EXPECT_EQ(Broken(MinMask(32, DType::kInt64)), Only(rule::kDtype));
  EXPECT_EQ(Broken(MinMask(33, DType::kInt64)), both);
  EXPECT_EQ(Broken(MinMask(129, DType::kUint16)), both);
  EXPECT_EQ(Broken(MinMask(1000, DType::kInt8)), Only(rule::kDtype));
}

TEST(MinRules, MaskBits) {
  struct Row {
    DType dtype;
    std::array<std::uint64_t, 2> mask;
    Ids rules;
  };
  const Ids bits = Only(rule::kMaskBits);
  const Ids type = Only(rule::kDtype);
  const Ids both{"MIN-DTYPE", "MIN-MASK-BITS"};
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
    EXPECT_EQ(Broken(MinBits(row.mask[0], row.mask[1], row.dtype)), row.rules)
        << Name(row.dtype) << " " << row.mask[0] << " " << row.mask[1];
  }
}

TEST(MinRules, Placeholder) {
  const auto contiguous = [](std::int64_t mask) {
    return BrokenBy([](Call& c) { c.is_set_mask = false; }, mask);
  };
  EXPECT_EQ(contiguous(0), kNone);
  for (std::int64_t mask : {1, -1, 128, 1000}) {
    EXPECT_EQ(contiguous(mask), Only(rule::kPlaceholder));
  }
  const auto bitwise = [](std::uint64_t low, std::uint64_t high) {
    Call call = MinBits(low, high);
    call.is_set_mask = false;
    return Broken(call);
  };
  EXPECT_EQ(bitwise(0, 0), kNone);
  EXPECT_EQ(bitwise(1, 0), Only(rule::kPlaceholder));
  EXPECT_EQ(bitwise(0, 1), Only(rule::kPlaceholder));
}

TEST(MinRules, Bounds) {
  for (auto operand : kOperands) {
    const auto window = [=](std::int64_t at, std::int64_t bytes,
                            std::int64_t repeat) {
      return BrokenBy([=](Call& c) {
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
  Call call = MinCount(2049);
  EXPECT_EQ(Broken(call), Only(rule::kBounds));
}

TEST(MinRules, LanesThatTakeNoPartNeedNoWindow) {
  Call call = MinBits(0, 1);  // lane 64 alone: bytes 128 and 129
  call.dst.bytes = call.src0.bytes = call.src1.bytes = 130;
  EXPECT_EQ(Broken(call), kNone);
  call.src1.bytes = 129;
  EXPECT_EQ(Broken(call), Only(rule::kBounds));
}

TEST(MinRules, AllRulesOfAStageAndNoneOfALater) {
  Call call = MinMask(0, DType::kUint8);
  call.dtype = DType::kUint16;
  call.dst.at = -1;
  call.src0.position = Position::kGm;
  call.src1.dtype = DType::kFloat;
  call.repeat_times = 256;
  call.repeat_params = {0, 256, 1, 1, 1, 1};
  EXPECT_EQ(Broken(call),
            (Ids{"MIN-ALIGN", "MIN-DST-BLK-STRIDE-ZERO", "MIN-DTYPE",
                 "MIN-DTYPE-MATCH", "MIN-MASK-CONTIGUOUS", "MIN-POSITION",
                 "MIN-REPEAT", "MIN-STRIDE-RANGE"}));
  call = MinMask(128);
  call.src0.at = 32;  // would overlap
  call.src0.bytes = 255;
  EXPECT_EQ(Broken(call), Only(rule::kBounds));
}

}  // namespace
}  // namespace lanediff::oracle
