#include "emulator/vector/reduce_sum.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/vector/random_run.h"

namespace lanediff::emulator {
namespace {

using isa::DType;
using isa::RepeatReduceSum;

constexpr std::int64_t kUbBytes = 24576;

struct Sample {
  RepeatReduceSum call;
  std::vector<isa::Step> program;
  Path path = Path::kMasked;  // where a legal call is to go
};

/// How many lanes take part, or those that the register selects.
void DrawLanes(RandomWords& random, Sample& s) {
  RepeatReduceSum& call = s.call;
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
void DrawStrides(RandomWords& random, Sample& s) {
  RepeatReduceSum& call = s.call;
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

isa::Operand Window(std::int64_t at) {
  return {.position = isa::Position::kVeccalc,
          .at = at,
          .bytes = kUbBytes - at,
          .dtype = {}};
}

Sample DrawSample(RandomWords& random) {
  Sample s;
  RepeatReduceSum& call = s.call;
  call.dtype = Draw(random, 0, 2) == 0 ? DType::kFloat : DType::kHalf;
  if (Draw(random, 0, 2) == 0) {
    s.program.emplace_back(isa::SetSaturation{.enabled = false});
  }
  DrawLanes(random, s);
  DrawStrides(random, s);
  call.repeat = Draw(random, 1, 40);
  call.src = Window(32 * Draw(random, 0, 99));
  // Before, in and behind what is read.
  call.dst =
      Window(Draw(random, 0, 1) == 0 ? 4 * Draw(random, 0, kUbBytes / 4 - 1)
                                     : call.src.at + 4 * Draw(random, 0, 16));
  s.program.emplace_back(call);
  return s;
}

bool IsExecuted(const Left& left) {
  return left.last.status == isa::StepResult::Status::kExecuted;
}

/// The ways of the samples that were executed; every target leaves what the
/// plain seams do.
PathCounts RunSamples(VectorTarget target, int count) {
  RandomWords random(7);
  PathCounts ways;
  const Seams vectors = SeamsOf(target);
  for (int i = 0; i < count; ++i) {
    const Sample s = DrawSample(random);
    const auto ub = RandomMemory(random, s.call.dtype, kUbBytes);
    const Left plain = RunOn(Seams{}, s.program, ub);
    const Left left = RunOn(vectors, s.program, ub);
    EXPECT_EQ(plain.last, left.last) << i;
    EXPECT_EQ(Difference(plain.ub, left.ub), "") << "sample " << i;
    if (!IsExecuted(left)) continue;
    PathCounts expected;
    if (plain.paths[Path::kPlain] != 0) {
      expected.Count(s.path);
      ways.Count(s.path);
    }
    EXPECT_EQ(left.paths, expected) << "sample " << i;
    if (testing::Test::HasFailure()) break;
  }
  return ways;
}

TEST(RepeatReduceSumVectors, LeaveWhatPlainSeamsLeave) {
  for (const VectorTarget target : RunnableTargets()) {
    SCOPED_TRACE(std::string(NameOf(target)));
    const PathCounts ways = RunSamples(target, 6000);
    EXPECT_GT(ways[Path::kContiguous], 300U);
    EXPECT_GT(ways[Path::kStrided], 300U);
    EXPECT_GT(ways[Path::kMasked], 300U);
  }
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
    call.src = Window(0);
    call.dst = Window(8192);
    std::vector<std::uint8_t> ub(kUbBytes);
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
    EXPECT_TRUE(IsExecuted(left));
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
      call.src = Window(0);
      call.dst = Window(0);
      RandomWords random(2);
      const auto ub = RandomMemory(random, type, kUbBytes);
      const Left left = RunOn(SeamsOf(target), {call}, ub);
      EXPECT_TRUE(IsExecuted(left));
      EXPECT_EQ(left.paths[Path::kStrided], 1U);
      EXPECT_EQ(left.ub, RunOn(Seams{}, {call}, ub).ub);
    }
  }
}

}  // namespace
}  // namespace lanediff::emulator
