#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

/// What copies list and leave under way, and what those that break rules do.
/// corpus/data_copy has both sides of each rule, and the bytes.
namespace lanediff::oracle {
namespace {

using isa::Call;
using isa::Event;
using isa::Memory;
using test::Board;
using test::BrokenOn;
using test::Copy;
using test::CopyCount;
using test::kMax;
using test::SetBlocks;
using test::Widening;
using Bytes = std::vector<std::uint8_t>;

TEST(DataCopy, Accesses) {
  Call call = Widening();
  SetBlocks(call, {2, 1, 1, 1});
  Board board;
  ASSERT_TRUE(board.Executes(call));
  const std::vector<isa::Access>& accesses = board.oracle.accesses();
  ASSERT_EQ(accesses.size(), 4U);
  EXPECT_EQ(accesses[2], (isa::Access{.operand = "src",
                                      .memory = Memory::kL1,
                                      .at = 608,
                                      .bytes = 64,
                                      .iteration = 1}));
  EXPECT_EQ(accesses[3], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .memory = Memory::kBt,
                                      .at = 192,
                                      .bytes = 128,
                                      .dtype = DType::kFloat,
                                      .iteration = 1}));
}

/// A case of the corpus can't state it: its comparison takes NaNs as one.
TEST(DataCopy, WidenedNansKeepSignAndPayload) {
  struct Row {
    std::uint16_t half;
    std::uint32_t wide;
  };
  for (const Row& row : {Row{0x7e00, 0x7fc00000}, Row{0xfd01, 0xffa02000},
                         Row{0x7c01, 0x7f802000}, Row{0x7fff, 0x7fffe000}}) {
    Board board;
    std::memcpy(&board[Memory::kL1][512], &row.half, sizeof row.half);
    ASSERT_TRUE(board.Executes(Widening()));
    std::uint32_t found = 0;
    std::memcpy(&found, board[Memory::kBt].data(), sizeof found);
    EXPECT_EQ(found, row.wide) << row.half;
  }
}

TEST(DataCopyBarrier, WhatWroteNothingDoesNotCount) {
  const Call in = Copy(Position::kGm, Position::kVecin);
  Board board;
  Call rejected = in;
  rejected.src(0).bytes = 31;
  EXPECT_EQ(BrokenOn(board, rejected), "BOUNDS");
  const Call nothing = CopyCount(Position::kGm, Position::kVecin, 15);
  EXPECT_EQ(BrokenOn(board, nothing), "");
  const Call call = CopyCount(Position::kGm, Position::kVecin, 31);
  EXPECT_EQ(BrokenOn(board, call), "");  // bytes 0 to 31
  Call next = in;
  next.dst().at = 32;
  EXPECT_EQ(BrokenOn(board, next), "");
  EXPECT_EQ(BrokenOn(board, nothing), "");
  EXPECT_EQ(BrokenOn(board, call), "BARRIER");
  next.dst().at = 33;  // breaks DC-DST-ALIGN
  EXPECT_TRUE(RunsExtended(board, isa::SetFlag{Event::kMte2S, 0}));
  EXPECT_TRUE(RunsExtended(board, isa::WaitFlag{Event::kMte2S, 0}));
  EXPECT_TRUE(RunsExtended(board, next));  // which counts too
  EXPECT_EQ(BrokenOn(board, in), "");
  next.dst().at = 64;
  EXPECT_EQ(BrokenOn(board, next), "BARRIER");
}

// ---- Whatever they break ----------------------------------------------------

std::string Anywhere(const Call& call, Product product = Product::kAtlasA2) {
  return test::Anywhere<Board>(call, product);
}

std::string_view Refusal(const Call& call,
                         Product product = Product::kAtlasA2) {
  Board board(product);
  return test::Refusal(board, call);
}

Bytes Part(Board& board, Memory memory, std::int64_t at, std::int64_t count) {
  const auto begin = board[memory].begin() + at;
  return {begin, begin + count};
}

TEST(DataCopyExtended, OverlappingBlocksInOrderEachReadBeforeItIsWritten) {
  Call call = Copy(Position::kVecin, Position::kVeccalc);
  SetBlocks(call, {2, 2, 0, 0});
  call.dst().at = 512 + 32;  // [512, 640) to [544, 672)
  EXPECT_EQ(Anywhere(call), "OVERLAP");
  Board board;
  const Bytes first = Part(board, Memory::kUb, 512, 64);
  const Bytes last = Part(board, Memory::kUb, 608, 32);
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 544, 64), first);
  // Block 1 begins with what block 0 wrote last.
  const Bytes second(first.begin() + 32, first.end());
  EXPECT_EQ(Part(board, Memory::kUb, 608, 32), second);
  EXPECT_EQ(Part(board, Memory::kUb, 640, 32), last);
  EXPECT_EQ(board.oracle.accesses().size(), 4U);
}

TEST(DataCopyExtended, NegativeGapsGoBack) {
  Call call = Copy(Position::kVecin, Position::kVeccalc);
  SetBlocks(call, {3, 1, 0, -2});
  call.dst().at = 128;  // blocks at 128, 96, 64
  EXPECT_EQ(Anywhere(call), "BOUNDS GAP");
  Board board;
  const Bytes third = Part(board, Memory::kUb, 512 + 64, 32);
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 64, 32), third);
  EXPECT_EQ(board.oracle.accesses()[5].at, 64);

  // What it wrote is under way, in whatever order.
  Call again = Copy(Position::kVecin, Position::kVeccalc);
  again.dst().at = 64;
  EXPECT_EQ(AnywhereOn(board, again), "BARRIER");
  again.dst().at = 32;
  EXPECT_EQ(AnywhereOn(board, again), "");
}

