#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/data_copy.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/data_copy_rules.h"
#include "oracle/data_copy_testing.h"
#include "oracle/rules_testing.h"

/// DC-BARRIER: copies on one pipe that write the same byte.
namespace lanediff::oracle {
namespace {

using isa::Pipe;
using isa::Position;
using isa::Product;
using test::Board;
using test::Copy;
using test::CopyCount;
using test::Ids;
using test::Only;
using Call = isa::DataCopy;
namespace dc = isa::dc;

const Ids kNone;

Ids Broken(Board& board, const Call& call) {
  return test::Texts(board.oracle.Execute(call).rules);
}

TEST(DataCopyBarrier, EachRouteHasItsPipe) {
  struct Row {
    Product product;
    Position src, dst;
    Pipe pipe;
  };
  using enum Position;
  const Row rows[] = {
      {Product::kAtlasA2, kGm, kVecin, Pipe::kMte2},
      {Product::kAtlasA2, kGm, kA1, Pipe::kMte2},
      {Product::kAtlasA2, kGm, kC1, Pipe::kMte2},
      {Product::kAtlasA2, kVecout, kTscm, Pipe::kMte3},
      {Product::kAtlasInferenceAicore, kVecin, kB1, Pipe::kMte3},
      {Product::kAtlasA2, kVecout, kGm, Pipe::kMte3},
      {Product::kAtlasA3, kB1, kGm, Pipe::kMte3},
      {Product::kAtlasInferenceAicore, kCo2, kGm, Pipe::kMte3},
      {Product::kAtlasA2, kVecin, kVeccalc, Pipe::kV},
      {Product::kAtlasTraining, kVecin, kVecout, Pipe::kV},
      {Product::kAtlasA2, kC1, kC2, Pipe::kMte1},
      {Product::kAtlasA2, kA1, kC2pipe2gm, Pipe::kFix},
  };
  for (const Row& row : rows) {
    for (std::size_t p = 0; p < isa::kCount<Pipe>; ++p) {
      const auto pipe = static_cast<Pipe>(p);
      const bool helps = pipe == row.pipe || pipe == Pipe::kAll;
      Board board(row.product);
      EXPECT_EQ(Broken(board, Copy(row.src, row.dst)), kNone);
      EXPECT_EQ(Broken(board, Copy(row.src, row.dst)), Only(dc::kBarrier));
      EXPECT_TRUE(board.Executes(isa::PipeBarrier{.pipe = pipe}));
      EXPECT_EQ(Broken(board, Copy(row.src, row.dst)),
                helps ? kNone : Only(dc::kBarrier))
          << Name(row.src) << ">" << Name(row.dst) << " " << Name(pipe);
    }
  }
}

TEST(DataCopyBarrier, OnlySharedBytesOfOneMemoryCount) {
  Board board;
  Call call = Copy(Position::kGm, Position::kVecin);
  call.params = {.block_count = 2, .block_len = 1, .src_gap = 0, .dst_gap = 1};
  EXPECT_EQ(Broken(board, call), kNone);  // bytes 0 to 31, 64 to 95
  call.params.block_count = 1;
  call.dst.at = 32;  // its gap
  EXPECT_EQ(Broken(board, call), kNone);
  call.dst.at = 96;  // right behind
  EXPECT_EQ(Broken(board, call), kNone);
  call.dst.at = 64;
  EXPECT_EQ(Broken(board, call), Only(dc::kBarrier));
  call.dst.position = Position::kA1;  // the same pipe into L1
  EXPECT_EQ(Broken(board, call), kNone);
  // From UB into the same bytes of L1: another pipe.
  call.src.position = Position::kVecin;
  call.dst.position = Position::kTscm;
  EXPECT_EQ(Broken(board, call), kNone);
  call.src.position = Position::kVecout;
  EXPECT_EQ(Broken(board, call), Only(dc::kBarrier));
}

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

TEST(DataCopyBarrier, OtherPipesAndReadsAreNotLookedAt) {
  Board board;
  EXPECT_EQ(Broken(board, Copy(Position::kGm, Position::kVecin)), kNone);
  EXPECT_EQ(Broken(board, Copy(Position::kVecin, Position::kVeccalc)), kNone);
  Call call = Copy(Position::kVecout, Position::kGm);
  call.src.at = 0;
  EXPECT_EQ(Broken(board, call), kNone);
  // It ends the copies of its own pipe alone: V is still under way.
  EXPECT_TRUE(board.Executes(isa::PipeBarrier{.pipe = Pipe::kMte2}));
  EXPECT_EQ(Broken(board, Copy(Position::kGm, Position::kVecin)), kNone);
  EXPECT_EQ(Broken(board, Copy(Position::kVecin, Position::kVeccalc)),
            Only(dc::kBarrier));
}

TEST(DataCopyBarrier, WhatWroteNothingDoesNotCount) {
  Board board;
  Call rejected = Copy(Position::kGm, Position::kVecin);
  rejected.src.bytes = 31;
  EXPECT_EQ(Broken(board, rejected), Only(dc::kBounds));
  EXPECT_EQ(Broken(board, CopyCount(Position::kGm, Position::kVecin, 15)),
            kNone);
  const Call call = CopyCount(Position::kGm, Position::kVecin, 31);
  EXPECT_EQ(Broken(board, call), kNone);  // bytes 0 to 31
  Call next = Copy(Position::kGm, Position::kVecin);
  next.dst.at = 32;
  EXPECT_EQ(Broken(board, next), kNone);
  EXPECT_EQ(Broken(board, CopyCount(Position::kGm, Position::kVecin, 15)),
            kNone);  // nothing again
  EXPECT_EQ(Broken(board, call), Only(dc::kBarrier));
}

TEST(DataCopyBarrier, TogetherWithOverlap) {
  Board board;
  Call call = Copy(Position::kVecin, Position::kVeccalc);
  EXPECT_EQ(Broken(board, call), kNone);
  call.src.at = 32;
  call.params.block_len = 2;
  EXPECT_EQ(Broken(board, call), (Ids{"DC-BARRIER", "DC-OVERLAP"}));
  call.dst.bytes = 63;
  EXPECT_EQ(Broken(board, call), Only(dc::kBounds));
}

}  // namespace
}  // namespace lanediff::oracle
