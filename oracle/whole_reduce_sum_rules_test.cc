#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "isa/whole_reduce_sum.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"
#include "oracle/whole_reduce_sum_testing.h"

/// Which calls of WholeReduceSum are legal. What operands may share is in
/// whole_reduce_sum_overlap_test.cc.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Broken;
using test::Ids;
using test::Machine;
using test::Only;
using test::WholeSum;
using test::WholeSumBits;
using Call = isa::WholeReduceSum;
namespace wrs = isa::wrs;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
const Ids kNone;

/// The rules that a legal call over `mask` lanes breaks after `change`.
Ids BrokenBy(const std::function<void(Call&)>& change, std::int64_t mask = 128,
             DType dtype = DType::kHalf) {
  Call call = WholeSum(mask, dtype);
  change(call);
  return Broken(call);
}

TEST(WrsRules, Product) {
  for (Product p :
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlasA3, Product::kAtlas200i500A2}) {
    EXPECT_EQ(Broken(WholeSum(1), p), kNone);
  }
  for (Product p :
       {Product::kAtlasInferenceVectorcore, Product::kAtlas200_300_500}) {
    EXPECT_EQ(Broken(WholeSum(1), p), Only(wrs::kProduct));
    // The type is looked at whatever the product.
    EXPECT_EQ(Broken(WholeSum(1, DType::kInt32), p),
              (Ids{"WRS-DTYPE", "WRS-PRODUCT"}));
  }
}

TEST(WrsRules, Dtype) {
  for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
    const auto dtype = static_cast<DType>(t);
    const bool legal = dtype == DType::kHalf || dtype == DType::kFloat;
    for (Product p :
         {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
          Product::kAtlasA2, Product::kAtlasA3, Product::kAtlas200i500A2}) {
      EXPECT_EQ(Broken(WholeSum(1, dtype), p),
                legal ? kNone : Only(wrs::kDtype));
    }
  }
}

TEST(WrsRules, OperandsOneByOne) {
  for (auto operand : {&Call::dst, &Call::src}) {
    const auto with_type = [=](DType dtype) {
      return BrokenBy([=](Call& c) { (c.*operand).dtype = dtype; });
    };
    EXPECT_EQ(with_type(DType::kHalf), kNone);
    EXPECT_EQ(with_type(DType::kFloat), Only(wrs::kDtypeMatch));
    for (std::size_t p = 0; p < isa::kCount<Position>; ++p) {
      const auto position = static_cast<Position>(p);
      const bool legal = position == Position::kVecin ||
                         position == Position::kVeccalc ||
                         position == Position::kVecout;
      EXPECT_EQ(BrokenBy([=](Call& c) { (c.*operand).position = position; }),
                legal ? kNone : Only(wrs::kPosition));
    }
  }
}

TEST(WrsRules, Alignment) {
  const auto dst_at = [](std::int64_t at, DType dtype) {
    return BrokenBy([=](Call& c) { c.dst.at = at; }, 64, dtype);
  };
  EXPECT_EQ(dst_at(2, DType::kHalf), kNone);
  EXPECT_EQ(dst_at(1, DType::kHalf), Only(wrs::kDstAlign));
  EXPECT_EQ(dst_at(3, DType::kHalf), Only(wrs::kDstAlign));
  EXPECT_EQ(dst_at(4, DType::kFloat), kNone);
  EXPECT_EQ(dst_at(2, DType::kFloat), Only(wrs::kDstAlign));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = 1056; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = 1040; }), Only(wrs::kSrcAlign));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = 1026; }), Only(wrs::kSrcAlign));
}

TEST(WrsRules, Repeat) {
  const auto repeat = [](std::int64_t n) {
    return BrokenBy([=](Call& c) {
      c.repeat_times = n;
      c.src_rep_stride = 0;
    });
  };
  EXPECT_EQ(repeat(0), kNone);
  EXPECT_EQ(repeat(255), kNone);
  for (std::int64_t n : {std::int64_t{-1}, std::int64_t{256}, kMin, kMax}) {
    EXPECT_EQ(repeat(n), Only(wrs::kRepeat));
  }
}

