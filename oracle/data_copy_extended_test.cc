#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "isa/data_copy.h"
#include "isa/state.h"
#include "oracle/data_copy_testing.h"
#include "oracle/extended_testing.h"

/// DataCopies that break rules, and what they would do.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Memory;
using isa::Position;
using isa::Product;
using test::Board;
using test::Copy;
using test::CopyCount;
using test::Ids;
using test::RunsExtended;
using Bytes = std::vector<std::uint8_t>;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Ids Anywhere(const isa::DataCopy& call, Product product = Product::kAtlasA2) {
  const Board board(product);
  return test::Texts(board.oracle.BrokenAnywhere(call));
}

std::string_view Reason(const isa::DataCopy& call,
                        Product product = Product::kAtlasA2) {
  Board board(product);
  const auto before = board.bytes;
  const auto done = board.oracle.ExecuteExtended(call);
  EXPECT_EQ(board.bytes, before);
  EXPECT_TRUE(board.oracle.accesses().empty());
  return done ? "it ran" : done.error();
}

Bytes Part(Board& board, Memory memory, std::int64_t at, std::int64_t count) {
  const auto begin = board[memory].begin() + at;
  return {begin, begin + count};
}

TEST(DataCopyExtended, OverlappingBlocksInOrderEachReadBeforeItIsWritten) {
  isa::DataCopy call = Copy(Position::kVecin, Position::kVeccalc);
  call.params = {.block_count = 2, .block_len = 2, .src_gap = 0, .dst_gap = 0};
  call.dst.at = 512 + 32;  // [512, 640) to [544, 672)
  EXPECT_EQ(Anywhere(call), Ids{"DC-OVERLAP"});
  Board board;
  const Bytes first = Part(board, Memory::kUb, 512, 64);
  const Bytes last = Part(board, Memory::kUb, 608, 32);
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 544, 64), first);
  // Block 1 begins with what block 0 wrote last.
  const Bytes second(first.begin() + 32, first.end());
  EXPECT_EQ(Part(board, Memory::kUb, 608, 32), second);
  EXPECT_EQ(Part(board, Memory::kUb, 640, 32), last);
  EXPECT_EQ(board.oracle.accesses().size(), 4u);
}

TEST(DataCopyExtended, NegativeGapsGoBack) {
  isa::DataCopy call = Copy(Position::kVecin, Position::kVeccalc);
  call.params = {.block_count = 3, .block_len = 1, .src_gap = 0, .dst_gap = -2};
  call.dst.at = 128;  // blocks at 128, 96, 64
  EXPECT_EQ(Anywhere(call), (Ids{"DC-BOUNDS", "DC-GAP"}));
  Board board;
  const Bytes third = Part(board, Memory::kUb, 512 + 64, 32);
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 64, 32), third);
  EXPECT_EQ(board.oracle.accesses()[5].at, 64);

  // What it wrote is under way, in whatever order.
  isa::DataCopy again = Copy(Position::kVecin, Position::kVeccalc);
  again.dst.at = 64;
  EXPECT_EQ(test::Texts(board.oracle.BrokenAnywhere(again)), Ids{"DC-BARRIER"});
  again.dst.at = 32;
  EXPECT_TRUE(board.oracle.BrokenAnywhere(again).empty());
}

TEST(DataCopyExtended, MissingBarrierRunsInOrder) {
  const isa::DataCopy call = Copy(Position::kGm, Position::kVecin);
  Board board;
  ASSERT_TRUE(board.Executes(call));
  EXPECT_EQ(test::Texts(board.oracle.BrokenAnywhere(call)), Ids{"DC-BARRIER"});
  isa::DataCopy other = call;
  other.src.at = 1024 + 2;
  other.src.bytes = 30;
  EXPECT_EQ(test::Texts(board.oracle.BrokenAnywhere(other)),
            (Ids{"DC-BARRIER", "DC-BOUNDS"}));
  ASSERT_TRUE(RunsExtended(board, other));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32),
            Part(board, Memory::kGm, 1026, 32));
  board.oracle.Execute(isa::PipeBarrier{.pipe = isa::Pipe::kMte2});
  EXPECT_TRUE(board.oracle.BrokenAnywhere(call).empty());
}

