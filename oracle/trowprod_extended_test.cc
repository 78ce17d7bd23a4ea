#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "isa/state.h"
#include "isa/trowprod.h"
#include "oracle/extended_testing.h"
#include "oracle/testing.h"

/// TROWPRODs, and steps that set the state, that break rules, and what they
/// would do.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Layout;
using isa::Position;
using isa::Product;
using test::Anywhere;
using test::ChangesNothing;
using test::Ids;
using test::Machine;
using test::RunsExtended;
using Words = std::vector<std::uint64_t>;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kTwo = 0x4000;
constexpr std::uint64_t kFour = 0x4400;
constexpr std::uint64_t kEight = 0x4800;

/// Two valid rows of `columns` halves, src 4 × 16 at 4096, tmp at 8192, dst one
/// column of 16 at 0.
isa::Trowprod RowProduct(std::int64_t columns) {
  isa::Trowprod call;
  call.dtype = DType::kHalf;
  call.src = {.at = 4096,
              .rows = 4,
              .cols = 16,
              .valid_row = 2,
              .valid_col = columns,
              .layout = Layout::kNd,
              .dtype = {}};
  call.tmp = call.src;
  call.tmp.at = 8192;
  call.dst = {.at = 0,
              .rows = 16,
              .cols = 1,
              .valid_row = 2,
              .valid_col = 1,
              .layout = Layout::kDn,
              .dtype = {}};
  return call;
}

TEST(TrowprodExtended, WrongTmpShapeChangesNothingElse) {
  isa::Trowprod call = RowProduct(2);
  call.tmp.layout = Layout::kDn;  // a column, where a block is needed
  call.tmp.rows = 16;
  call.tmp.cols = 1;
  EXPECT_EQ(Anywhere(call), (Ids{"TRP-TILE", "TRP-TMP-SHAPE"}));
  call.tmp.valid_col = 1;
  EXPECT_EQ(Anywhere(call), Ids{"TRP-TMP-SHAPE"});
  Machine m;
  m.Put(DType::kHalf, 4096, {kTwo, kTwo});
  m.Put(DType::kHalf, 4128, {kTwo, kFour});
  const Words tmp = m.Get(DType::kHalf, 8192, 64);
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 2), (Words{kFour, kEight}));
  EXPECT_EQ(m.Get(DType::kHalf, 8192, 64), tmp);
}

TEST(TrowprodExtended, RowsInOrderReadWhatEarlierOnesWrote) {
  isa::Trowprod call = RowProduct(2);
  call.dst.at = 4096 + 32;  // row 0's product becomes row 1's first factor
  EXPECT_EQ(Anywhere(call), Ids{"TRP-OVERLAP"});
  Machine m;
  m.Put(DType::kHalf, 4096, {kTwo, kOne});
  m.Put(DType::kHalf, 4128, {kEight, kFour});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 4128, 2), (Words{kTwo, kEight}));
}

TEST(TrowprodExtended, ColumnMajorSourceIsReadColumnByColumn) {
  isa::Trowprod call = RowProduct(2);
  call.src.layout = Layout::kDn;
  call.src.rows = call.tmp.rows = 16;
  EXPECT_EQ(Anywhere(call), Ids{"TRP-SRC-LAYOUT"});
  Machine m;
  m.Put(DType::kHalf, 4096, {kTwo, kFour});      // column 0
  m.Put(DType::kHalf, 4096 + 32, {kOne, kTwo});  // column 1
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 2), (Words{kTwo, kEight}));
  ASSERT_EQ(m.oracle.accesses().size(), 6u);
  EXPECT_EQ(m.oracle.accesses()[1].at, 4128);
  EXPECT_EQ(m.oracle.accesses()[1].lane, 1);
}

TEST(TrowprodExtended, ValidSizesBeyondTheTile) {
  isa::Trowprod call = RowProduct(17);  // row 0 reads the first of row 1
  EXPECT_EQ(Anywhere(call), Ids{"TRP-TILE"});
  Machine m;
  m.Put(DType::kHalf, 4096, Words(64, kOne));
  m.Put(DType::kHalf, 4128, {kFour});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 2), (Words{kFour, kFour}));

  call = RowProduct(2);
  call.src.valid_row = 4;  // dst has two rows, and has space for one
  call.dst.layout = Layout::kNd;
  call.dst.rows = call.dst.valid_row = 1;
  call.dst.cols = 16;
  EXPECT_EQ(Anywhere(call), (Ids{"TRP-BOUNDS", "TRP-VALID-ROWS"}));
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 96, 1), Words{kOne});
}

TEST(TrowprodExtended, NoColumnsAreTheEmptyProductNoRowsNothing) {
  for (const isa::Order order :
       {isa::Order::kDocumented, isa::Order::kBlockLanes,
        isa::Order::kRegisterLanes, isa::Order::kLeftFold}) {
    isa::Trowprod call = RowProduct(0);
    call.order = order;
    EXPECT_EQ(Anywhere(call), Ids{"TRP-VALID-ZERO"});
    Machine m;
    m.oracle.set_tracing(true);
    ASSERT_TRUE(RunsExtended(m, call));
    EXPECT_EQ(m.Get(DType::kHalf, 0, 3), (Words{kOne, kOne, 0xa5a5}));
    ASSERT_EQ(m.oracle.true_results().size(), 2u);
    EXPECT_EQ(m.oracle.true_results()[0].exact, "1");
  }
  isa::Trowprod call = RowProduct(2);
  call.src.valid_row = call.dst.valid_row = 0;
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_TRUE(m.oracle.accesses().empty());
}

