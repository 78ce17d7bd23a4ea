#include "oracle/data_copy_rules.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/data_copy.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

/// Which calls of DataCopy are legal, and what those that are not would do.
/// corpus/data_copy has both sides of the boundaries of ranges, alignments and
/// windows; DC-BARRIER is in data_copy_barrier_test.cc.
namespace lanediff::oracle {
namespace {

using isa::Memory;
using test::All;
using test::Board;
using test::Copy;
using test::CopyCount;
using test::kMax;
using test::Widening;
using Call = isa::DataCopy;
using Bytes = std::vector<std::uint8_t>;

std::string Broken(const Call& call, isa::Profile profile = Product::kAtlasA2) {
  return test::Broken<Board>(call, profile);
}
std::string Anywhere(const Call& call, Product product = Product::kAtlasA2) {
  return test::Anywhere<Board>(call, product);
}

/// Tables 4 to 6 with the route of the example.
std::string_view Routes(Product product) {
  switch (product) {
    case Product::kAtlasTraining:
      return " GM>VECIN GM>A1 GM>B1 VECIN>VECCALC VECCALC>VECOUT VECIN>VECOUT "
             "VECOUT>GM ";
    case Product::kAtlasInferenceAicore:
      return " GM>VECIN GM>A1 GM>B1 VECIN>VECCALC VECCALC>VECOUT VECIN>VECOUT "
             "VECIN>A1 VECIN>B1 VECCALC>A1 VECCALC>B1 VECOUT>A1 VECOUT>B1 "
             "VECOUT>GM CO2>GM ";
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
      return " GM>VECIN VECOUT>GM ";
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return " GM>VECIN GM>A1 GM>B1 GM>C1 VECIN>VECCALC VECCALC>VECOUT "
             "VECIN>VECOUT VECIN>TSCM VECCALC>TSCM VECOUT>TSCM A1>C2PIPE2GM "
             "B1>C2PIPE2GM C1>C2PIPE2GM C1>C2 VECOUT>GM A1>GM B1>GM ";
    case Product::kAtlas200_300_500:
      return "";
  }
  return "";
}

TEST(DataCopyRules, EveryRouteOnEveryProduct) {
  for (const Product product : All<Product>()) {
    const bool has = product != Product::kAtlas200_300_500;
    for (const Position src : All<Position>()) {
      for (const Position dst : All<Position>()) {
        const auto route = std::string(" ")
                               .append(Name(src))
                               .append(">")
                               .append(Name(dst))
                               .append(" ");
        EXPECT_EQ(Broken(Copy(src, dst), product),
                  !has                              ? "PRODUCT"
                  : Routes(product).contains(route) ? ""
                                                    : "ROUTE")
            << Name(product) << route;
      }
    }
  }
}

TEST(DataCopyRules, TypesAndWidening) {
  for (const Product product : All<Product>()) {
    const bool a2_or_a3 =
        product == Product::kAtlasA2 || product == Product::kAtlasA3;
    EXPECT_EQ(Broken(Widening(), product), a2_or_a3 ? "" : "PRODUCT");
    if (product == Product::kAtlas200_300_500) continue;
    const bool b_plus = a2_or_a3 || product == Product::kAtlas200i500A2;
    for (const DType dtype : All<DType>()) {
      const char* const rules =
          b_plus || dtype != DType::kBfloat16 ? "" : "DTYPE";
      EXPECT_EQ(Broken(Copy(Position::kGm, Position::kVecin, dtype), product),
                rules);
      EXPECT_EQ(Broken(Copy(Position::kVecout, Position::kGm, dtype), product),
                rules);
      // Not looked at where there is no route.
      EXPECT_EQ(
          Broken(Copy(Position::kVecout, Position::kVecin, dtype), product),
          "ROUTE");
    }
  }
  for (const Position src : {Position::kA1, Position::kGm, Position::kVecin}) {
    Call call = Widening();
    call.src.position = src;
    EXPECT_EQ(Broken(call), "MIXED") << Name(src);
  }
  for (const Position dst : {Position::kC2pipe2gm, Position::kVecout}) {
    Call call = Widening();
    call.dst.position = dst;
    EXPECT_EQ(Broken(call), "MIXED") << Name(dst);
  }
}

TEST(DataCopyRules, Alignment) {
  struct Row {
    Position src, dst;
    DType dtype;
    std::int64_t wrong, right;
    bool of_src = false;
  };
  using enum Position;
  const Row rows[] = {
      {kC1, kC2, DType::kHalf, 32, 64},
      {kC1, kC2pipe2gm, DType::kHalf, 64, 128},
      {kVecout, kGm, DType::kDouble, 4, 8},
      {kVecout, kGm, DType::kFloat, 2, 4},
      {kVecout, kGm, DType::kBfloat16, 1, 2},
      {kGm, kVecin, DType::kInt8, 16, 32},
      {kGm, kA1, DType::kInt8, 1, 32},
      {kGm, kVecin, DType::kInt64, 4, 8, true},
      {kVecout, kGm, DType::kInt8, 16, 32, true},
      {kA1, kGm, DType::kInt8, 16, 32, true},
      {kC1, kC2pipe2gm, DType::kHalf, 16, 32, true},
  };
  for (const Row& row : rows) {
    Call call = Copy(row.src, row.dst, row.dtype);
    std::int64_t& at = row.of_src ? call.src.at : call.dst.at;
    at = row.wrong;
    EXPECT_EQ(Broken(call), row.of_src ? "SRC-ALIGN" : "DST-ALIGN")
        << Name(row.src) << ">" << Name(row.dst);
    at = row.right;
    EXPECT_EQ(Broken(call), "") << Name(row.src) << ">" << Name(row.dst);
  }
  Call call = Copy(kVecout, kGm, DType::kInt8);
  call.dst.at = 1;
  EXPECT_EQ(Broken(call), "");
  call.dst.dtype = call.src.dtype = DType::kInt32;  // T does not count
  EXPECT_EQ(Broken(call), "DST-ALIGN");
}

/// A copy of no block, or of blocks without bytes.
TEST(DataCopyRules, ZeroIsANoteOnlyInTheNewestEdition) {
  for (auto field :
       {&isa::DataCopyParams::block_count, &isa::DataCopyParams::block_len}) {
    Call call = Copy(Position::kGm, Position::kVecin);
    call.params.*field = 0;
    for (const Product product : All<Product>()) {
      if (product == Product::kAtlas200_300_500) continue;
      Board newest(product);
      const auto before = newest.bytes;
      EXPECT_EQ(test::Notes(newest, call), "BLOCK-EMPTY");
      EXPECT_EQ(newest.bytes, before);
      EXPECT_TRUE(newest.oracle.accesses().empty());
      EXPECT_EQ(Broken(call, {product, isa::Edition::k2024}),
                field == &isa::DataCopyParams::block_count ? "BLOCK-COUNT"
                                                           : "BLOCK-LEN");
    }
  }
}

TEST(DataCopyRules, Overlap) {
  struct Row {
    std::int64_t dst;
    isa::DataCopyParams params;
    bool broken;
  };
  const Row rows[] = {
      {512, {1, 2, 0, 0}, false},  // the same bytes
      {544, {1, 2, 0, 0}, true},  {480, {1, 2, 0, 0}, true},
      {576, {1, 2, 0, 0}, false}, {448, {1, 2, 0, 0}, false},
      {512, {3, 1, 1, 1}, false}, {544, {3, 1, 1, 1}, false},  // in the gaps
      {512, {1, 1, 0, 1}, false}, {512, {2, 1, 0, 1}, true},   // block 0 alone
  };
  for (const Row& row : rows) {
    Call call = Copy(Position::kVecin, Position::kVeccalc);
    call.dst.at = row.dst;
    call.params = row.params;
    EXPECT_EQ(Broken(call), row.broken ? "OVERLAP" : "") << row.dst;
  }
  Call call = CopyCount(Position::kVecin, Position::kVeccalc, 32);
  call.dst.at = 544;
  EXPECT_EQ(Broken(call), "OVERLAP");
  call.count = 31;  // 32 bytes are copied
  EXPECT_EQ(Broken(call), "");
}

TEST(DataCopyRules, AllRulesOfAStageAndNoneOfALater) {
  Call call = Copy(Position::kVecout, Position::kVecin, DType::kBfloat16);
  call.dst.at = call.src.at = 1;
  call.dst.bytes = -1;
  call.params = {4096, 65536, -1, 0};
  EXPECT_EQ(Broken(call),
            "BLOCK-COUNT BLOCK-LEN DST-ALIGN GAP ROUTE SRC-ALIGN");
  call = Copy(Position::kVecin, Position::kVeccalc);
  call.src.at = 32;  // would overlap
  call.params.block_len = 2;
  call.dst.bytes = 63;
  EXPECT_EQ(Broken(call), "BOUNDS");
}

// ---- Whatever they break ----------------------------------------------------

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
  call.params = {.block_count = 2, .block_len = 2, .src_gap = 0, .dst_gap = 0};
  call.dst.at = 512 + 32;  // [512, 640) to [544, 672)
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
  call.params = {.block_count = 3, .block_len = 1, .src_gap = 0, .dst_gap = -2};
  call.dst.at = 128;  // blocks at 128, 96, 64
  EXPECT_EQ(Anywhere(call), "BOUNDS GAP");
  Board board;
  const Bytes third = Part(board, Memory::kUb, 512 + 64, 32);
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 64, 32), third);
  EXPECT_EQ(board.oracle.accesses()[5].at, 64);

  // What it wrote is under way, in whatever order.
  Call again = Copy(Position::kVecin, Position::kVeccalc);
  again.dst.at = 64;
  EXPECT_EQ(AnywhereOn(board, again), "BARRIER");
  again.dst.at = 32;
  EXPECT_EQ(AnywhereOn(board, again), "");
}

