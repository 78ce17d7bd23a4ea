#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>

#include "isa/repeat_reduce_sum.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

/// Which calls of RepeatReduceSum are legal.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Broken;
using test::Ids;
using test::Machine;
using test::Only;
using test::SumCall;
using test::Texts;
using Call = isa::RepeatReduceSum;
namespace rrs = isa::rrs;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

/// The rules that a legal call of `elems` lanes breaks after `change`.
Ids BrokenBy(const std::function<void(Call&)>& change, std::int64_t elems = 128,
             DType dtype = DType::kHalf) {
  Call call = SumCall(elems, dtype);
  change(call);
  return Broken(call);
}

const Ids kNone;

TEST(RrsRules, Product) {
  EXPECT_EQ(Broken(SumCall(1), Product::kAtlasTraining), kNone);
  EXPECT_EQ(Broken(SumCall(1), Product::kAtlasInferenceAicore), kNone);
  EXPECT_EQ(Broken(SumCall(1), Product::kAtlasA2), kNone);
  for (Product p :
       {Product::kAtlasInferenceVectorcore, Product::kAtlas200_300_500}) {
    EXPECT_EQ(Broken(SumCall(1), p), Only(rrs::kProduct));
  }
  // Only the newest pages, which call it ReduceRepeat, list these two.
  for (Product p : {Product::kAtlasA3, Product::kAtlas200i500A2}) {
    EXPECT_EQ(Broken(SumCall(1), p), kNone);
    EXPECT_EQ(Broken(SumCall(1), {p, isa::Edition::k2024}),
              Only(rrs::kProduct));
  }
}

TEST(RrsRules, Dtype) {
  for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
    const auto dtype = static_cast<DType>(t);
    const bool legal = dtype == DType::kHalf || dtype == DType::kFloat;
    EXPECT_EQ(BrokenBy([&](Call& c) { c.dtype = dtype; }, 1),
              legal ? kNone : Only(rrs::kDtype));
  }
}

TEST(RrsRules, DtypeMatch) {
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.dtype = DType::kHalf; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.dtype = DType::kFloat; }),
            Only(rrs::kDtypeMatch));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.dtype = DType::kInt16; }),
            Only(rrs::kDtypeMatch));
}

TEST(RrsRules, Position) {
  for (std::size_t p = 0; p < isa::kCount<Position>; ++p) {
    const auto position = static_cast<Position>(p);
    const bool legal = position == Position::kVecin ||
                       position == Position::kVeccalc ||
                       position == Position::kVecout;
    const Ids expected = legal ? kNone : Only(rrs::kPosition);
    EXPECT_EQ(BrokenBy([&](Call& c) { c.dst.position = position; }), expected);
    EXPECT_EQ(BrokenBy([&](Call& c) { c.src.position = position; }), expected);
  }
}

TEST(RrsRules, Alignment) {
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.at = 2; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.at = 1; }), Only(rrs::kDstAlign));
  const auto dst_at_2 = [](Call& c) { c.dst.at = 2; };
  EXPECT_EQ(BrokenBy(dst_at_2, 64, DType::kFloat), Only(rrs::kDstAlign));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = 1056; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = 1040; }), Only(rrs::kSrcAlign));
}

TEST(RrsRules, Repeat) {
  const auto repeat = [](std::int64_t n) {
    return BrokenBy([=](Call& c) {
      c.repeat = n;
      c.src_rep_stride = 0;
    });
  };
  EXPECT_EQ(repeat(0), kNone);
  EXPECT_EQ(repeat(255), kNone);
  for (std::int64_t n : {std::int64_t{-1}, std::int64_t{256}, kMin, kMax}) {
    EXPECT_EQ(repeat(n), Only(rrs::kRepeat));
  }
}

TEST(RrsRules, Elems) {
  EXPECT_EQ(Broken(SumCall(1)), kNone);
  EXPECT_EQ(Broken(SumCall(128)), kNone);
  EXPECT_EQ(Broken(SumCall(64, DType::kFloat)), kNone);
  for (std::int64_t n : {std::int64_t{0}, std::int64_t{129}, kMin, kMax}) {
    EXPECT_EQ(Broken(SumCall(n)), Only(rrs::kElems));
  }
  EXPECT_EQ(Broken(SumCall(65, DType::kFloat)), Only(rrs::kElems));
  // int8 has no range of its own.
  EXPECT_EQ(Broken(SumCall(1000, DType::kInt8)), Only(rrs::kDtype));
  EXPECT_EQ(Broken(SumCall(1000, DType::kUint16)),
            (Ids{"RRS-DTYPE", "RRS-ELEMS"}));
}

TEST(RrsRules, Placeholder) {
  const auto unset = [](Call& c) { c.is_set_mask = false; };
  EXPECT_EQ(BrokenBy(unset, 0), kNone);
  EXPECT_EQ(BrokenBy(unset, 1), Only(rrs::kPlaceholder));
  EXPECT_EQ(BrokenBy(unset, 1000), Only(rrs::kPlaceholder));
}

