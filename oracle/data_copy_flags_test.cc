#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/data_copy.h"
#include "isa/min.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/data_copy_testing.h"
#include "oracle/extended_testing.h"
#include "oracle/rules_testing.h"

/// DC-BARRIER where flags order copies.
namespace lanediff::oracle {
namespace {

using isa::Event;
using isa::Pipe;
using isa::Position;
using isa::Product;
using test::Board;
using test::Copy;
using test::CopyCount;
using test::Ids;
using test::Only;
namespace dc = isa::dc;

const Ids kNone;

isa::Step Set(Event event, std::int64_t id = 0) {
  return isa::SetFlag{.event = event, .id = id};
}
isa::Step Wait(Event event, std::int64_t id = 0) {
  return isa::WaitFlag{.event = event, .id = id};
}

Ids Broken(Board& board, const isa::Step& step) {
  return test::Texts(board.oracle.Execute(step).rules);
}

/// GM to UB, always the same bytes.
const isa::DataCopy kIn = Copy(Position::kGm, Position::kVecin);

/// What the second of two equal copies from GM breaks after these steps.
Ids SecondCopyAfter(const std::vector<isa::Step>& between,
                    Product product = Product::kAtlasA2) {
  Board board(product);
  EXPECT_EQ(Broken(board, kIn), kNone);
  for (const isa::Step& step : between) EXPECT_TRUE(board.Executes(step));
  return Broken(board, kIn);
}

TEST(DataCopyFlags, ThereAndBackOrdersTwoCopiesOfAPipe) {
  EXPECT_EQ(SecondCopyAfter({}), Only(dc::kBarrier));
  EXPECT_EQ(SecondCopyAfter({Set(Event::kMte2V), Wait(Event::kMte2V),
                             Set(Event::kVMte2), Wait(Event::kVMte2)}),
            kNone);
  // One way does not come back.
  EXPECT_EQ(SecondCopyAfter({Set(Event::kMte2V), Wait(Event::kMte2V)}),
            Only(dc::kBarrier));
  // The way back was set before the way there was waited for.
  EXPECT_EQ(SecondCopyAfter({Set(Event::kVMte2), Set(Event::kMte2V),
                             Wait(Event::kMte2V), Wait(Event::kVMte2)}),
            Only(dc::kBarrier));
  // No pipe has waited for the way back.
  EXPECT_EQ(SecondCopyAfter(
                {Set(Event::kMte2V), Wait(Event::kMte2V), Set(Event::kVMte2)}),
            Only(dc::kBarrier));
  // Another id.
  EXPECT_EQ(SecondCopyAfter({Set(Event::kMte2V, 1), Wait(Event::kMte2V, 0),
                             Set(Event::kVMte2), Wait(Event::kVMte2)}),
            Only(dc::kBarrier));
}

TEST(DataCopyFlags, WaitingOnSIsEnough) {
  EXPECT_EQ(SecondCopyAfter({Set(Event::kMte2S), Wait(Event::kMte2S)}), kNone);
}

TEST(DataCopyFlags, ThroughAThirdPipeAndABarrierThere) {
  EXPECT_EQ(SecondCopyAfter({Set(Event::kMte2V), Wait(Event::kMte2V),
                             isa::PipeBarrier{.pipe = Pipe::kV},
                             Set(Event::kVMte3), Wait(Event::kVMte3),
                             Set(Event::kMte3Mte2), Wait(Event::kMte3Mte2)}),
            kNone);
}

TEST(DataCopyFlags, FlagsThatTheProductLacksOrderNothing) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    if (product == Product::kAtlas200_300_500) continue;  // it copies nothing
    const bool has_events = product != Product::kAtlasInferenceVectorcore;
    for (std::int64_t id = -1; id <= 8; ++id) {
      const bool has_id =
          0 <= id && id <= (product == Product::kAtlasTraining ? 3 : 7);
      EXPECT_EQ(
          SecondCopyAfter({Set(Event::kMte2V, id), Wait(Event::kMte2V, id),
                           Set(Event::kVMte2, id), Wait(Event::kVMte2, id)},
                          product),
          has_events && has_id ? kNone : Only(dc::kBarrier))
          << isa::Name(product) << " " << id;
    }
  }
  // J: not on A2, but on 200I/500 A2.
  const std::vector<isa::Step> matrix = {
      Set(Event::kMte2M), Wait(Event::kMte2M), Set(Event::kMV),
      Wait(Event::kMV),   Set(Event::kVMte2),  Wait(Event::kVMte2)};
  EXPECT_EQ(SecondCopyAfter(matrix), Only(dc::kBarrier));
  EXPECT_EQ(SecondCopyAfter(matrix, Product::kAtlas200i500A2), kNone);
}

TEST(DataCopyFlags, EveryBarrierCountsWhereverItIs) {
  for (const Product product : {Product::kAtlasInferenceVectorcore,
                                Product::kAtlasTraining, Product::kAtlasA2}) {
    for (const Pipe pipe : {Pipe::kMte2, Pipe::kAll}) {
      EXPECT_EQ(SecondCopyAfter({isa::PipeBarrier{.pipe = pipe}}, product),
                kNone);
    }
    for (const Pipe pipe : {Pipe::kS, Pipe::kM, Pipe::kV, Pipe::kFix}) {
      EXPECT_EQ(SecondCopyAfter({isa::PipeBarrier{.pipe = pipe}}, product),
                Only(dc::kBarrier));
    }
  }
}