TEST(WrsRules, StrideRange) {
  for (auto stride :
       {&Call::src_blk_stride, &Call::dst_rep_stride, &Call::src_rep_stride}) {
    for (std::int64_t n : {std::int64_t{-1}, std::int64_t{65536}, kMin, kMax}) {
      EXPECT_EQ(BrokenBy([&](Call& c) { c.*stride = n; }),
                Only(wrs::kStrideRange));
    }
    // One lane, one iteration: no stride is used, so the ends are legal.
    EXPECT_EQ(BrokenBy([&](Call& c) { c.*stride = 65535; }, 1), kNone);
    EXPECT_EQ(BrokenBy([&](Call& c) { c.*stride = 0; }, 1), kNone);
  }
}

TEST(WrsRules, DstRepStrideZeroIsForbiddenOnTrainingAlone) {
  Call call = WholeSum(1);
  call.dst_rep_stride = 0;
  for (Product p : {Product::kAtlasInferenceAicore, Product::kAtlasA2,
                    Product::kAtlasA3, Product::kAtlas200i500A2}) {
    EXPECT_EQ(Broken(call, p), kNone);
  }
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            Only(wrs::kDstRepStrideZero));
  call.dst_rep_stride = 1;
  EXPECT_EQ(Broken(call, Product::kAtlasTraining), kNone);
}

TEST(WrsRules, MaskContiguous) {
  EXPECT_EQ(Broken(WholeSum(1)), kNone);
  EXPECT_EQ(Broken(WholeSum(128)), kNone);
  EXPECT_EQ(Broken(WholeSum(64, DType::kFloat)), kNone);
  for (std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{129}, kMin, kMax}) {
    EXPECT_EQ(Broken(WholeSum(n)), Only(wrs::kMaskContiguous));
  }
  EXPECT_EQ(Broken(WholeSum(0, DType::kFloat)), Only(wrs::kMaskContiguous));
  EXPECT_EQ(Broken(WholeSum(65, DType::kFloat)), Only(wrs::kMaskContiguous));
  const Ids both{"WRS-DTYPE", "WRS-MASK-CONTIGUOUS"};
  EXPECT_EQ(Broken(WholeSum(32, DType::kInt64)), Only(wrs::kDtype));
  EXPECT_EQ(Broken(WholeSum(33, DType::kInt64)), both);
  EXPECT_EQ(Broken(WholeSum(0, DType::kDouble)), both);
  EXPECT_EQ(Broken(WholeSum(129, DType::kUint16)), both);
  EXPECT_EQ(Broken(WholeSum(1000, DType::kInt8)), Only(wrs::kDtype));
}

TEST(WrsRules, MaskBits) {
  struct Row {
    DType dtype;
    std::array<std::uint64_t, 2> mask;
    Ids rules;
  };
  const Ids bits = Only(wrs::kMaskBits);
  const Ids type = Only(wrs::kDtype);
  const Ids both{"WRS-DTYPE", "WRS-MASK-BITS"};
  const Row rows[] = {
      {DType::kHalf, {0, 0}, bits},
      {DType::kHalf, {1, 0}, kNone},
      {DType::kHalf, {0, 1}, kNone},
      {DType::kHalf, {kAllOnes, kAllOnes}, kNone},
      {DType::kFloat, {0, 0}, bits},
      {DType::kFloat, {0, 1}, bits},
      {DType::kFloat, {1, 1}, bits},
      {DType::kFloat, {kAllOnes, 0}, kNone},
      {DType::kFloat, {1, 0}, kNone},
      {DType::kInt64, {0, 0}, both},
      {DType::kInt64, {1, 0}, type},
      {DType::kInt64, {0xffffffff, 0}, type},
      {DType::kInt64, {0x100000000, 0}, both},
      {DType::kInt64, {1, 1}, both},
      {DType::kUint8, {0, 0}, type},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Broken(WholeSumBits(row.mask[0], row.mask[1], row.dtype)),
              row.rules)
        << Name(row.dtype) << " " << row.mask[0] << " " << row.mask[1];
  }
}