TEST(RrsRules, StrideRange) {
  constexpr std::int64_t Call::* kStrides[] = {
      &Call::src_blk_stride, &Call::dst_rep_stride, &Call::src_rep_stride};
  for (auto stride : kStrides) {
    for (std::int64_t n : {std::int64_t{-1}, std::int64_t{65536}, kMin, kMax}) {
      EXPECT_EQ(BrokenBy([&](Call& c) { c.*stride = n; }),
                Only(rrs::kStrideRange));
    }
    // One lane, one iteration: no stride is used, so the ends are legal.
    EXPECT_EQ(BrokenBy([&](Call& c) { c.*stride = 65535; }, 1), kNone);
    EXPECT_EQ(BrokenBy([&](Call& c) { c.*stride = 0; }, 1), kNone);
  }
  const auto dst_blk = [](std::int64_t n) {
    return BrokenBy([=](Call& c) { c.dst_blk_stride = n; });
  };
  EXPECT_EQ(dst_blk(-2147483648LL), kNone);
  EXPECT_EQ(dst_blk(2147483647), kNone);
  EXPECT_EQ(dst_blk(-2147483649LL), Only(rrs::kStrideRange));
  EXPECT_EQ(dst_blk(2147483648LL), Only(rrs::kStrideRange));
}

TEST(RrsRules, DstRepStrideZeroIsForbiddenOnTrainingAlone) {
  Call call = SumCall(1);
  call.dst_rep_stride = 0;
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            Only(rrs::kDstRepStrideZero));
  EXPECT_EQ(Broken(call, Product::kAtlasInferenceAicore), kNone);
  EXPECT_EQ(Broken(call, Product::kAtlasA2), kNone);
}

TEST(RrsRules, AllRulesOfAStageAndNoneOfALater) {
  Call call = SumCall(0);
  call.dst.at = -1;
  call.src.at = -1;
  call.src.position = Position::kGm;
  call.repeat = 256;
  call.src_rep_stride = 65536;
  call.dst_rep_stride = 0;
  call.dst.dtype = DType::kFloat;
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            (Ids{"RRS-DST-ALIGN", "RRS-DST-REP-STRIDE-ZERO", "RRS-DTYPE-MATCH",
                 "RRS-ELEMS", "RRS-POSITION", "RRS-REPEAT", "RRS-SRC-ALIGN",
                 "RRS-STRIDE-RANGE"}));
}

TEST(RrsRules, Windows) {
  const auto windows = [](std::int64_t at, std::int64_t bytes) {
    const auto nothing_done = [=](isa::Operand Call::* operand) {
      return BrokenBy([=](Call& c) {
        c.repeat = 0;  // also when nothing is read or written
        (c.*operand).at = at;
        (c.*operand).bytes = bytes;
      });
    };
    const Ids dst = nothing_done(&Call::dst);
    EXPECT_EQ(nothing_done(&Call::src), dst);
    return dst;
  };
  EXPECT_EQ(windows(0, Machine::kUbBytes), kNone);
  EXPECT_EQ(windows(Machine::kUbBytes, 0), kNone);
  EXPECT_EQ(windows(32, Machine::kUbBytes - 31), Only(rrs::kBounds));
  EXPECT_EQ(windows(-32, 64), Only(rrs::kBounds));
  EXPECT_EQ(windows(64, -32), Only(rrs::kBounds));
  EXPECT_EQ(windows(kMin, kMin), Only(rrs::kBounds));
  EXPECT_EQ(windows(kMax - 31, kMax), Only(rrs::kBounds));
  EXPECT_EQ(windows(kMin, kMax), Only(rrs::kBounds));
}

TEST(RrsRules, EveryByteIsInItsWindow) {
  const auto with = [](std::int64_t src_bytes, std::int64_t dst_bytes) {
    return BrokenBy(
        [=](Call& c) {
          c.repeat = 3;
          c.dst_rep_stride = 5;
          c.src.bytes = src_bytes;
          c.dst.bytes = dst_bytes;
        },
        100);
  };
  constexpr std::int64_t kSrc = 2 * 256 + 200;
  constexpr std::int64_t kDst = 2 * 5 * 2 + 2;
  EXPECT_EQ(with(kSrc, kDst), kNone);
  EXPECT_EQ(with(kSrc - 1, kDst), Only(rrs::kBounds));
  EXPECT_EQ(with(kSrc, kDst - 1), Only(rrs::kBounds));
}

TEST(RrsRules, LanesThatTakeNoPartHaveNoBounds) {
  Machine m;
  Call call = SumCall(0);
  call.is_set_mask = false;
  call.src.bytes = 34;
  m.Execute(isa::SetVectorMask{.high = 0, .low = std::uint64_t{1} << 16});
  EXPECT_TRUE(m.Executes(call));
  call.src.bytes = 33;
  EXPECT_EQ(Texts(m.Execute(call).rules), Only(rrs::kBounds));
  m.Execute(isa::SetVectorMask{});
  call.src.bytes = 0;
  call.dst.bytes = 0;
  EXPECT_TRUE(m.Executes(call));
}

