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

/// What copies list, pad with and leave under way, and what those that break
/// rules do. corpus/data_copy and corpus/data_copy_pad have both sides of each
/// rule.
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
using test::PadIn;
using test::PadOut;

void Put(Bytes& to, std::int64_t at, const Bytes& from, std::int64_t first,
         std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    to.at(static_cast<std::size_t>(at + i)) =
        from.at(static_cast<std::size_t>(first + i));
  }
}

TEST(DataCopyPad, PadsWithItsValueOrWithWhatWasThere) {
  struct Row {
    DType dtype;
    std::int64_t length, left, right;
    std::int64_t before, whole;  // bytes
  };
  const Row rows[] = {
      {DType::kHalf, 6, 3, 0, 6, 32},    {DType::kHalf, 6, 0, 1, 0, 32},
      {DType::kHalf, 6, 16, 16, 32, 96}, {DType::kFloat, 8, 2, 4, 8, 32},
      {DType::kFloat, 8, 2, 5, 8, 64},   {DType::kDouble, 8, 1, 0, 8, 32},
      {DType::kUint8, 7, 1, 0, 1, 32},   {DType::kBfloat16, 64, 0, 16, 0, 96},
  };
  for (const Row& row : rows) {
    const Bytes value(64, row.dtype == DType::kDouble ? 0 : 0xc7);
    for (const bool is_pad : {true, false}) {
      Call call = PadIn(row.length, row.left, row.right, is_pad, row.dtype);
      SetBlocks(call, {2, row.length, 23, 1});  // bytes, and units of 32
      Board board;
      Bytes expected = board[Memory::kUb];
      for (std::int64_t i = 0; i < 2; ++i) {
        const std::int64_t start = i * (row.whole + 32);
        const std::int64_t behind = row.before + row.length;
        if (is_pad) {
          Put(expected, start, value, 0, row.before);
          Put(expected, start + behind, value, 0, row.whole - behind);
        }
        Put(expected, start + row.before, board[Memory::kGm],
            515 + i * (row.length + 23), row.length);
      }
      EXPECT_EQ(BrokenOn(board, call), "");
      EXPECT_TRUE(board[Memory::kUb] == expected)
          << row.length << " " << row.left << " " << is_pad;
    }
  }
}

TEST(DataCopyPad, WithoutPaddingRepeatsTheFirstElementOfEachBlock) {
  for (const bool is_pad : {false, true}) {
    for (const DType dtype : {DType::kInt8, DType::kHalf, DType::kFloat}) {
      Call call = PadIn(44, 0, 0, is_pad, dtype);
      SetBlocks(call, {2, 44, 0, 0});
      Board board;
      Bytes expected = board[Memory::kUb];
      const std::int64_t size = dtype == DType::kInt8   ? 1
                                : dtype == DType::kHalf ? 2
                                                        : 4;
      for (std::int64_t i = 0; i < 2; ++i) {
        Put(expected, i * 64, board[Memory::kGm], 515 + i * 44, 44);
        for (std::int64_t at = 44; at < 64; at += size) {
          Put(expected, i * 64 + at, board[Memory::kGm], 515 + i * 44, size);
        }
      }
      EXPECT_EQ(BrokenOn(board, call), "");
      EXPECT_TRUE(board[Memory::kUb] == expected) << size << " " << is_pad;
    }
  }
}

TEST(DataCopyPad, OutOfUbBlocksAloneAreMoved) {
  Call call = PadOut(38);
  SetBlocks(call, {3, 38, 1, 5});  // units of 32, and bytes
  Board board;
  Bytes expected = board[Memory::kGm];
  for (std::int64_t i = 0; i < 3; ++i) {
    Put(expected, 3 + i * 43, board[Memory::kUb], 64 + i * 96, 38);
  }
  EXPECT_EQ(BrokenOn(board, call), "");
  EXPECT_TRUE(board[Memory::kGm] == expected);
  ASSERT_EQ(board.oracle.accesses().size(), 6U);
  EXPECT_EQ(board.oracle.accesses()[4], (isa::Access{.operand = "src",
                                                     .memory = Memory::kUb,
                                                     .at = 64 + 192,
                                                     .bytes = 38,
                                                     .iteration = 2}));
}

/// "515+20@0 0+20@0 …": of each access the place, the bytes and the lane.
std::string AccessesOf(const Call& call) {
  Board board;
  EXPECT_TRUE(board.Executes(call));
  std::string text;
  for (const isa::Access& access : board.oracle.accesses()) {
    EXPECT_EQ(access.dtype, call.dtype);
    EXPECT_EQ(access.operand, access.write ? "dst" : "src");
    EXPECT_EQ(access.memory, access.write ? Memory::kUb : Memory::kGm);
    text += (text.empty() ? "" : " ") + std::to_string(access.at) + "+" +
            std::to_string(access.bytes) + "@" + std::to_string(access.lane);
  }
  return text;
}