TEST(DataCopyExtended, RoutesThatDoNotExist) {
  isa::DataCopy call = Copy(Position::kA1, Position::kVecin);
  call.src.at = 515;
  EXPECT_EQ(Anywhere(call), (Ids{"DC-ROUTE", "DC-SRC-ALIGN"}));
  Board board;
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32), Part(board, Memory::kL1, 515, 32));
  // No pipe moves from L1 to UB, so none needs a barrier.
  call.src.at = 512;
  EXPECT_EQ(test::Texts(board.oracle.BrokenAnywhere(call)), Ids{"DC-ROUTE"});

  call = Copy(Position::kGm, Position::kVecin, DType::kBfloat16);
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining), Ids{"DC-DTYPE"});
  EXPECT_EQ(Anywhere(call, Product::kAtlas200_300_500), Ids{"DC-PRODUCT"});
  Board old(Product::kAtlas200_300_500);
  ASSERT_TRUE(RunsExtended(old, call));
  EXPECT_EQ(Part(old, Memory::kUb, 0, 32), Part(old, Memory::kGm, 512, 32));

  call = Copy(Position::kA1, Position::kC2pipe2gm);
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining), Ids{"DC-ROUTE"});
  EXPECT_EQ(Reason(call, Product::kAtlasTraining),
            "dst's position has no memory here");
}

TEST(DataCopyExtended, WideningElsewhere) {
  isa::DataCopy call = Copy(Position::kVecin, Position::kVecout);
  call.dst.dtype = DType::kFloat;
  call.src.at = 0;  // onto itself: 32 bytes become 64
  EXPECT_EQ(Anywhere(call), (Ids{"DC-MIXED", "DC-OVERLAP"}));
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining),
            (Ids{"DC-MIXED", "DC-OVERLAP", "DC-PRODUCT"}));
  Board board;
  auto& ub = board[Memory::kUb];
  for (std::size_t i = 0; i < 16; ++i) {  // 1, 2, 1, 2, …
    ub[2 * i] = 0;
    ub[2 * i + 1] = i % 2 == 0 ? 0x3c : 0x40;
  }
  ASSERT_TRUE(RunsExtended(board, call));
  for (std::size_t i = 0; i < 16; ++i) {
    const Bytes one = {0, 0, 0x80, 0x3f};
    const Bytes two = {0, 0, 0, 0x40};
    EXPECT_EQ(Part(board, Memory::kUb, static_cast<std::int64_t>(4 * i), 4),
              i % 2 == 0 ? one : two)
        << i;
  }
  call.src.dtype = DType::kInt16;
  EXPECT_EQ(Reason(call), "no conversion between these types");
  call = CopyCount(Position::kC1, Position::kC2, 32);
  call.dst.dtype = DType::kFloat;
  EXPECT_EQ(Anywhere(call), Ids{"DC-MIXED"});
  EXPECT_EQ(Reason(call), "the form with count does not convert");
}

TEST(DataCopyExtended, CountsBeyondTheirRange) {
  isa::DataCopy call = Copy(Position::kGm, Position::kVecin);
  call.params.block_count = 0;
  EXPECT_EQ(Anywhere(call), Ids());
  EXPECT_EQ(Reason(call), "it ran");
  call.params.block_count = -1;
  EXPECT_EQ(Reason(call), "a negative count or length");
  call.params = {.block_count = 5000, .block_len = 0};
  EXPECT_EQ(Anywhere(call), Ids{"DC-BLOCK-COUNT"});
  EXPECT_EQ(Reason(call), "it ran");
  call.params = {.block_count = 5000, .block_len = 1, .dst_gap = -1};
  call.src.bytes = 5000 * 32;
  EXPECT_EQ(Anywhere(call), (Ids{"DC-BLOCK-COUNT", "DC-GAP"}));
  Board board;
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32),
            Part(board, Memory::kGm, 512 + 4999 * 32, 32));
  call.params = {
      .block_count = kMax, .block_len = 1, .src_gap = -1, .dst_gap = -1};
  EXPECT_EQ(Anywhere(call), (Ids{"DC-BLOCK-COUNT", "DC-GAP"}));
  EXPECT_EQ(Reason(call), "more than 1000000 accesses or 16 MiB");
  call.params = {.block_count = kMax,
                 .block_len = kMax,
                 .src_gap = kMax,
                 .dst_gap = -kMax - 1};
  EXPECT_EQ(Anywhere(call),
            (Ids{"DC-BLOCK-COUNT", "DC-BLOCK-LEN", "DC-BOUNDS", "DC-GAP"}));
  EXPECT_EQ(Reason(call), "dst would reach outside its memory");
  call = CopyCount(Position::kGm, Position::kVecin, kMax);
  EXPECT_EQ(Anywhere(call), (Ids{"DC-BOUNDS", "DC-COUNT"}));
  EXPECT_EQ(Reason(call), "dst would reach outside its memory");
}

}  // namespace
}  // namespace lanediff::oracle