TEST(DataCopyFlags, SecondSetKeepsWhatTheFlagHad) {
  Board board;
  EXPECT_TRUE(board.Executes(Set(Event::kMte2S)));
  EXPECT_EQ(Broken(board, kIn), kNone);
  EXPECT_TRUE(board.Executes(Set(Event::kMte2S)));  // SYNC-FLAG-TWICE
  EXPECT_TRUE(board.Executes(Wait(Event::kMte2S)));
  EXPECT_EQ(Broken(board, kIn), Only(dc::kBarrier));
  EXPECT_TRUE(board.Executes(Wait(Event::kMte2S)));  // SYNC-FLAG-UNSET
  EXPECT_EQ(Broken(board, kIn), Only(dc::kBarrier));
  EXPECT_TRUE(board.Executes(Set(Event::kMte2S)));
  EXPECT_TRUE(board.Executes(Wait(Event::kMte2S)));
  EXPECT_EQ(Broken(board, kIn), kNone);
}

TEST(DataCopyFlags, ALaterCopyIsUnderWayAgain) {
  Board board;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Broken(board, kIn), kNone);
    EXPECT_EQ(Broken(board, kIn), Only(dc::kBarrier));
    EXPECT_EQ(test::Texts(board.oracle.BrokenAnywhere(kIn)),
              Only(dc::kBarrier));
    EXPECT_TRUE(board.Executes(Set(Event::kMte2S)));
    EXPECT_TRUE(board.Executes(Wait(Event::kMte2S)));
    EXPECT_TRUE(board.oracle.BrokenAnywhere(kIn).empty());
  }
}

TEST(DataCopyFlags, CopiesRunWhateverTheyBreakCountToo) {
  Board board;
  isa::DataCopy call = kIn;
  call.dst.at = 1;  // breaks DC-DST-ALIGN
  EXPECT_TRUE(test::RunsExtended(board, call));
  EXPECT_EQ(Broken(board, kIn), Only(dc::kBarrier));
  EXPECT_TRUE(test::RunsExtended(board, Set(Event::kMte2S)));
  EXPECT_TRUE(test::RunsExtended(board, Wait(Event::kMte2S)));
  EXPECT_EQ(Broken(board, kIn), kNone);
}

// ---- Worked programs --------------------------------------------------------

isa::DataCopy In(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  isa::DataCopy call = CopyCount(Position::kGm, Position::kVecin, bytes / 2);
  call.dst.at = dst;
  call.src.at = src;
  call.dst.bytes = call.src.bytes = bytes;
  return call;
}
isa::DataCopy Out(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  isa::DataCopy call = In(dst, src, bytes);
  call.dst.position = Position::kGm;
  call.src.position = Position::kVecout;
  return call;
}
isa::DataCopy InGap(std::int64_t dst, std::int64_t src, std::int64_t blocks,
                    std::int64_t length, std::int64_t gap) {
  isa::DataCopy call = In(dst, src, 4096);
  call.form = isa::DataCopy::kParams;
  call.count = 0;
  call.params = {blocks, length, 0, gap};
  return call;
}
isa::Min MinOf(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  isa::Min call;
  call.dst = {
      .position = Position::kVeccalc, .at = dst, .bytes = bytes, .dtype = {}};
  call.src0 = call.src1 = {
      .position = Position::kVeccalc, .at = src, .bytes = bytes, .dtype = {}};
  call.count = bytes / 2;
  return call;
}

/// The number of the step that breaks DC-BARRIER alone; -1: all are executed.
int RejectedStep(const std::vector<isa::Step>& program) {
  Board board;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const isa::StepResult result = board.oracle.Execute(program[i]);
    if (result.status == isa::StepResult::Status::kExecuted) continue;
    EXPECT_EQ(test::Texts(result.rules), Only(dc::kBarrier));
    return static_cast<int>(i);
  }
  return -1;
}

/// 6a, with flags from V back to MTE2 and from MTE3 back to V, or 6b, without.
std::vector<isa::Step> DoubleBuffer(bool there_and_back) {
  std::vector<isa::Step> program;
  const auto add = [&](const isa::Step& step) { program.push_back(step); };
  const auto back = [&](const isa::Step& step) {
    if (there_and_back) add(step);
  };
  for (const Event event : {Event::kVMte2, Event::kMte3V}) {
    for (const std::int64_t id : {0, 1}) back(Set(event, id));
  }
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t e = i % 2;
    back(Wait(Event::kVMte2, e));
    add(In(1024 * e, 256 * i, 256));
    add(Set(Event::kMte2V, e));
    add(Wait(Event::kMte2V, e));
    back(Wait(Event::kMte3V, e));
    add(MinOf(4096 + 1024 * e, 1024 * e, 256));
    back(Set(Event::kVMte2, e));
    add(Set(Event::kVMte3, e));
    add(Wait(Event::kVMte3, e));
    add(Out(8192 + 256 * i, 4096 + 1024 * e, 256));
    back(Set(Event::kMte3V, e));
  }
  for (const Event event : {Event::kVMte2, Event::kMte3V}) {
    for (const std::int64_t id : {0, 1}) back(Wait(event, id));
  }
  return program;
}

TEST(DataCopyFlags, WorkedPrograms) {
  EXPECT_EQ(RejectedStep({InGap(0, 0, 4, 1, 1), InGap(32, 4096, 4, 1, 1)}), -1);
  EXPECT_EQ(RejectedStep({InGap(0, 0, 4, 2, 0), InGap(32, 4096, 4, 1, 1)}), 1);
  EXPECT_EQ(RejectedStep(DoubleBuffer(true)), -1);
  EXPECT_EQ(RejectedStep(DoubleBuffer(false)), 14);  // the third IN
  EXPECT_EQ(RejectedStep({In(0, 0, 256), In(0, 0, 256)}), 1);
}

}  // namespace
}  // namespace lanediff::oracle
