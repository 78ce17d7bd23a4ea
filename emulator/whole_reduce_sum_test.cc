#include "emulator/whole_reduce_sum.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/half.h"

namespace lanediff::emulator {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using isa::RuleSet;
using isa::WholeReduceSum;
namespace rule = isa::wrs;

constexpr std::int64_t kUbBytes = 196608;
constexpr std::int64_t kSums = 131072;  // where they are written
constexpr float kInf = HUGE_VALF;

isa::Operand Window(std::int64_t at, std::int64_t bytes) {
  return {
      .position = Position::kVeccalc, .at = at, .bytes = bytes, .dtype = {}};
}

/// All lanes of `repeats` iterations side by side.
WholeReduceSum Whole(DType type, std::int64_t repeats) {
  WholeReduceSum call;
  call.dtype = type;
  call.src = Window(0, repeats * 256);
  call.dst = Window(kSums, 1024);
  call.mask = type == DType::kHalf ? 128 : 64;
  call.repeat_times = repeats;
  call.dst_rep_stride = 1;
  call.src_blk_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

WholeReduceSum Lanes(DType type, std::uint64_t low, std::uint64_t high) {
  WholeReduceSum call = Whole(type, 1);
  call.form = WholeReduceSum::kBitwise;
  call.mask = 0;
  call.mask_words = {low, high};
  return call;
}

/// A machine with halves at the start of its Unified Buffer.
struct Machine {
  std::vector<std::uint8_t> ub = std::vector<std::uint8_t>(kUbBytes, 0xa5);
  Emulator emulator;

  explicit Machine(const std::vector<float>& halves = {},
                   Product product = Product::kAtlasA2,
                   const Seams& seams = FastestSeams())
      : emulator(product, Memory(), seams) {
    for (std::size_t i = 0; i < halves.size(); ++i) {
      const std::uint16_t half = FloatToHalf(halves[i]);
      std::memcpy(ub.data() + 2 * i, &half, sizeof(half));
    }
  }
  isa::Memories Memory() {
    isa::Memories memories;
    memories[isa::Memory::kUb] = ub;
    return memories;
  }
  float Sum(std::int64_t index) const {
    return HalfToFloat(Load<std::uint16_t>(ub, kSums + 2 * index));
  }
};

/// The sum of one iteration, mode on, then off; the same with vectors and
/// without.
std::array<float, 2> SumsOf(const WholeReduceSum& call,
                            const std::vector<float>& halves) {
  std::array<float, 2> sums{};
  for (const std::size_t off : {0, 1}) {
    Machine fast(halves);
    Machine plain(halves, Product::kAtlasA2, Seams{});
    for (Machine* machine : {&fast, &plain}) {
      machine->emulator.Execute(isa::SetSaturation{.enabled = off == 0});
      EXPECT_EQ(machine->emulator.Execute(call), isa::StepResult());
    }
    EXPECT_EQ(fast.ub, plain.ub);
    EXPECT_EQ(Load<std::uint16_t>(plain.ub, kSums + 2), 0xa5a5);
    sums[off] = plain.Sum(0);
  }
  return sums;
}

std::array<float, 2> SumsOf(std::int64_t lanes,
                            const std::vector<float>& halves) {
  WholeReduceSum call = Whole(DType::kHalf, 1);
  call.mask = lanes;
  return SumsOf(call, halves);
}

/// 127 times 1 and `odd` in lane `at`.
std::vector<float> Ones(std::size_t at, float odd) {
  std::vector<float> halves(128, 1.0f);
  halves[at] = odd;
  return halves;
}

using Both = std::array<float, 2>;

TEST(WholeReduceSum, FourSumsSideBySide) {
  std::vector<float> halves;
  for (const float value : {1.0f, 2.0f, 2.5f, 3.0f}) {
    halves.insert(halves.end(), 128, value);
  }
  Machine machine(halves);
  EXPECT_EQ(machine.emulator.Execute(Whole(DType::kHalf, 4)),
            isa::StepResult());
  EXPECT_EQ(machine.Sum(0), 128);
  EXPECT_EQ(machine.Sum(1), 256);
  EXPECT_EQ(machine.Sum(2), 320);
  EXPECT_EQ(machine.Sum(3), 384);
  EXPECT_EQ(Load<std::uint16_t>(machine.ub, kSums + 8), 0xa5a5);
}

// 边界值汇总, table 38.
TEST(WholeReduceSum, BoundaryValues) {
  for (const std::size_t at : {0, 1, 64, 77, 127}) {
    EXPECT_EQ(SumsOf(128, Ones(at, -kInf)), (Both{-65376, -kInf}));
    EXPECT_EQ(SumsOf(128, Ones(at, kInf)), (Both{65504, kInf}));
    const Both with_nan = SumsOf(128, Ones(at, NAN));
    EXPECT_EQ(with_nan[0], 126);
    EXPECT_TRUE(std::isnan(with_nan[1]));
  }
  const std::vector<float> least(128, -65504.0f);
  EXPECT_EQ(SumsOf(128, least), (Both{-65504, -kInf}));
  for (const float sum : SumsOf(128, std::vector<float>(128, -0.0f))) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(sum), 0x80000000u);
  }
}