TEST(DataCopyExtended, MissingBarrierRunsInOrder) {
  const Call call = Copy(Position::kGm, Position::kVecin);
  Board board;
  ASSERT_TRUE(board.Executes(call));
  EXPECT_EQ(AnywhereOn(board, call), "BARRIER");
  Call other = call;
  other.src.at = 1024 + 2;
  other.src.bytes = 30;
  EXPECT_EQ(AnywhereOn(board, other), "BARRIER BOUNDS");
  ASSERT_TRUE(RunsExtended(board, other));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32),
            Part(board, Memory::kGm, 1026, 32));
  board.oracle.Execute(isa::PipeBarrier{.pipe = isa::Pipe::kMte2});
  EXPECT_EQ(AnywhereOn(board, call), "");
}

TEST(DataCopyExtended, RoutesThatDoNotExist) {
  Call call = Copy(Position::kA1, Position::kVecin);
  call.src.at = 515;
  EXPECT_EQ(Anywhere(call), "ROUTE SRC-ALIGN");
  Board board;
  ASSERT_TRUE(RunsExtended(board, call));
  EXPECT_EQ(Part(board, Memory::kUb, 0, 32), Part(board, Memory::kL1, 515, 32));
  // No pipe moves from L1 to UB, so none needs a barrier.
  call.src.at = 512;
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
  call.dst.dtype = DType::kFloat;
  call.src.at = 0;  // onto itself: 32 bytes become 64
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
  call.src.dtype = DType::kInt16;
  EXPECT_EQ(Refusal(call), "no conversion between these types");
  call = CopyCount(Position::kC1, Position::kC2, 32);
  call.dst.dtype = DType::kFloat;
  EXPECT_EQ(Anywhere(call), "MIXED");
  EXPECT_EQ(Refusal(call), "the form with count does not convert");
}

TEST(DataCopyExtended, CountsBeyondTheirRange) {
  struct Row {
    isa::DataCopyParams params;
    const char* rules;
    std::string_view reason;
  };
  const Row rows[] = {
      {{.block_count = 0, .block_len = 1}, "", "it ran"},
      {{.block_count = -1, .block_len = 1},
       "BLOCK-COUNT",
       "a negative count or length"},
      {{.block_count = 5000, .block_len = 0}, "BLOCK-COUNT", "it ran"},
      {{.block_count = kMax, .block_len = 1, .src_gap = -1, .dst_gap = -1},
       "BLOCK-COUNT GAP",
       "more than 1000000 accesses or 16 MiB"},
      {{kMax, kMax, kMax, test::kMin},
       "BLOCK-COUNT BLOCK-LEN BOUNDS GAP",
       "dst would reach outside its memory"},
  };
  Call call = Copy(Position::kGm, Position::kVecin);
  for (const Row& row : rows) {
    call.params = row.params;
    EXPECT_EQ(Anywhere(call), row.rules) << row.reason;
    EXPECT_EQ(Refusal(call), row.reason);
  }
  call.params = {.block_count = 5000, .block_len = 1, .dst_gap = -1};
  call.src.bytes = 5000 * 32;
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