TEST(WrsRules, Placeholder) {
  const auto unset = [](Call call) {
    call.is_set_mask = false;
    return Broken(call);
  };
  EXPECT_EQ(unset(WholeSum(0)), kNone);
  for (std::int64_t mask : {1, -1, 128, 1000}) {
    EXPECT_EQ(unset(WholeSum(mask)), Only(wrs::kPlaceholder));
  }
  EXPECT_EQ(unset(WholeSumBits(0, 0)), kNone);
  EXPECT_EQ(unset(WholeSumBits(1, 0)), Only(wrs::kPlaceholder));
  EXPECT_EQ(unset(WholeSumBits(0, 1)), Only(wrs::kPlaceholder));
  EXPECT_EQ(unset(WholeSumBits(0, 1, DType::kFloat)), Only(wrs::kPlaceholder));
}

TEST(WrsRules, AllRulesOfAStageAndNoneOfALater) {
  Call call = WholeSum(0, DType::kInt16);
  call.dst.at = -1;
  call.src.at = -1;
  call.src.position = Position::kGm;
  call.repeat_times = 256;
  call.src_rep_stride = 65536;
  call.dst_rep_stride = 0;
  call.dst.dtype = DType::kFloat;
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            (Ids{"WRS-DST-ALIGN", "WRS-DST-REP-STRIDE-ZERO", "WRS-DTYPE",
                 "WRS-DTYPE-MATCH", "WRS-MASK-CONTIGUOUS", "WRS-POSITION",
                 "WRS-REPEAT", "WRS-SRC-ALIGN", "WRS-STRIDE-RANGE"}));
  call = WholeSum(128);
  call.dst.at = 1026;  // would overlap
  call.src.bytes = 255;
  EXPECT_EQ(Broken(call), Only(wrs::kBounds));
}

// ---- Bounds -----------------------------------------------------------------

TEST(WrsRules, WindowsAlsoWhereNothingIsReadOrWritten) {
  for (auto operand : {&Call::dst, &Call::src}) {
    const auto window = [=](std::int64_t at, std::int64_t bytes) {
      return BrokenBy([=](Call& c) {
        c.repeat_times = 0;
        (c.*operand).at = at;
        (c.*operand).bytes = bytes;
      });
    };
    EXPECT_EQ(window(0, Machine::kUbBytes), kNone);
    EXPECT_EQ(window(Machine::kUbBytes, 0), kNone);
    EXPECT_EQ(window(32, Machine::kUbBytes - 31), Only(wrs::kBounds));
    EXPECT_EQ(window(-32, 64), Only(wrs::kBounds));
    EXPECT_EQ(window(64, -32), Only(wrs::kBounds));
    EXPECT_EQ(window(kMin, kMin), Only(wrs::kBounds));
    EXPECT_EQ(window(kMax - 31, kMax), Only(wrs::kBounds));
  }
}

TEST(WrsRules, EveryByteIsInItsWindow) {
  const auto with = [](std::int64_t src_bytes, std::int64_t dst_bytes) {
    return BrokenBy(
        [=](Call& c) {
          c.repeat_times = 3;
          c.dst_rep_stride = 5;
          c.src.bytes = src_bytes;
          c.dst.bytes = dst_bytes;
        },
        100);
  };
  constexpr std::int64_t kSrc = 2 * 256 + 200;
  constexpr std::int64_t kDst = 2 * 5 * 2 + 2;
  EXPECT_EQ(with(kSrc, kDst), kNone);
  EXPECT_EQ(with(kSrc - 1, kDst), Only(wrs::kBounds));
  EXPECT_EQ(with(kSrc, kDst - 1), Only(wrs::kBounds));
}

TEST(WrsRules, LanesThatTakeNoPartHaveNoBounds) {
  Call call = WholeSumBits(std::uint64_t{1} << 16, 0);
  call.src.bytes = 34;
  EXPECT_EQ(Broken(call), kNone);
  call.src.bytes = 33;
  EXPECT_EQ(Broken(call), Only(wrs::kBounds));
  Machine m;
  m.Execute(isa::SetVectorMask{});
  call = WholeSum(0);
  call.is_set_mask = false;
  call.src.bytes = call.dst.bytes = 0;
  EXPECT_TRUE(m.Executes(call));
}

}  // namespace
}  // namespace lanediff::oracle
