#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/data_copy.h"
#include "isa/min.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/data_copy_rules.h"
#include "oracle/testing.h"

/// DC-BARRIER: copies on one pipe that write the same byte, where barriers and
/// flags order them and where not.
namespace lanediff::oracle {
namespace {

using isa::Event;
using isa::Pipe;
using test::Board;
using test::BrokenOn;
using test::Copy;
using test::CopyCount;
using test::Window;
using Call = isa::DataCopy;

isa::Step Set(Event event, std::int64_t id = 0) {
  return isa::SetFlag{.event = event, .id = id};
}
isa::Step Wait(Event event, std::int64_t id = 0) {
  return isa::WaitFlag{.event = event, .id = id};
}

/// GM to UB, always the same bytes.
const Call kIn = Copy(Position::kGm, Position::kVecin);

TEST(DataCopyBarrier, EachPairOfMemoriesHasItsPipe) {
  using enum isa::Memory;
  // Rows and columns: GM, UB, L1, L0C, BT, FB; from, to.
  constexpr std::string_view kPipes[6][6] = {
      {"", "MTE2", "MTE2", "", "", ""},
      {"MTE3", "V", "MTE3", "", "", ""},
      {"MTE3", "", "", "", "MTE1", "FIX"},
      {"", "", "", "", "", ""},
      {"", "", "", "", "", ""},
      {"", "", "", "", "", ""},
  };
  const std::array memories = {kGm, kUb, kL1, kL0c, kBt, kFb};
  for (std::size_t from = 0; from < 6; ++from) {
    for (std::size_t to = 0; to < 6; ++to) {
      const auto pipe = PipeOf(memories[from], memories[to]);
      EXPECT_EQ(pipe ? isa::Name(*pipe) : "", kPipes[from][to])
          << isa::Name(memories[from]) << ">" << isa::Name(memories[to]);
    }
  }
}

TEST(DataCopyBarrier, OnlySharedBytesOfOneMemoryCount) {
  Board board;
  Call call = kIn;
  call.params = {.block_count = 2, .block_len = 1, .src_gap = 0, .dst_gap = 1};
  EXPECT_EQ(BrokenOn(board, call), "");  // bytes 0 to 31, 64 to 95
  call.params.block_count = 1;
  call.dst.at = 32;  // its gap
  EXPECT_EQ(BrokenOn(board, call), "");
  call.dst.at = 96;  // right behind
  EXPECT_EQ(BrokenOn(board, call), "");
  call.dst.at = 64;
  EXPECT_EQ(BrokenOn(board, call), "BARRIER");
  call.dst.position = Position::kA1;  // the same pipe into L1
  EXPECT_EQ(BrokenOn(board, call), "");
  // From UB into the same bytes of L1: another pipe.
  call.src.position = Position::kVecin;
  call.dst.position = Position::kTscm;
  EXPECT_EQ(BrokenOn(board, call), "");
  call.src.position = Position::kVecout;
  EXPECT_EQ(BrokenOn(board, call), "BARRIER");
}

TEST(DataCopyBarrier, OtherPipesAndReadsAreNotLookedAt) {
  Board board;
  const Call over = Copy(Position::kVecin, Position::kVeccalc);
  EXPECT_EQ(BrokenOn(board, kIn), "");
  EXPECT_EQ(BrokenOn(board, over), "");
  Call call = Copy(Position::kVecout, Position::kGm);
  call.src.at = 0;
  EXPECT_EQ(BrokenOn(board, call), "");
  // It ends the copies of its own pipe alone: V is still under way.
  EXPECT_TRUE(board.Executes(isa::PipeBarrier{.pipe = Pipe::kMte2}));
  EXPECT_EQ(BrokenOn(board, kIn), "");
  EXPECT_EQ(BrokenOn(board, over), "BARRIER");
  call = over;
  call.src.at = 32;
  call.params.block_len = 2;
  EXPECT_EQ(BrokenOn(board, call), "BARRIER OVERLAP");
  call.dst.bytes = 63;
  EXPECT_EQ(BrokenOn(board, call), "BOUNDS");
}

TEST(DataCopyBarrier, WhatWroteNothingDoesNotCount) {
  Board board;
  Call rejected = kIn;
  rejected.src.bytes = 31;
  EXPECT_EQ(BrokenOn(board, rejected), "BOUNDS");
  const Call nothing = CopyCount(Position::kGm, Position::kVecin, 15);
  EXPECT_EQ(BrokenOn(board, nothing), "");
  const Call call = CopyCount(Position::kGm, Position::kVecin, 31);
  EXPECT_EQ(BrokenOn(board, call), "");  // bytes 0 to 31
  Call next = kIn;
  next.dst.at = 32;
  EXPECT_EQ(BrokenOn(board, next), "");
  EXPECT_EQ(BrokenOn(board, nothing), "");
  EXPECT_EQ(BrokenOn(board, call), "BARRIER");
  next.dst.at = 33;  // breaks DC-DST-ALIGN
  EXPECT_TRUE(RunsExtended(board, Set(Event::kMte2S)));
  EXPECT_TRUE(RunsExtended(board, Wait(Event::kMte2S)));
  EXPECT_TRUE(RunsExtended(board, next));  // which counts too
  EXPECT_EQ(BrokenOn(board, kIn), "");
  next.dst.at = 64;
  EXPECT_EQ(BrokenOn(board, next), "BARRIER");
}

/// What the second of two equal copies from GM breaks after these steps.
std::string SecondCopyAfter(const std::vector<isa::Step>& between,
                            Product product = Product::kAtlasA2) {
  Board board(product);
  EXPECT_EQ(BrokenOn(board, kIn), "");
  for (const isa::Step& step : between) EXPECT_TRUE(board.Executes(step));
  return BrokenOn(board, kIn);
}

TEST(DataCopyBarrier, FlagsThereAndBackOrderTwoCopiesOfAPipe) {
  struct Row {
    const char* what;
    std::vector<isa::Step> between;
    bool ordered;
  };
  const Row rows[] = {
      {"nothing", {}, false},
      {"there and back",
       {Set(Event::kMte2V), Wait(Event::kMte2V), Set(Event::kVMte2),
        Wait(Event::kVMte2)},
       true},
      {"one way", {Set(Event::kMte2V), Wait(Event::kMte2V)}, false},
      {"the way back set before the way there was waited for",
       {Set(Event::kVMte2), Set(Event::kMte2V), Wait(Event::kMte2V),
        Wait(Event::kVMte2)},
       false},
      {"no pipe has waited for the way back",
       {Set(Event::kMte2V), Wait(Event::kMte2V), Set(Event::kVMte2)},
       false},
      {"another id",
       {Set(Event::kMte2V, 1), Wait(Event::kMte2V, 0), Set(Event::kVMte2),
        Wait(Event::kVMte2)},
       false},
      {"waiting on S", {Set(Event::kMte2S), Wait(Event::kMte2S)}, true},
      {"through a third pipe and a barrier there",
       {Set(Event::kMte2V), Wait(Event::kMte2V),
        isa::PipeBarrier{.pipe = Pipe::kV}, Set(Event::kVMte3),
        Wait(Event::kVMte3), Set(Event::kMte3Mte2), Wait(Event::kMte3Mte2)},
       true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(SecondCopyAfter(row.between), row.ordered ? "" : "BARRIER")
        << row.what;
  }
}

TEST(DataCopyBarrier, FlagsThatTheProductLacksOrderNothing) {
  for (const Product product : test::All<Product>()) {
    if (product == Product::kAtlas200_300_500) continue;  // it copies nothing
    const bool has_events = product != Product::kAtlasInferenceVectorcore;
    for (std::int64_t id = -1; id <= 8; ++id) {
      const bool has_id =
          0 <= id && id <= (product == Product::kAtlasTraining ? 3 : 7);
      EXPECT_EQ(
          SecondCopyAfter({Set(Event::kMte2V, id), Wait(Event::kMte2V, id),
                           Set(Event::kVMte2, id), Wait(Event::kVMte2, id)},
                          product),
          has_events && has_id ? "" : "BARRIER")
          << isa::Name(product) << " " << id;
    }
    // Every barrier counts wherever it is.
    for (const Pipe pipe : test::All<Pipe>()) {
      EXPECT_EQ(SecondCopyAfter({isa::PipeBarrier{.pipe = pipe}}, product),
                pipe == Pipe::kMte2 || pipe == Pipe::kAll ? "" : "BARRIER");
    }
  }
  // J: not on A2, but on 200I/500 A2.
  const std::vector<isa::Step> matrix = {
      Set(Event::kMte2M), Wait(Event::kMte2M), Set(Event::kMV),
      Wait(Event::kMV),   Set(Event::kVMte2),  Wait(Event::kVMte2)};
  EXPECT_EQ(SecondCopyAfter(matrix), "BARRIER");
  EXPECT_EQ(SecondCopyAfter(matrix, Product::kAtlas200i500A2), "");
}

TEST(DataCopyBarrier, SecondSetKeepsWhatTheFlagHad) {
  Board board;
  EXPECT_TRUE(board.Executes(Set(Event::kMte2S)));
  EXPECT_EQ(BrokenOn(board, kIn), "");
  EXPECT_TRUE(board.Executes(Set(Event::kMte2S)));  // SYNC-FLAG-TWICE
  EXPECT_TRUE(board.Executes(Wait(Event::kMte2S)));
  EXPECT_EQ(BrokenOn(board, kIn), "BARRIER");
  EXPECT_TRUE(board.Executes(Wait(Event::kMte2S)));  // SYNC-FLAG-UNSET
  for (int i = 0; i < 3; ++i) {  // each copy is under way again
    EXPECT_EQ(BrokenOn(board, kIn), "BARRIER");
    EXPECT_EQ(AnywhereOn(board, kIn), "BARRIER");
    EXPECT_TRUE(board.Executes(Set(Event::kMte2S)));
    EXPECT_TRUE(board.Executes(Wait(Event::kMte2S)));
    EXPECT_EQ(AnywhereOn(board, kIn), "");
    EXPECT_EQ(BrokenOn(board, kIn), "");
  }
}

// ---- Worked programs --------------------------------------------------------

Call In(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  Call call;
  call.dst = Window(Position::kVecin, dst, bytes);
  call.src = Window(Position::kGm, src, bytes);
  call.count = bytes / 2;
  return call;
}
Call Out(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  Call call = In(dst, src, bytes);
  call.dst.position = Position::kGm;
  call.src.position = Position::kVecout;
  return call;
}
Call InGap(std::int64_t dst, std::int64_t src, std::int64_t blocks,
           std::int64_t length, std::int64_t gap) {
  Call call = In(dst, src, 4096);
  call.form = Call::kParams;
  call.count = 0;
  call.params = {blocks, length, 0, gap};
  return call;
}
isa::Min MinOf(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  isa::Min call;
  call.dst = Window(Position::kVeccalc, dst, bytes);
  call.src0 = call.src1 = Window(Position::kVeccalc, src, bytes);
  call.count = bytes / 2;
  return call;
}

/// The number of the step that breaks DC-BARRIER alone; -1: all are executed.
int RejectedStep(const std::vector<isa::Step>& program) {
  Board board;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const std::string broken = BrokenOn(board, program[i]);
    if (broken.empty()) continue;
    EXPECT_EQ(broken, "BARRIER");
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

TEST(DataCopyBarrier, WorkedPrograms) {
  EXPECT_EQ(RejectedStep({InGap(0, 0, 4, 1, 1), InGap(32, 4096, 4, 1, 1)}), -1);
  EXPECT_EQ(RejectedStep({InGap(0, 0, 4, 2, 0), InGap(32, 4096, 4, 1, 1)}), 1);
  EXPECT_EQ(RejectedStep(DoubleBuffer(true)), -1);
  EXPECT_EQ(RejectedStep(DoubleBuffer(false)), 14);  // the third IN
  EXPECT_EQ(RejectedStep({In(0, 0, 256), In(0, 0, 256)}), 1);
}

}  // namespace
}  // namespace lanediff::oracle