/// Who follows what is unwritten or unspecified goes by the lanes.
TEST(DataCopyPad, LanesAreThoseOfTheWholeOrOfTheFirstElement) {
  EXPECT_EQ(AccessesOf(PadIn(20, 0, 0, false, DType::kFloat)),
            "515+20@0 0+20@0 20+4@0 24+4@0 28+4@0");
  EXPECT_EQ(AccessesOf(PadIn(20, 2, 0, true, DType::kFloat)),
            "515+20@2 8+20@2 0+8@0 28+4@7");
  EXPECT_EQ(AccessesOf(PadIn(20, 2, 0, false, DType::kFloat)),
            "515+20@2 8+20@2");
  EXPECT_EQ(AccessesOf(PadIn(32, 0, 0, true)), "515+32@0 0+32@0");
}

TEST(DataCopyPad, NothingIsPaddedWithoutBytesOrBlocks) {
  for (Call call : {PadIn(0, 1, 1, true), PadOut(0)}) {
    for (const std::int64_t blocks : {4095, 0}) {
      call[Param::kBlockCount] = blocks;
      if (blocks == 0) call[Param::kBlockLen] = 2;
      Board board;
      const auto before = board.bytes;
      const isa::StepResult result = board.Execute(call);
      EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
      EXPECT_EQ(test::Texts(call, result.notes), "BLOCK-EMPTY");
      EXPECT_TRUE(board.oracle.accesses().empty());
      EXPECT_TRUE(board.bytes == before);
    }
    call.dst().bytes = 262145;
    EXPECT_EQ(test::Broken<Board>(call), "BOUNDS");
  }
}

/// Both when executed and each by itself, in whatever edition.
void ExpectRules(const std::string& rules, const Call& call) {
  Board board({Product::kAtlasA2, isa::Edition::k2024});
  EXPECT_EQ(AnywhereOn(board, call), rules);
  EXPECT_EQ(BrokenOn(board, call), rules);
}

/// In windows of so many bytes, and of one less.
void ExpectBounds(Call call, std::int64_t dst, std::int64_t src) {
  call.dst().bytes = dst;
  call.src(0).bytes = src;
  ExpectRules("", call);
  --call.dst().bytes;
  ExpectRules("BOUNDS", call);
  ++call.dst().bytes;
  --call.src(0).bytes;
  ExpectRules("BOUNDS", call);
}

TEST(DataCopyPadRules, WindowsHoldWhatPadsSpecifiedOrNot) {
  ExpectBounds(PadIn(2, 0, 0, false), 32, 2);
  for (const bool is_pad : {false, true}) {
    ExpectBounds(PadIn(2, 1, 0, is_pad), 32, 2);
    Call call = PadIn(2, 0, 16, is_pad);  // 34 of 64 bytes
    SetBlocks(call, {2, 2, 3, 1});
    ExpectBounds(call, 64 + 32 + 64, 2 + 3 + 2);
  }
  // Out of UB no more than blocks is read.
  Call call = PadOut(6);
  SetBlocks(call, {2, 6, 1, 1});
  ExpectBounds(call, 6 + 1 + 6, 32 + 32 + 6);
  // The end of UB.
  call = PadIn(2, 0, 16, false);
  call.dst() = test::Window(Position::kVecout, 196608 - 64, 64);
  ExpectRules("", call);
  call.dst() = test::Window(Position::kVecout, 196608 - 32, 64);
  ExpectRules("BOUNDS", call);
}

TEST(DataCopyPadBarrier, PaddingWithoutAValueIsWrittenToo) {
  const auto copy_to = [](std::int64_t at) {
    Call call = Copy(Position::kGm, Position::kVecin);
    call.dst().at = at;
    return call;
  };
  Call call = PadIn(2, 16, 0, false);
  SetBlocks(call, {2, 2, 0, 1});  // bytes 0 to 63, and 96 to 159
  for (const bool pads_first : {false, true}) {
    for (const std::int64_t at : {0, 32, 64, 96, 128, 160}) {
      const char* const rules = at == 64 || at == 160 ? "" : "BARRIER";
      Board board;
      const Call copy = copy_to(at);
      EXPECT_EQ(BrokenOn(board, PadIn(0, 16, 0, true)), "");
      EXPECT_EQ(BrokenOn(board, pads_first ? call : copy), "");
      const Call& next = pads_first ? copy : call;
      EXPECT_EQ(AnywhereOn(board, next), rules);
      EXPECT_EQ(BrokenOn(board, next), rules) << at;
      EXPECT_EQ(BrokenOn(board, PadOut(6)), "");  // on another pipe
      EXPECT_EQ(BrokenOn(board, PadOut(6)), "BARRIER");
      board.Execute(isa::PipeBarrier{.pipe = isa::Pipe::kMte2});
      EXPECT_EQ(BrokenOn(board, next), "");
      EXPECT_EQ(BrokenOn(board, PadOut(6)), "BARRIER");
    }
  }
}