TEST(WholeReduceSum, NodesAreHalves) {
  EXPECT_EQ(SumsOf(4, {60000, 60000, -30000, 100}), (Both{35584, kInf}));
  EXPECT_EQ(SumsOf(4, {2048, 1, 1, 1}), (Both{2050, 2050}));
}

TEST(WholeReduceSum, LanesThatTakeNoPartAreLeftOut) {
  const auto lanes = [](std::uint64_t low, std::uint64_t high = 0) {
    return Lanes(DType::kHalf, low, high);
  };
  EXPECT_EQ(SumsOf(lanes(0xd), {2048, 1, 1, 1}), (Both{2050, 2050}));
  EXPECT_EQ(SumsOf(lanes(5), {kInf, 9, -65504, 9}), (Both{65504, kInf}));
  EXPECT_EQ(SumsOf(lanes(0xd), {NAN, 9, 3, 4})[0], 0);
  EXPECT_EQ(SumsOf(lanes(8), {1, 2, 3, 4, 5}), (Both{4, 4}));
  std::vector<float> ramp;
  for (int i = 0; i < 128; ++i) ramp.push_back(static_cast<float>(i));
  EXPECT_EQ(SumsOf(lanes(8, 2), ramp), (Both{3 + 65, 3 + 65}));
  // Alone: nothing is computed, what is written saturates.
  EXPECT_EQ(SumsOf(lanes(2), {1, -kInf}), (Both{-65504, -kInf}));
  EXPECT_EQ(SumsOf(lanes(2), {1, NAN})[0], 0);
}

TEST(WholeReduceSum, FloatsHaveTheLowWordOnly) {
  Machine machine;
  for (std::int64_t lane = 0; lane < 64; ++lane) {
    Store(std::span(machine.ub), 4 * lane, static_cast<float>(lane));
  }
  WholeReduceSum call = Lanes(DType::kFloat, (1ull << 63) | 4, 0);
  EXPECT_EQ(machine.emulator.Execute(call), isa::StepResult());
  EXPECT_EQ(Load<float>(machine.ub, kSums), 65);
  // A register with the high word set counts as empty.
  machine.emulator.Execute(isa::SetVectorMask{.high = ~0ull, .low = 0});
  call.is_set_mask = false;
  call.mask_words = {};
  RuleSet empty;
  empty.Add(rule::kMaskEmpty);
  EXPECT_EQ(machine.emulator.Execute(call).notes, empty);
}

// ---- Legality ---------------------------------------------------------------

RuleSet Broken(const WholeReduceSum& call,
               Product product = Product::kAtlasA2) {
  return Machine({}, product).emulator.Execute(call).rules;
}

RuleSet Only(isa::RuleId rule) {
  RuleSet rules;
  rules.Add(rule);
  return rules;
}

TEST(WholeReduceSum, Products) {
  for (const Product product :
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlasA3, Product::kAtlas200i500A2}) {
    EXPECT_EQ(Broken(Whole(DType::kHalf, 4), product), RuleSet());
    EXPECT_EQ(Broken(Whole(DType::kFloat, 4), product), RuleSet());
    WholeReduceSum in_place = Whole(DType::kHalf, 2);
    in_place.dst_rep_stride = 0;
    EXPECT_EQ(Broken(in_place, product), product == Product::kAtlasTraining
                                             ? Only(rule::kDstRepStrideZero)
                                             : RuleSet());
  }
  EXPECT_EQ(Broken(Whole(DType::kHalf, 4), Product::kAtlasInferenceVectorcore),
            Only(rule::kProduct));
  EXPECT_EQ(Broken(Whole(DType::kHalf, 4), Product::kAtlas200_300_500),
            Only(rule::kProduct));
}