/// A call over all lanes whose element is written at `dst_at`; the lanes of
/// iteration r are read from 1024 + 256r.
Ids OverlapOf(std::int64_t dst_at, std::int64_t repeat,
              std::int64_t dst_rep_stride) {
  return BrokenBy([=](Call& c) {
    c.dst.at = dst_at;
    c.dst.bytes = 8192;
    c.repeat = repeat;
    c.dst_rep_stride = dst_rep_stride;
  });
}

TEST(RrsRules, OverlapWithinAnIteration) {
  EXPECT_EQ(OverlapOf(1024, 1, 1), kNone);  // complete
  EXPECT_EQ(OverlapOf(1026, 1, 1), Only(rrs::kOverlapIteration));
  EXPECT_EQ(OverlapOf(1278, 1, 1), Only(rrs::kOverlapIteration));
  EXPECT_EQ(OverlapOf(1280, 1, 1), kNone);
  EXPECT_EQ(OverlapOf(1022, 1, 1), kNone);
  EXPECT_EQ(OverlapOf(1024, 3, 128), kNone);  // complete in each iteration
}

TEST(RrsRules, OverlapWithinALaterIterationAlone) {
  // Iteration 0 writes 512, iteration 1 writes 1282 and reads from 1280 on.
  EXPECT_EQ(OverlapOf(512, 2, 385), Only(rrs::kOverlapIteration));
  EXPECT_EQ(OverlapOf(512, 1, 385), kNone);
  EXPECT_EQ(OverlapOf(512, 2, 384), kNone);  // 1280: complete
}

TEST(RrsRules, CompleteMeansTheLowestParticipatingLane) {
  const auto at = [](std::int64_t dst_at, std::uint64_t mask) {
    Machine m;
    m.Execute(isa::SetVectorMask{.high = 0, .low = mask});
    Call call = SumCall(0);
    call.is_set_mask = false;
    call.dst.at = dst_at;
    return Texts(m.Execute(call).rules);
  };
  EXPECT_EQ(at(1024, 0b1100), kNone);  // lane 0 is not read
  EXPECT_EQ(at(1026, 0b1100), kNone);
  EXPECT_EQ(at(1028, 0b1100), kNone);  // complete
  EXPECT_EQ(at(1030, 0b1100), Only(rrs::kOverlapIteration));
  EXPECT_EQ(at(1030, 0b0100), kNone);
}

TEST(RrsRules, DependencyOnAnEarlierIteration) {
  EXPECT_EQ(OverlapOf(1280, 1, 1), kNone);
  EXPECT_EQ(OverlapOf(1280, 2, 500), Only(rrs::kOverlapDependency));
  EXPECT_EQ(OverlapOf(1534, 2, 500), Only(rrs::kOverlapDependency));
  EXPECT_EQ(OverlapOf(1536, 2, 500), kNone);
  EXPECT_EQ(OverlapOf(1536, 3, 500), Only(rrs::kOverlapDependency));  // N + 2
  // What an earlier iteration read may be written.
  EXPECT_EQ(OverlapOf(896, 2, 64), kNone);
  EXPECT_EQ(OverlapOf(896, 3, 64), kNone);
  EXPECT_EQ(OverlapOf(1026, 2, 128), Only(rrs::kOverlapIteration));
  const auto twice_in_place = [](Call& c) {
    c.dst.at = c.src.at;
    c.repeat = 2;
    c.src_rep_stride = 0;
  };
  EXPECT_EQ(BrokenBy(twice_in_place),
            (Ids{"RRS-OVERLAP-DEPENDENCY", "RRS-OVERLAP-ITERATION"}));
}

TEST(RrsRules, AnEmptyMaskOverlapsNothing) {
  Machine m;
  m.Execute(isa::SetVectorMask{});
  Call call = SumCall(0);
  call.is_set_mask = false;
  call.dst.at = 1026;
  EXPECT_TRUE(m.Executes(call));
}

TEST(RrsRules, Notes) {
  Machine m;
  Call call = SumCall(1);
  EXPECT_EQ(Texts(m.Execute(call).notes), Only(rrs::kPreferWholeReduceSum));
  call.repeat = 0;
  EXPECT_EQ(Texts(m.Execute(call).notes),
            (Ids{"RRS-PREFER-WHOLE-REDUCE-SUM", "RRS-REPEAT-ZERO"}));

  m.Execute(isa::SetVectorMask{.high = 1, .low = 0});
  const auto before = m.ub;
  call = SumCall(0, DType::kFloat);  // which looks at the low half alone
  call.is_set_mask = false;
  EXPECT_EQ(Texts(m.Execute(call).notes),
            (Ids{"RRS-MASK-EMPTY", "RRS-PREFER-WHOLE-REDUCE-SUM"}));
  call.repeat = 0;
  EXPECT_EQ(Texts(m.Execute(call).notes),
            (Ids{"RRS-MASK-EMPTY", "RRS-PREFER-WHOLE-REDUCE-SUM",
                 "RRS-REPEAT-ZERO"}));
  EXPECT_EQ(m.ub, before);
  call = SumCall(0);
  call.is_set_mask = false;
  EXPECT_EQ(Texts(m.Execute(call).notes), Only(rrs::kPreferWholeReduceSum));
}

}  // namespace
}  // namespace lanediff::oracle
