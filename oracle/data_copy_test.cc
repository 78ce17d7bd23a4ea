#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/call.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/hazards.h"
#include "oracle/testing.h"

/// What copies list and leave under way, and what those that break rules do.
/// corpus/data_copy and corpus/data_copy_pad have both sides of each rule, and
/// the bytes.
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

// ---- Copies that pad --------------------------------------------------------

using isa::Param;

/// One block of `bytes` from GM 515 behind `left` elements at UB 0, and `right`
/// elements behind it, with windows of 512 bytes.
Call PadIn(std::int64_t bytes, std::int64_t left, std::int64_t right,
           bool is_pad, DType dtype = DType::kHalf) {
  Call call = isa::CallOf("DataCopyPad");
  call.dtype = dtype;
  call.dst() = test::Window(Position::kVecin, 0, 512);
  call.src(0) = test::Window(Position::kGm, 515, 512);
  SetBlocks(call, {1, bytes, 0, 0});
  call[Param::kLeftPadding] = left;
  call[Param::kRightPadding] = right;
  call.is_pad = is_pad;
  return call;
}

/// One block of `bytes` from UB to GM 3.
Call PadOut(std::int64_t bytes, std::int64_t at = 64) {
  Call call = PadIn(bytes, 0, 0, false);
  call.form = 1;
  call.dst() = test::Window(Position::kGm, 3, 512);
  call.src(0) = test::Window(Position::kVecout, at, 512);
  return call;
}

Call With(const std::array<std::int64_t, 4>& blocks, Call call) {
  SetBlocks(call, blocks);
  return call;
}

/// Who follows what is unwritten or unspecified goes by the lanes: those of the
/// whole, or of the first element.
TEST(DataCopyPad, AccessesAndWhatIsUnderWayLegalOrNot) {
  struct Row {
    Call call;
    std::string rules;
    /// Of each the place, the bytes and the lane, iteration by iteration.
    std::string accesses;
  };
  Call mixed = PadIn(6, 1, 0, true);
  mixed.dst().dtype = DType::kFloat;
  // 40 elements before a block, and the next one 32 bytes before the last.
  Call back = With({2, 4, -1, -3}, PadIn(4, 40, 0, true, DType::kInt8));
  back.dst().at = 33;
  const Row rows[] = {
      {PadIn(20, 0, 0, false, DType::kFloat), "",
       "515+20@0 0+20@0 20+4@0 24+4@0 28+4@0"},
      {PadIn(20, 2, 0, true, DType::kFloat), "",
       "515+20@2 8+20@2 0+8@0 28+4@7"},
      {PadIn(20, 2, 0, false, DType::kFloat), "", "515+20@2 8+20@2"},
      {PadIn(32, 0, 0, true), "", "515+32@0 0+32@0"},
      {PadIn(0, 1, 1, true), "", ""},
      {With({0, 2, 0, 0}, PadOut(2)), "", ""},
      {With({3, 38, 1, 5}, PadOut(38)), "",
       "64+38@0 3+38@0; 160+38@0 46+38@0; 256+38@0 89+38@0"},
      {back, "BOUNDS DST-ALIGN GAP PADDING",
       "515+4@40 73+4@40 33+40@0 77+20@44; 518+4@40 41+4@40 1+40@0 45+20@44"},
      // A part of an element is moved where none pads with a value.
      {PadIn(3, 1, 0, false), "BLOCK-LEN", "515+3@1 2+3@1"},
      {PadOut(3), "BLOCK-LEN", "64+3@0 3+3@0"},
      {mixed, "DTYPE-MATCH", "515+6@1 2+6@1 0+2@0 8+24@4"},
  };
  for (const Row& row : rows) {
    Board board({Product::kAtlasA2, isa::Edition::k2024});
    EXPECT_EQ(AnywhereOn(board, row.call), row.rules) << row.accesses;
    ASSERT_TRUE(RunsExtended(board, row.call));
    std::string accesses;
    std::int64_t iteration = 0;
    for (const isa::Access& access : board.oracle.accesses()) {
      const bool in_ub = access.write == (row.call.form == 0);
      EXPECT_EQ(access.memory, in_ub ? Memory::kUb : Memory::kGm);
      EXPECT_EQ(access.operand, access.write ? "dst" : "src");
      EXPECT_EQ(access.dtype, row.call.dtype);
      for (; iteration < access.iteration; ++iteration) accesses += ";";
      accesses += (accesses.empty() ? "" : " ") + std::to_string(access.at) +
                  "+" + std::to_string(access.bytes) + "@" +
                  std::to_string(access.lane);
    }
    EXPECT_EQ(accesses, row.accesses);
    const bool wrote_ub = row.call.form == 0 && !row.accesses.empty();
    EXPECT_EQ(AnywhereOn(board, Copy(Position::kGm, Position::kVecin)),
              wrote_ub ? "BARRIER" : "");
  }
}

HazardQuestion Question(std::vector<isa::Step> program) {
  HazardQuestion question;
  for (const Memory memory : {Memory::kGm, Memory::kUb}) {
    question.written[static_cast<std::size_t>(memory)].assign(2048, true);
  }
  question.program = std::move(program);
  return question;
}