TEST(TrowprodExtended, ProductAndAlignment) {
  isa::Trowprod call = RowProduct(2);
  call.src.at = 4098;
  call.dst.dtype = DType::kFloat;
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining),
            (Ids{"TRP-ALIGN", "TRP-DTYPE-MATCH", "TRP-PRODUCT"}));
  Machine m(Product::kAtlasTraining);
  m.Put(DType::kHalf, 4098, {kTwo, kFour});
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{kEight});
}

TEST(TrowprodExtended, WhatHasNoExtension) {
  Machine m;
  isa::Trowprod call = RowProduct(2);
  call.tmp.at = 32;  // dst's tile, but not the bytes that are written
  call.dst.rows = 32;
  EXPECT_EQ(Anywhere(call), Ids{"TRP-OVERLAP"});
  EXPECT_TRUE(RunsExtended(m, call));
  call.tmp.at = 0;
  EXPECT_TRUE(ChangesNothing(m, call, "tmp shares bytes with dst or src"));
  call = RowProduct(2);
  call.tmp.rows = -1;
  EXPECT_TRUE(ChangesNothing(m, call, "a negative size of tmp"));
  call = RowProduct(-1);
  EXPECT_TRUE(
      ChangesNothing(m, call, "a negative validRow or validCol of src"));
  call = RowProduct(2);
  call.dtype = DType::kUint32;
  EXPECT_TRUE(ChangesNothing(m, call, "no arithmetic for this type"));
  call = RowProduct(kMax);
  EXPECT_EQ(Anywhere(call), (Ids{"TRP-BOUNDS", "TRP-TILE"}));
  EXPECT_TRUE(ChangesNothing(m, call, "src would reach outside its memory"));
  call = RowProduct(2);
  call.src.cols = 0;  // every row is row 0, and so is every product
  call.dst.layout = Layout::kNd;
  call.dst.cols = 0;
  call.src.valid_row = call.dst.valid_row = kMax;
  EXPECT_TRUE(ChangesNothing(m, call, "more than 1000000 accesses or 16 MiB"));
  call.tmp.rows = call.tmp.cols = call.src.cols = call.src.rows = kMax;
  EXPECT_TRUE(ChangesNothing(m, call, "src would reach outside its memory"));
}

/// Tiles that begin at either end of what a case can hold.
TEST(TrowprodExtended, TilesAtTheEndsOfTheNumbers) {
  for (const auto tile :
       {&isa::Trowprod::dst, &isa::Trowprod::src, &isa::Trowprod::tmp}) {
    for (const std::int64_t at : {kMax, kMax - 31, std::int64_t{-32},
                                  std::numeric_limits<std::int64_t>::min()}) {
      isa::Trowprod call = RowProduct(3);
      (call.*tile).at = at;
      EXPECT_EQ(Anywhere(call), at % 32 == 0 ? Ids{"TRP-BOUNDS"}
                                             : (Ids{"TRP-ALIGN", "TRP-BOUNDS"}))
          << at;
      Machine m;
      EXPECT_FALSE(m.oracle.ExecuteExtended(call).has_value()) << at;
    }
  }
}

/// TRP-OVERLAP covers tiles whose bytes can be listed.
TEST(TrowprodExtended, OverlapIsOfBytesInsideTheMemory) {
  isa::Trowprod call = RowProduct(3);
  call.src.at = call.tmp.at = 16384 - 32;  // one line of four is inside
  EXPECT_EQ(Anywhere(call), Ids{"TRP-BOUNDS"});
  call.tmp.at = call.src.at = 16384 - 128;
  EXPECT_EQ(Anywhere(call), Ids{"TRP-OVERLAP"});
  call = RowProduct(3);  // no line, however many of them
  call.dst.at = 4096;
  call.dst.layout = Layout::kNd;
  call.dst.rows = kMax;
  call.dst.cols = 0;
  call.dst.valid_col = 0;
  EXPECT_EQ(Anywhere(call), (Ids{"TRP-BOUNDS", "TRP-TILE"}));
}

TEST(StateExtended, SaturationIsSwitchedOffAnywhere) {
  const isa::SetSaturation off{.enabled = false};
  EXPECT_EQ(Anywhere(off, Product::kAtlasTraining),
            Ids{"STATE-SATURATION-PRODUCT"});
  EXPECT_EQ(Anywhere(off), Ids{});
  Machine m(Product::kAtlasTraining);
  ASSERT_TRUE(RunsExtended(m, off));
  const isa::RepeatReduceSum call = test::SumCall(2);
  m.Put(DType::kHalf, call.src.at, {0x7bff, 0x7bff});
  ASSERT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{0x7c00});
  ASSERT_TRUE(RunsExtended(m, isa::SetVectorMask{.high = 0, .low = 1}));
  ASSERT_TRUE(RunsExtended(m, isa::PipeBarrier{}));
}

}  // namespace
}  // namespace lanediff::oracle