/// "6 7 …": the bytes of UB that the last step of `program` reads unwritten.
std::string Unwritten(std::vector<isa::Step> program, bool propagate,
                      const std::vector<std::size_t>& unwritten_gm = {}) {
  HazardQuestion question;
  question.written[static_cast<std::size_t>(Memory::kGm)].assign(2048, true);
  question.written[static_cast<std::size_t>(Memory::kUb)].assign(2048, false);
  for (const std::size_t at : unwritten_gm) {
    question.written[static_cast<std::size_t>(Memory::kGm)][at] = false;
  }
  question.program = std::move(program);
  question.propagate = propagate;
  std::string text;
  const auto answer = FindHazards(question);
  EXPECT_TRUE(answer && answer->rejected.empty());
  if (!answer) return "no answer";
  for (const ByteHazard& hazard : answer->bytes) {
    EXPECT_EQ(hazard.rule, isa::sync::kInitRead);
    if (hazard.memory != Memory::kUb) continue;
    EXPECT_EQ(hazard.later.step, question.program.size() - 1);
    text += (text.empty() ? "" : " ") + std::to_string(hazard.at);
  }
  return text;
}

TEST(DataCopyPadHazards, PaddingWithoutAValueIsUnwrittenWhateverWasThere) {
  Call whole = PadIn(32, 0, 0, false);
  Call out = PadOut(32);
  out.src(0).at = 0;
  const isa::PipeBarrier barrier{.pipe = isa::Pipe::kMte2};
  for (const bool propagate : {false, true}) {
    const auto after = [&](const Call& call) {
      return Unwritten({whole, barrier, call, out}, propagate);
    };
    EXPECT_EQ(after(PadIn(28, 1, 0, false)), "0 1 30 31");
    EXPECT_EQ(after(PadIn(28, 1, 0, true)), "");
    EXPECT_EQ(after(PadIn(28, 0, 0, false)), "");
    EXPECT_EQ(after(PadIn(0, 1, 0, false)), "");
  }
}

TEST(DataCopyPadHazards, UnwrittenBytesTravelWithBlocksAndFirstElements) {
  Call out = PadOut(32);
  out.src(0).at = 0;
  EXPECT_EQ(Unwritten({PadIn(26, 0, 0, true), out}, true, {516, 519}),
            "1 4 27 29 31");
  EXPECT_EQ(Unwritten({PadIn(26, 1, 0, true), out}, true, {516, 519}), "3 6");
  EXPECT_EQ(Unwritten({PadIn(26, 1, 0, false), out}, true, {516, 519}),
            "0 1 3 6 28 29 30 31");
  // Without it the first step is reported, and what it writes is written.
  EXPECT_EQ(Unwritten({PadIn(26, 1, 0, true), out}, false, {516, 519}), "");
}