TEST(WholeReduceSum, Ranges) {
  const auto expect = [](isa::RuleId broken, auto change) {
    WholeReduceSum call = Whole(DType::kHalf, 4);
    change(call);
    EXPECT_EQ(Broken(call), Only(broken)) << broken.text();
  };
  expect(rule::kDtype, [](auto& c) { c.dtype = DType::kInt16; });
  expect(rule::kDtypeMatch, [](auto& c) { c.dst.dtype = DType::kFloat; });
  expect(rule::kPosition, [](auto& c) { c.src.position = Position::kUb; });
  expect(rule::kDstAlign, [](auto& c) { ++c.dst.at; });
  expect(rule::kSrcAlign, [](auto& c) { c.src.at = 16; });
  expect(rule::kRepeat, [](auto& c) { c.repeat_times = 256; });
  expect(rule::kStrideRange, [](auto& c) { c.src_blk_stride = 65536; });
  expect(rule::kStrideRange, [](auto& c) { c.dst_rep_stride = -1; });
  expect(rule::kMaskContiguous, [](auto& c) { c.mask = 0; });
  expect(rule::kMaskContiguous, [](auto& c) { c.mask = 129; });
  expect(rule::kPlaceholder, [](auto& c) { c.is_set_mask = false; });
  expect(rule::kBounds, [](auto& c) { c.src.bytes = 1023; });
  expect(rule::kBounds, [](auto& c) { c.dst.bytes = 7; });
  expect(rule::kBounds, [](auto& c) { c.dst.at = kUbBytes; });
}

TEST(WholeReduceSum, MaskWords) {
  EXPECT_EQ(Broken(Lanes(DType::kHalf, 0, 1)), RuleSet());
  EXPECT_EQ(Broken(Lanes(DType::kHalf, 0, 0)), Only(rule::kMaskBits));
  EXPECT_EQ(Broken(Lanes(DType::kFloat, 1, 1)), Only(rule::kMaskBits));
  EXPECT_EQ(Broken(Lanes(DType::kFloat, 0, 0)), Only(rule::kMaskBits));
  RuleSet both = Only(rule::kDtype);
  EXPECT_EQ(Broken(Lanes(DType::kInt64, 0xffffffff, 0)), both);
  both.Add(rule::kMaskBits);
  EXPECT_EQ(Broken(Lanes(DType::kInt64, 0x100000000, 0)), both);
}

TEST(WholeReduceSum, Overlap) {
  WholeReduceSum call = Whole(DType::kHalf, 4);
  call.dst = Window(0, 8);
  EXPECT_EQ(Broken(call), RuleSet());  // in place
  call.dst = Window(2, 8);
  EXPECT_EQ(Broken(call), Only(rule::kOverlapIteration));
  call.dst = Window(256, 2);  // iteration 1 in place, after it was written to
  call.dst_rep_stride = 0;
  EXPECT_EQ(Broken(call), Only(rule::kOverlapDependency));
  // Lane 0 takes no part; lane 1 is where the sum is written.
  call = Lanes(DType::kHalf, 6, 0);
  call.dst = Window(2, 2);
  EXPECT_EQ(Broken(call), RuleSet());
  call.dst = Window(4, 2);
  EXPECT_EQ(Broken(call), Only(rule::kOverlapIteration));
  call.dst = Window(0, 2);
  EXPECT_EQ(Broken(call), RuleSet());
}

// ---- What it leaves ---------------------------------------------------------

/// The lanes that the register has, as a following call sums them: powers of
/// two identify them.
TEST(WholeReduceSum, LeavesTheRegisterAtItsMask) {
  WholeReduceSum by_register = Whole(DType::kHalf, 1);
  by_register.is_set_mask = false;
  by_register.mask = 0;
  Machine machine({1, 2, 4, 8, 16, 32});
  machine.emulator.Execute(Lanes(DType::kHalf, 0x15, 0));
  machine.emulator.Execute(by_register);
  EXPECT_EQ(machine.Sum(0), 1 + 4 + 16);
  machine.emulator.Execute(by_register);  // which has left it as it was
  EXPECT_EQ(machine.Sum(0), 1 + 4 + 16);
  WholeReduceSum none = Whole(DType::kHalf, 0);
  none.mask = 3;
  EXPECT_EQ(machine.emulator.Execute(none).notes, Only(rule::kRepeatZero));
  machine.emulator.Execute(by_register);
  EXPECT_EQ(machine.Sum(0), 1 + 2 + 4);
}

TEST(WholeReduceSum, BothNotes) {
  Machine machine;
  machine.emulator.Execute(isa::SetVectorMask{.high = 0, .low = 0});
  WholeReduceSum call = Whole(DType::kHalf, 0);
  call.is_set_mask = false;
  call.mask = 0;
  RuleSet both = Only(rule::kRepeatZero);
  both.Add(rule::kMaskEmpty);
  EXPECT_EQ(machine.emulator.Execute(call).notes, both);
}

}  // namespace
}  // namespace lanediff::emulator
