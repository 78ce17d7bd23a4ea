#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/half.h"
#include "emulator/vector/random_run.h"

namespace lanediff::emulator {
namespace {

using isa::DType;
using isa::RepeatReduceSum;
using isa::WholeReduceSum;

/// How many lanes take part, or those that the register selects.
void DrawLanes(RandomWords& random, RepeatReduceSum& call, Sample& s) {
  const std::int64_t all = call.dtype == DType::kHalf ? 128 : 64;
  switch (Draw(random, 0, 3)) {
    case 0:
      call.elems_in_one_repeat = Draw(random, 1, all);
      break;
    case 1: {
      call.is_set_mask = false;
      isa::SetVectorMask mask{.high = random(), .low = random()};
      for (std::int64_t thin = Draw(random, 0, 6); thin > 0; --thin) {
        mask.low &= random();
        mask.high &= random();
      }
      s.program.emplace_back(mask);
      break;
    }
    default:
      call.elems_in_one_repeat = all;
  }
  if (call.elems_in_one_repeat == all) s.path = Path::kStrided;
}

/// Strides of all kinds; often those without gaps.
void DrawStrides(RandomWords& random, RepeatReduceSum& call, Sample& s) {
  call.dst_blk_stride = Draw(random, -3, 3);
  if (Draw(random, 0, 2) == 0) {
    call.src_blk_stride = 1;
    call.src_rep_stride = 8;
    call.dst_rep_stride = 1;
    if (s.path == Path::kStrided) s.path = Path::kContiguous;
    return;
  }
  call.src_blk_stride = Draw(random, 0, 3);
  call.src_rep_stride = Draw(random, 0, 20);
  call.dst_rep_stride = Draw(random, 0, 70);
  const bool contiguous = call.src_blk_stride == 1 &&
                          call.src_rep_stride == 8 && call.dst_rep_stride == 1;
  if (contiguous && s.path == Path::kStrided) s.path = Path::kContiguous;
}

Sample DrawSample(RandomWords& random) {
  Sample s = {.path = Path::kMasked};
  RepeatReduceSum call;
  call.dtype = s.dtype = Draw(random, 0, 2) == 0 ? DType::kFloat : DType::kHalf;
  if (Draw(random, 0, 2) == 0) {
    s.program.emplace_back(isa::SetSaturation{.enabled = false});
  }
  DrawLanes(random, call, s);
  DrawStrides(random, call, s);
  call.repeat = Draw(random, 1, 40);
  call.src = WindowFrom(32 * Draw(random, 0, 99));
  // Before, in and behind what is read.
  call.dst = WindowFrom(Draw(random, 0, 1) == 0
                            ? 4 * Draw(random, 0, kSampleBytes / 4 - 1)
                            : call.src.at + 4 * Draw(random, 0, 16));
  s.program.emplace_back(call);
  return s;
}

TEST(RepeatReduceSumVectors, LeaveWhatPlainSeamsLeave) {
  ExpectSameLeft(7, 6000, DrawSample, {301, 301, 301});
}

RepeatReduceSum Whole(DType type, std::int64_t repeat) {
  RepeatReduceSum call;
  call.dtype = type;
  call.repeat = repeat;
  call.elems_in_one_repeat = type == DType::kHalf ? 128 : 64;
  call.src_blk_stride = 1;
  call.src_rep_stride = 8;
  call.dst_rep_stride = 1;
  return call;
}

// Sums of nothing but -0 are -0, those with another zero are not.
TEST(RepeatReduceSumVectors, KeepTheSignOfZero) {
  for (const VectorTarget target : RunnableTargets()) {
    RepeatReduceSum call = Whole(DType::kHalf, 20);
    call.src = WindowFrom(0);
    call.dst = WindowFrom(8192);
    std::vector<std::uint8_t> ub(kSampleBytes);
    for (std::size_t i = 1; i < ub.size(); i += 2) ub[i] = 0x80;
    ub[5 * 256 + 101] = 0;  // +0 in iteration 5
    const Left left = RunOn(SeamsOf(target), {call}, ub);
    EXPECT_EQ(left.ub[8192 + 2 * 4 + 1], 0x80);
    EXPECT_EQ(left.ub[8192 + 2 * 5 + 1], 0);
    EXPECT_EQ(left.ub, RunOn(Seams{}, {call}, ub).ub);
  }
}

// Blocks of which a call reads the first lanes only, at the end of the memory.
TEST(RepeatReduceSumVectors, GoThePlainWayWhereABlockIsCutShort) {
  for (const VectorTarget target : RunnableTargets()) {
    RepeatReduceSum call = Whole(DType::kFloat, 1);
    call.elems_in_one_repeat = 3;
    call.src = {.position = isa::Position::kVeccalc,
                .at = 64,
                .bytes = 12,
                .dtype = {}};
    call.dst = {
        .position = isa::Position::kVeccalc, .at = 0, .bytes = 4, .dtype = {}};
    RandomWords random(1);
    const auto ub = RandomMemory(random, DType::kFloat, 76);
    const Left left = RunOn(SeamsOf(target), {call}, ub);
    EXPECT_EQ(left.last.status, isa::StepResult::Status::kExecuted);
    EXPECT_EQ(left.paths[Path::kPlain], 1U);
    EXPECT_EQ(left.ub, RunOn(Seams{}, {call}, ub).ub);
  }
}

// Sums written over the lanes that they were made of, batch after batch.
TEST(RepeatReduceSumVectors, WriteOverWhatTheyRead) {
  for (const VectorTarget target : RunnableTargets()) {
    for (const DType type : {DType::kHalf, DType::kFloat}) {
      const std::int64_t element = type == DType::kHalf ? 2 : 4;
      RepeatReduceSum call = Whole(type, 60);
      call.dst_rep_stride = 256 / element;
      call.src = WindowFrom(0);
      call.dst = WindowFrom(0);
      RandomWords random(2);
      const auto ub = RandomMemory(random, type);
      const Left left = RunOn(SeamsOf(target), {call}, ub);
      EXPECT_EQ(left.last.status, isa::StepResult::Status::kExecuted);
      EXPECT_EQ(left.paths[Path::kStrided], 1U);
      EXPECT_EQ(left.ub, RunOn(Seams{}, {call}, ub).ub);
    }
  }
}

// ---- WholeReduceSum: each node is a half, mode on, then off -----------------

using Both = std::array<float, 2>;

/// What `call` sums of `halves`; the same with vectors and without.
Both SumsOf(const WholeReduceSum& call, const std::vector<float>& halves) {
  constexpr std::int64_t kSum = 8192;
  EXPECT_EQ(call.dst.at, kSum);
  std::vector<std::uint8_t> ub(kSampleBytes, 0xa5);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    Store(std::span(ub), 2 * static_cast<std::int64_t>(i),
          FloatToHalf(halves[i]));
  }
  Both sums{};
  for (const std::size_t off : {0, 1}) {
    const std::vector<isa::Step> program = {
        isa::SetSaturation{.enabled = off == 0}, call};
    const Left plain = RunOn(Seams{}, program, ub);
    EXPECT_EQ(plain.last, isa::StepResult());
    EXPECT_EQ(Load<std::uint16_t>(plain.ub, kSum + 2), 0xa5a5);
    for (const VectorTarget target : RunnableTargets()) {
      EXPECT_EQ(RunOn(SeamsOf(target), program, ub).ub, plain.ub);
    }
    sums[off] = HalfToFloat(Load<std::uint16_t>(plain.ub, kSum));
  }
  return sums;
}

/// The lanes of two words.
WholeReduceSum Lanes(std::uint64_t low, std::uint64_t high = 0) {
  WholeReduceSum call;
  call.src = WindowFrom(0);
  call.dst = WindowFrom(8192);
  call.form = WholeReduceSum::kBitwise;
  call.mask_words = {low, high};
  call.repeat_times = call.dst_rep_stride = call.src_blk_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

// 边界值汇总, table 38: 127 times 1, and another number in any lane.
TEST(WholeReduceSum, BoundaryValues) {
  constexpr float kInf = HUGE_VALF;
  const WholeReduceSum all = Lanes(~0ull, ~0ull);
  for (const std::size_t at : {0, 1, 64, 77, 127}) {
    std::vector<float> halves(128, 1.0f);
    halves[at] = -kInf;
    EXPECT_EQ(SumsOf(all, halves), (Both{-65376, -kInf}));
    halves[at] = kInf;
    EXPECT_EQ(SumsOf(all, halves), (Both{65504, kInf}));
    halves[at] = NAN;
    const Both with_nan = SumsOf(all, halves);
    EXPECT_EQ(with_nan[0], 126);
    EXPECT_TRUE(std::isnan(with_nan[1]));
  }
  EXPECT_EQ(SumsOf(all, std::vector<float>(128, -65504.0f)),
            (Both{-65504, -kInf}));
  for (const float sum : SumsOf(all, std::vector<float>(128, -0.0f))) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(sum), 0x80000000u);
  }
}