TEST(DataCopyPadHazards, PaddingWithoutAValueMeetsOthers) {
  HazardQuestion question;
  question.written[static_cast<std::size_t>(Memory::kGm)].assign(2048, true);
  question.written[static_cast<std::size_t>(Memory::kUb)].assign(2048, true);
  question.automatic = false;
  Call out = PadOut(2);
  out.src(0).at = 96;
  Call in = PadIn(2, 16, 0, false);
  SetBlocks(in, {2, 2, 0, 1});  // block 1 is padded at 96
  question.program = {in, out};
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

TEST(DataCopyPadExtended, NumbersBeyondTheirRange) {
  using enum Param;
  struct Row {
    std::array<std::int64_t, 4> blocks;
    const char* rules;
    std::string_view reason;
  };
  const std::string_view negative = "a negative count or length";
  const std::string_view outside = "dst would reach outside its memory";
  const Row rows[] = {
      {{-1, 6, 0, 0}, "BLOCK-COUNT", negative},
      {{1, test::kMin, 0, 0}, "BLOCK-LEN", negative},
      {{0, 3, 0, 0}, "BLOCK-LEN", "it ran"},
      {{kMax, 0, kMax, kMax}, "BLOCK-COUNT GAP", "it ran"},
      {{2, 6, 0, test::kMin}, "BOUNDS GAP", outside},
      {{2, 6, kMax, 0}, "BOUNDS GAP", "src would reach outside its memory"},
      {{kMax, kMax, kMax, test::kMin},
       "BLOCK-COUNT BLOCK-LEN BOUNDS GAP",
       outside},
  };
  for (const Row& row : rows) {
    for (Call call : {PadIn(0, 1, 1, true), PadIn(0, 0, 0, true), PadOut(0)}) {
      SetBlocks(call, row.blocks);
      EXPECT_EQ(Anywhere(call), row.rules) << row.reason;
      EXPECT_EQ(Refusal(call), row.reason);
    }
  }
  for (const Call& call : {PadIn(3, 1, 1, true), PadIn(3, 0, 0, false)}) {
    EXPECT_EQ(Anywhere(call), "BLOCK-LEN");
    EXPECT_EQ(Refusal(call), "blocks with a part of an element");
  }
  Call call = PadIn(6, 1, 1, true);
  SetBlocks(call, {kMax, 6, -6, -1});  // all in the same place
  EXPECT_EQ(Anywhere(call), "BLOCK-COUNT GAP");
  EXPECT_EQ(Refusal(call), "more than 1000000 accesses or 16 MiB");
  for (const Param side : {kLeftPadding, kRightPadding}) {
    call = PadIn(6, 1, 1, true);
    call[side] = test::kMin;
    EXPECT_EQ(Anywhere(call), "PADDING");
    EXPECT_EQ(Refusal(call), negative);
    call[side] = kMax;
    EXPECT_EQ(Anywhere(call), "BOUNDS PADDING");
    EXPECT_EQ(Refusal(call), outside);
  }
}

TEST(DataCopyPadExtended, FormulasGoOn) {
  // 40 elements before a block, and the next one 32 bytes before the last.
  Call call = PadIn(4, 40, 0, true, DType::kInt8);
  SetBlocks(call, {2, 4, -1, -3});
  call.dst().at = 33;
  EXPECT_EQ(Anywhere(call), "BOUNDS DST-ALIGN GAP PADDING");
  Board board;
  Bytes expected = board[Memory::kUb];
  const Bytes value(96, 0xc7);
  Put(expected, 1, value, 0, 96);
  Put(expected, 33 + 40, board[Memory::kGm], 515, 4);
  Put(expected, 1 + 40, board[Memory::kGm], 518, 4);
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_TRUE(board[Memory::kUb] == expected);
  EXPECT_EQ(AnywhereOn(board, Copy(Position::kGm, Position::kVecin)),
            "BARRIER");

  // Within UB, whose operands may meet: what a block was is moved and repeated.
  call = PadIn(6, 0, 0, true);
  call.src(0) = call.dst();
  call.src(0).at = 30;
  EXPECT_EQ(Anywhere(call), "ROUTE");
  Board within;
  expected = within[Memory::kUb];
  const Bytes before = expected;
  Put(expected, 0, before, 30, 6);
  for (std::int64_t at = 6; at < 32; at += 2) Put(expected, at, before, 30, 2);
  ASSERT_TRUE(RunsExtended(within, call));
  EXPECT_TRUE(within[Memory::kUb] == expected);

  // A part of an element is moved where none pads with a value.
  for (Call part : {PadIn(3, 1, 0, false), PadOut(3)}) {
    EXPECT_EQ(Anywhere(part), "BLOCK-LEN");
    Board moved;
    std::array all = {moved[Memory::kUb], moved[Memory::kGm]};
    if (part.form == 0) {
      Put(all[0], 2, all[1], 515, 3);
    } else {
      Put(all[1], 3, all[0], 64, 3);
    }
    ASSERT_TRUE(RunsExtended(moved, part));
    EXPECT_TRUE(moved[Memory::kUb] == all[0] && moved[Memory::kGm] == all[1]);
  }

  // Elements have the call's type, whatever the operands' own.
  call = PadIn(6, 1, 0, true);
  call.dst().dtype = DType::kFloat;
  EXPECT_EQ(Anywhere(call), "DTYPE-MATCH");
  ASSERT_TRUE(RunsExtended(within, call));
  EXPECT_EQ(within.oracle.accesses()[1].at, 2);
  EXPECT_EQ(within.oracle.accesses()[1].dtype, DType::kHalf);
}

}  // namespace
}  // namespace lanediff::oracle
