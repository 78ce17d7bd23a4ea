#include "isa/data_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

/// What DataCopy copies and reports. Its rules are in data_copy_rules_test.cc
/// and data_copy_barrier_test.cc.
namespace lanediff::oracle {
namespace {

using isa::Memory;
using test::Board;
using test::Copy;
using test::CopyCount;
using test::Widening;
using Call = isa::DataCopy;

/// Bytes that one block moves.
struct Move {
  std::ptrdiff_t src, dst, bytes;
};

/// That `call` copies `moves` from one memory to another and changes nothing
/// else.
void ExpectMoves(const Call& call, Memory src, Memory dst,
                 const std::vector<Move>& moves,
                 Product product = Product::kAtlasA2) {
  Board board(product);
  auto expected = board.bytes;
  for (const Move& m : moves) {
    const auto from = board[src].begin() + m.src;
    std::copy(from, from + m.bytes,
              expected[static_cast<std::size_t>(dst)].begin() + m.dst);
  }
  EXPECT_TRUE(board.Executes(call));
  EXPECT_TRUE(board.bytes == expected)
      << Name(call.src.position) << ">" << Name(call.dst.position);
  const std::vector<isa::Access>& accesses = board.oracle.accesses();
  ASSERT_EQ(accesses.size(), 2 * moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(accesses[2 * i], (isa::Access{.operand = "src",
                                            .memory = src,
                                            .at = moves[i].src,
                                            .bytes = moves[i].bytes,
                                            .dtype = call.dtype,
                                            .iteration = static_cast<int>(i)}));
    EXPECT_EQ(accesses[2 * i + 1],
              (isa::Access{.operand = "dst",
                           .write = true,
                           .memory = dst,
                           .at = moves[i].dst,
                           .bytes = moves[i].bytes,
                           .dtype = call.dtype,
                           .iteration = static_cast<int>(i)}));
  }
}

TEST(DataCopy, UnitsAndGaps) {
  Call call = Copy(Position::kGm, Position::kVecin, DType::kFloat);
  call.src.at = 4;
  call.params = {.block_count = 3, .block_len = 2, .src_gap = 1, .dst_gap = 3};
  ExpectMoves(call, Memory::kGm, Memory::kUb,
              {{4, 0, 64}, {100, 160, 64}, {196, 320, 64}});

  // BiasTable: blockLen and dstGap count 64 bytes, srcGap 32.
  call = Copy(Position::kC1, Position::kC2);
  call.params = {.block_count = 3, .block_len = 1, .src_gap = 1, .dst_gap = 2};
  ExpectMoves(call, Memory::kL1, Memory::kBt,
              {{512, 0, 64}, {608, 192, 64}, {704, 384, 64}});

  // Fixpipe: 128 and 32.
  call = Copy(Position::kB1, Position::kC2pipe2gm);
  call.dst.at = 1024;
  call.dst.bytes = call.src.bytes = 1024;
  call.params = {.block_count = 2, .block_len = 2, .src_gap = 3, .dst_gap = 1};
  ExpectMoves(call, Memory::kL1, Memory::kFb,
              {{512, 1024, 256}, {864, 1408, 256}});
}

TEST(DataCopy, MemoryBehindThePosition) {
  ExpectMoves(Copy(Position::kCo2, Position::kGm), Memory::kUb, Memory::kGm,
              {{512, 0, 32}}, Product::kAtlasInferenceAicore);
  ExpectMoves(Copy(Position::kVeccalc, Position::kB1), Memory::kUb, Memory::kL1,
              {{512, 0, 32}}, Product::kAtlasInferenceAicore);
  ExpectMoves(Copy(Position::kVecout, Position::kTscm), Memory::kUb,
              Memory::kL1, {{512, 0, 32}});
  ExpectMoves(Copy(Position::kA1, Position::kGm), Memory::kL1, Memory::kGm,
              {{512, 0, 32}});
  Call same = Copy(Position::kVecin, Position::kVeccalc);
  same.dst.at = 512;
  ExpectMoves(same, Memory::kUb, Memory::kUb, {{512, 512, 32}});
}

TEST(DataCopy, CountCopiesWhole32BytesAndNotesTheRest) {
  struct Row {
    DType dtype;
    std::int64_t count;
    std::ptrdiff_t bytes;
    const char* notes;
  };
  const Row rows[] = {
      {DType::kHalf, 0, 0, "COUNT-EMPTY"},
      {DType::kHalf, 15, 0, "COUNT-EMPTY COUNT-FLOOR"},
      {DType::kHalf, 16, 32, ""},
      {DType::kHalf, 17, 32, "COUNT-FLOOR"},
      {DType::kInt8, 63, 32, "COUNT-FLOOR"},
      {DType::kInt8, 64, 64, ""},
      {DType::kFloat, 9, 32, "COUNT-FLOOR"},
      {DType::kDouble, 4, 32, ""},
      {DType::kDouble, 3, 0, "COUNT-EMPTY COUNT-FLOOR"},
      {DType::kUint64, 7, 32, "COUNT-FLOOR"},
  };
  for (const Row& row : rows) {
    const Call call =
        CopyCount(Position::kGm, Position::kVecin, row.count, row.dtype);
    std::vector<Move> moves;
    if (row.bytes > 0) moves.push_back({512, 0, row.bytes});
    ExpectMoves(call, Memory::kGm, Memory::kUb, moves);
    Board board;
    EXPECT_EQ(test::Notes(board, call), row.notes);
  }
  // Whatever the position: 96 bytes into the BiasTable.
  ExpectMoves(CopyCount(Position::kC1, Position::kC2, 48), Memory::kL1,
              Memory::kBt, {{512, 0, 96}});
  ExpectMoves(CopyCount(Position::kC1, Position::kC2pipe2gm, 48), Memory::kL1,
              Memory::kFb, {{512, 0, 96}});
  // The operands' own type decides: 8 floats, not 8 halves.
  Call call = CopyCount(Position::kGm, Position::kVecin, 8);
  call.src.dtype = call.dst.dtype = DType::kFloat;
  Board board;
  EXPECT_EQ(test::Notes(board, call), "");
  ASSERT_EQ(board.oracle.accesses().size(), 2U);
  EXPECT_EQ(board.oracle.accesses()[1].bytes, 32);
}

/// `bytes` of a little-endian number.
void Put(std::vector<std::uint8_t>& memory, std::size_t at, std::size_t bytes,
         std::uint64_t bits) {
  for (std::size_t i = 0; i < bytes; ++i) {
    memory.at(at + i) = static_cast<std::uint8_t>(bits >> (8 * i));
  }
}

TEST(DataCopy, WidensExactlyAndNansKeepTheirPayload) {
  struct Row {
    std::uint64_t half, wide;
  };
  const Row rows[] = {
      {0x0000, 0x00000000}, {0x8000, 0x80000000}, {0x3c00, 0x3f800000},
      {0xc000, 0xc0000000}, {0x3555, 0x3eaaa000}, {0x7bff, 0x477fe000},
      {0x0400, 0x38800000}, {0x0001, 0x33800000}, {0x8003, 0xb4400000},
      {0x03ff, 0x387fc000}, {0x7c00, 0x7f800000}, {0xfc00, 0xff800000},
      {0x7e00, 0x7fc00000}, {0xfd01, 0xffa02000}, {0x7c01, 0x7f802000},
      {0x7fff, 0x7fffe000},
  };
  Board board;
  auto& l1 = board[Memory::kL1];
  std::fill(l1.begin() + 512, l1.begin() + 1024, std::uint8_t{0});
  Call call = Widening();
  // Blocks of 32 halves from 512 and 608, to 0 and 128 + 64.
  call.params = {.block_count = 2, .block_len = 1, .src_gap = 1, .dst_gap = 1};
  auto expected = board.bytes;
  auto& bt = expected[static_cast<std::size_t>(Memory::kBt)];
  std::fill_n(bt.begin(), 128, std::uint8_t{0});
  std::fill_n(bt.begin() + 192, 128, std::uint8_t{0});
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    for (std::size_t block = 0; block < 2; ++block) {
      const std::size_t lane = 16 * block + i;  // block 1: the upper lanes
      Put(l1, 512 + 96 * block + 2 * lane, 2, rows[i].half);
      Put(bt, 192 * block + 4 * lane, 4, rows[i].wide);
    }
  }
  expected[static_cast<std::size_t>(Memory::kL1)] = l1;
  ASSERT_TRUE(board.Executes(call));
  EXPECT_EQ(board[Memory::kBt], bt);
  EXPECT_TRUE(board.bytes == expected);

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

TEST(DataCopy, IsNoArithmetic) {
  Board board;
  Put(board[Memory::kGm], 512, 2, 0xfd01);  // NaN, then infinity
  Put(board[Memory::kGm], 514, 2, 0x7c00);
  EXPECT_TRUE(board.Executes(Copy(Position::kGm, Position::kVecin)));
  EXPECT_EQ(board[Memory::kUb][0], 0x01);
  EXPECT_EQ(board[Memory::kUb][1], 0xfd);
  EXPECT_EQ(board[Memory::kUb][2], 0x00);
  EXPECT_EQ(board[Memory::kUb][3], 0x7c);
  EXPECT_EQ(board.oracle.node_count(), 0U);
}

}  // namespace
}  // namespace lanediff::oracle