TEST(DataCopyExtended, MissingBarrierRunsInOrder) {
  const Call call = Copy(Position::kGm, Position::kVecin);
  Board board;
  ASSERT_TRUE(board.Executes(call));
  EXPECT_EQ(AnywhereOn(board, call), "BARRIER");
  Call other = call;
  other.src(0).at = 1024 + 2;
  other.src(0).bytes = 30;
  EXPECT_EQ(AnywhereOn(board, other), "BARRIER BOUNDS");
  ASSERT_TRUE(RunsExtended(board, other));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32),
            Part(board, Memory::kGm, 1026, 32));
  board.oracle.Execute(isa::PipeBarrier{.pipe = isa::Pipe::kMte2});
  EXPECT_EQ(AnywhereOn(board, call), "");
}

TEST(DataCopyExtended, RoutesThatDoNotExist) {
  Call call = Copy(Position::kA1, Position::kVecin);
  call.src(0).at = 515;
  EXPECT_EQ(Anywhere(call), "ROUTE SRC-ALIGN");
  Board board;
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32), Part(board, Memory::kL1, 515, 32));
  // No pipe moves from L1 to UB, so none needs a barrier.
  call.src(0).at = 512;
  EXPECT_EQ(AnywhereOn(board, call), "ROUTE");

  call = Copy(Position::kGm, Position::kVecin, DType::kBfloat16);
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining), "DTYPE");
  EXPECT_EQ(Anywhere(call, Product::kAtlas200_300_500), "PRODUCT");
  Board old(Product::kAtlas200_300_500);
  ASSERT_TRUE(RunsExtended(old, call));
  EXPECT_EQ(Part(old, Memory::kUb, 0, 32), Part(old, Memory::kGm, 512, 32));

  call = Copy(Position::kA1, Position::kC2pipe2gm);
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining), "ROUTE");
  EXPECT_EQ(Refusal(call, Product::kAtlasTraining),
            "dst's position has no memory here");
}

TEST(DataCopyExtended, WideningElsewhere) {
  Call call = Copy(Position::kVecin, Position::kVecout);
  call.dst().dtype = DType::kFloat;
  call.src(0).at = 0;  // onto itself: 32 bytes become 64
  EXPECT_EQ(Anywhere(call), "MIXED OVERLAP");
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining), "MIXED OVERLAP PRODUCT");
  Board board;
  auto& ub = board[Memory::kUb];
  for (std::size_t i = 0; i < 16; ++i) {  // 1, 2, 1, 2, …
    ub[2 * i] = 0;
    ub[2 * i + 1] = i % 2 == 0 ? 0x3c : 0x40;
  }
  ASSERT_TRUE(RunsExtended(board, call));
  for (std::int64_t i = 0; i < 16; ++i) {
    const Bytes one = {0, 0, 0x80, 0x3f};
    const Bytes two = {0, 0, 0, 0x40};
    EXPECT_EQ(Part(board, Memory::kUb, 4 * i, 4), i % 2 == 0 ? one : two) << i;
  }
  call.src(0).dtype = DType::kInt16;
  EXPECT_EQ(Refusal(call), "no conversion between these types");
  call = CopyCount(Position::kC1, Position::kC2, 32);
  call.dst().dtype = DType::kFloat;
  EXPECT_EQ(Anywhere(call), "MIXED");
  EXPECT_EQ(Refusal(call), "the form with count does not convert");
}

TEST(DataCopyExtended, CountsBeyondTheirRange) {
  struct Row {
    std::array<std::int64_t, 4> blocks;
    const char* rules;
    std::string_view reason;
  };
  const Row rows[] = {
      {{0, 1, 0, 0}, "", "it ran"},
      {{-1, 1, 0, 0}, "BLOCK-COUNT", "a negative count or length"},
      {{5000, 0, 0, 0}, "BLOCK-COUNT", "it ran"},
      {{kMax, 1, -1, -1},
       "BLOCK-COUNT GAP",
       "more than 1000000 accesses or 16 MiB"},
      {{kMax, kMax, kMax, test::kMin},
       "BLOCK-COUNT BLOCK-LEN BOUNDS GAP",
       "dst would reach outside its memory"},
  };
  Call call = Copy(Position::kGm, Position::kVecin);
  for (const Row& row : rows) {
    SetBlocks(call, row.blocks);
    EXPECT_EQ(Anywhere(call), row.rules) << row.reason;
    EXPECT_EQ(Refusal(call), row.reason);
  }
  SetBlocks(call, {5000, 1, 0, -1});
  call.src(0).bytes = 5000 * 32;
  EXPECT_EQ(Anywhere(call), "BLOCK-COUNT GAP");
  Board board;
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32),
            Part(board, Memory::kGm, 512 + 4999 * 32, 32));
  call = CopyCount(Position::kGm, Position::kVecin, kMax);
  EXPECT_EQ(Anywhere(call), "BOUNDS COUNT");
  EXPECT_EQ(Refusal(call), "dst would reach outside its memory");
}

}  // namespace
}  // namespace lanediff::oracle