TEST(DataCopyPadHazards, WhatPadsIsUnwrittenWithoutAValueAndElseAsTheBlockIs) {
  struct Row {
    Call in;
    const char* found;  // bytes of UB that are unwritten behind it
    const char* propagated;
  };
  const Row rows[] = {
      {PadIn(26, 0, 0, true), "", "1 4 27 29 31"},
      {PadIn(26, 1, 0, true), "", "3 6"},
      {PadIn(26, 1, 0, false), "0 1 28 29 30 31", "0 1 3 6 28 29 30 31"},
  };
  Call whole = PadIn(32, 0, 0, false);
  whole.src(0).at = 1024;
  for (const Row& row : rows) {
    for (const int kind : {0, 1, 2, 3}) {
      const bool over = kind % 2 == 1;
      std::vector<isa::Step> program;
      if (over) program = {whole, isa::PipeBarrier{.pipe = isa::Pipe::kMte2}};
      // The empty one pads nothing.
      program.insert(program.end(),
                     {row.in, PadIn(0, 1, 0, false), PadOut(32, 0)});
      HazardQuestion question = Question(program);
      auto& gm = question.written[static_cast<std::size_t>(Memory::kGm)];
      gm[516] = gm[519] = false;
      question.written[static_cast<std::size_t>(Memory::kUb)].flip();
      question.propagate = kind >= 2;
      const auto answer = FindHazards(question);
      ASSERT_TRUE(answer && answer->rejected.empty());
      std::string found;
      for (const ByteHazard& hazard : answer->bytes) {
        EXPECT_EQ(hazard.rule, isa::sync::kInitRead);
        if (hazard.memory != Memory::kUb) continue;
        EXPECT_EQ(hazard.later.step, program.size() - 1);
        found += (found.empty() ? "" : " ") + std::to_string(hazard.at);
      }
      EXPECT_EQ(found, question.propagate ? row.propagated : row.found) << over;
    }
  }
}

TEST(DataCopyPadHazards, PaddingWithoutAValueMeetsOthers) {
  // Block 1 is padded at 96.
  HazardQuestion question =
      Question({With({2, 2, 0, 1}, PadIn(2, 16, 0, false)), PadOut(2, 96)});
  question.automatic = false;
  const auto answer = FindHazards(question);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->bytes.size(), 4U);
  EXPECT_EQ(answer->bytes[1], (ByteHazard{.rule = isa::sync::kRaw,
                                          .at = 97,
                                          .earlier = Toucher{0, "tmp", 1},
                                          .later = {1, "src", 0}}));
  EXPECT_EQ(answer->bytes[3].rule, isa::sync::kInitRead);
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

/// What the call breaks with `blocks`, and why it is refused.
struct Beyond {
  std::array<std::int64_t, 4> blocks;
  const char* rules;
  std::string_view reason;
};

void ExpectEach(const std::vector<Beyond>& rows, const Call& call) {
  for (const Beyond& row : rows) {
    const Call set = With(row.blocks, call);
    EXPECT_EQ(Anywhere(set), row.rules) << row.reason;
    EXPECT_EQ(Refusal(set), row.reason);
  }
}

TEST(DataCopyExtended, CountsBeyondTheirRange) {
  Call call = Copy(Position::kGm, Position::kVecin);
  ExpectEach({{{0, 1, 0, 0}, "", "it ran"},
              {{-1, 1, 0, 0}, "BLOCK-COUNT", "a negative count or length"},
              {{5000, 0, 0, 0}, "BLOCK-COUNT", "it ran"},
              {{kMax, 1, -1, -1},
               "BLOCK-COUNT GAP",
               "more than 1000000 accesses or 16 MiB"},
              {{kMax, kMax, kMax, test::kMin},
               "BLOCK-COUNT BLOCK-LEN BOUNDS GAP",
               "dst would reach outside its memory"}},
             call);
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

TEST(DataCopyPadExtended, NumbersBeyondTheirRange) {
  const std::string_view negative = "a negative count or length";
  const std::string_view outside = "dst would reach outside its memory";
  for (const Call& call :
       {PadIn(0, 1, 1, true), PadIn(0, 0, 0, true), PadOut(0)}) {
    ExpectEach(
        {{{-1, 6, 0, 0}, "BLOCK-COUNT", negative},
         {{1, test::kMin, 0, 0}, "BLOCK-LEN", negative},
         {{0, 3, 0, 0}, "BLOCK-LEN", "it ran"},
         {{1, 3, 0, 0},
          "BLOCK-LEN",
          call.form == 0 ? "blocks with a part of an element" : "it ran"},
         {{kMax, 0, kMax, kMax}, "BLOCK-COUNT GAP", "it ran"},
         {{2, 6, 0, test::kMin}, "BOUNDS GAP", outside},
         {{2, 6, kMax, 0}, "BOUNDS GAP", "src would reach outside its memory"},
         {{kMax, kMax, kMax, test::kMin},
          "BLOCK-COUNT BLOCK-LEN BOUNDS GAP",
          outside}},
        call);
  }
  Call call = PadIn(6, 1, 1, true);
  ExpectEach({{{kMax, 6, -6, -1},  // all in the same place
               "BLOCK-COUNT GAP",
               "more than 1000000 accesses or 16 MiB"}},
             call);
  for (const Param side : {Param::kLeftPadding, Param::kRightPadding}) {
    call[side] = test::kMin;
    ExpectEach({{{1, 6, 0, 0}, "PADDING", negative}}, call);
    call[side] = kMax;
    ExpectEach({{{1, 6, 0, 0}, "BOUNDS PADDING", outside}}, call);
    call[side] = 1;
  }
}

TEST(DataCopyPadExtended, WithinUbWhatABlockWasIsMovedAndRepeated) {
  Call call = PadIn(6, 0, 0, true);
  call.src(0) = call.dst();
  call.src(0).at = 30;
  EXPECT_EQ(Anywhere(call), "ROUTE");
  Board board;
  const Bytes block = Part(board, Memory::kUb, 30, 6);
  ASSERT_TRUE(RunsExtended(board, call));
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(board[Memory::kUb][i], block[i < 6 ? i : i % 2]) << i;
  }
}

}  // namespace
}  // namespace lanediff::oracle
