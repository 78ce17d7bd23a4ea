#include "oracle/copies.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "isa/data_copy.h"
#include "isa/vocabulary.h"
#include "oracle/data_copy_testing.h"

/// Runs of bytes by themselves, and as blocks, units, gaps and widening make
/// them. The bytes themselves are in data_copy_test.cc.
namespace lanediff::oracle {
namespace {

using isa::Position;
using Runs = std::vector<ByteRun>;

TEST(ByteRun, EndIsBehindTheLastByte) {
  EXPECT_TRUE((ByteRun{.at = 40, .bytes = 24}.end() == 64));
}

TEST(Merged, AscendsAndJoinsWhatTouches) {
  EXPECT_EQ(Merged({}), Runs{});
  EXPECT_EQ(Merged({{64, 32}, {0, 32}}), (Runs{{0, 32}, {64, 32}}));
  EXPECT_EQ(Merged({{32, 32}, {0, 32}}), (Runs{{0, 64}}));
  EXPECT_EQ(Merged({{0, 96}, {32, 32}, {95, 2}}), (Runs{{0, 97}}));
}

TEST(ShareBytes, EitherWayRound) {
  struct Row {
    Runs a, b;
    bool share;
  };
  const Row rows[] = {
      {{}, {}, false},
      {{}, {{0, 32}}, false},
      {{{0, 32}}, {{0, 32}}, true},
      {{{0, 32}}, {{32, 32}}, false},
      {{{0, 33}}, {{32, 32}}, true},
      {{{0, 96}}, {{32, 32}}, true},  // one inside the other
      {{{32, 1}}, {{31, 1}, {33, 1}}, false},
      {{{32, 1}}, {{31, 1}, {32, 1}}, true},
      {{{0, 32}, {64, 32}, {128, 32}}, {{32, 32}, {96, 32}}, false},
      {{{0, 32}, {64, 32}, {128, 32}}, {{32, 32}, {96, 33}}, true},
      {{{0, 32}, {64, 32}, {128, 32}}, {{160, 1}}, false},
      {{{0, 32}, {64, 32}, {128, 32}}, {{159, 1}}, true},
      {{{0, 8}, {8, 8}, {16, 8}}, {{24, 8}, {100, 8}}, false},
      {{{0, 8}, {90, 8}, {101, 8}}, {{24, 8}, {100, 8}}, true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ShareBytes(row.a, row.b), row.share);
    EXPECT_EQ(ShareBytes(row.b, row.a), row.share);
  }
}

TEST(ShareBytes, WhereOffsetsFill64Bits) {
  const Address far = Address{1} << 62;
  EXPECT_FALSE(ShareBytes({{2 * far - 1, 1}}, {{2 * far, 1}}));
  EXPECT_TRUE(ShareBytes({{2 * far - 1, 2}}, {{2 * far, 1}}));
  EXPECT_FALSE(ShareBytes({{-far, 32}}, {{far, 32}}));
  EXPECT_TRUE(ShareBytes({{-32, 33}}, {{0, 1}}));
}

/// [at, at + bytes) of everything written, as the last step's accesses list.
Runs Written(const isa::DataCopy& call) {
  test::Board board;
  EXPECT_TRUE(board.Executes(call));
  Runs runs;
  for (const isa::Access& access : board.oracle.accesses()) {
    if (access.write) runs.push_back({access.at, access.bytes});
  }
  return runs;
}

TEST(RunsOfACopy, UnitsGapsAndWidening) {
  struct Row {
    isa::DataCopy call;
    isa::DataCopyParams params;
    Runs written;
  };
  using test::Copy;
  const Row rows[] = {
      {Copy(Position::kGm, Position::kVecin),
       {2, 1, 5, 0},
       {{0, 32}, {32, 32}}},
      {Copy(Position::kGm, Position::kA1), {2, 3, 0, 1}, {{0, 96}, {128, 96}}},
      {Copy(Position::kC1, Position::kC2), {2, 1, 0, 0}, {{0, 64}, {64, 64}}},
      {Copy(Position::kC1, Position::kC2),
       {2, 2, 0, 1},
       {{0, 128}, {192, 128}}},
      {Copy(Position::kC1, Position::kC2pipe2gm),
       {2, 1, 0, 1},
       {{0, 128}, {256, 128}}},
      {test::Widening(), {2, 1, 0, 0}, {{0, 128}, {128, 128}}},
      {test::Widening(), {2, 1, 0, 2}, {{0, 128}, {256, 128}}},
  };
  for (const Row& row : rows) {
    isa::DataCopy call = row.call;
    call.params = row.params;
    EXPECT_TRUE(Written(call) == row.written)
        << Name(call.src.position) << ">" << Name(call.dst.position) << " "
        << row.params.block_len << " " << row.params.dst_gap;
  }
}

}  // namespace
}  // namespace lanediff::oracle