TEST(WholeReduceSum, NodesAreHalvesAndLanesThatTakeNoPartAreLeftOut) {
  constexpr float kInf = HUGE_VALF;
  std::vector<float> ramp;
  for (int i = 0; i < 128; ++i) ramp.push_back(static_cast<float>(i));
  const struct {
    std::uint64_t low, high;
    std::vector<float> halves;
    Both sums;
  } rows[] = {
      {0xf, 0, {60000, 60000, -30000, 100}, {35584, kInf}},
      {0xf, 0, {2048, 1, 1, 1}, {2050, 2050}},
      {0xd, 0, {2048, 1, 1, 1}, {2050, 2050}},
      {5, 0, {kInf, 9, -65504, 9}, {65504, kInf}},
      {8, 0, {1, 2, 3, 4, 5}, {4, 4}},
      {8, 2, ramp, {3 + 65, 3 + 65}},
      // Alone: nothing is computed, what is written saturates.
      {2, 0, {1, -kInf}, {-65504, -kInf}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(SumsOf(Lanes(row.low, row.high), row.halves), row.sums)
        << row.low << " " << row.high;
  }
  EXPECT_EQ(SumsOf(Lanes(0xd), {NAN, 9, 3, 4})[0], 0);
  EXPECT_EQ(SumsOf(Lanes(2), {1, NAN})[0], 0);
}

}  // namespace
}  // namespace lanediff::emulator
