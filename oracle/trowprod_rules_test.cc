#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "isa/trowprod.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

/// Which TROWPRODs are legal.
namespace lanediff::oracle {
namespace {

using isa::Edition;
using isa::Layout;
using isa::Tile;
using test::All;
using test::Anywhere;
using test::Broken;
using test::kMax;
using test::Refusal;
using test::RowProduct;
using Call = isa::Trowprod;

constexpr Tile Call::* kTiles[] = {&Call::dst, &Call::src, &Call::tmp};

std::string BrokenBy(const std::function<void(Call&)>& change) {
  Call call = RowProduct(3);
  change(call);
  return Broken(call);
}

TEST(TrowprodRules, ProductAndDtype) {
  for (const Product product : All<Product>()) {
    const bool legal =
        product == Product::kAtlasA2 || product == Product::kAtlasA3;
    EXPECT_EQ(Broken(RowProduct(3), product), legal ? "" : "PRODUCT");
  }
  for (const DType dtype : All<DType>()) {
    const bool older = dtype == DType::kHalf || dtype == DType::kFloat;
    const bool newer = dtype == DType::kInt32 || dtype == DType::kInt16;
    // In tiles of 32 rows or columns every type has whole DataBlocks.
    Call call = RowProduct(3, dtype);
    call.dst.rows = call.src.cols = call.tmp.cols = 32;
    EXPECT_EQ(Broken(call), older || newer ? "" : "DTYPE");
    EXPECT_EQ(Broken(call, {Product::kAtlasA3, Edition::k2024}),
              older ? "" : "DTYPE");
  }
}

TEST(TrowprodRules, TilesOneByOne) {
  for (auto tile : kTiles) {
    const auto with = [=](const std::function<void(Tile&)>& change) {
      return BrokenBy([&](Call& c) { change(c.*tile); });
    };
    EXPECT_EQ(with([](Tile& t) { t.dtype = DType::kHalf; }), "");
    EXPECT_EQ(with([](Tile& t) { t.dtype = DType::kFloat; }), "DTYPE-MATCH");
    for (const Position position : All<Position>()) {
      EXPECT_EQ(with([=](Tile& t) { t.position = position; }),
                position == Position::kUb ? "" : "LOCATION");
    }
    EXPECT_EQ(with([](Tile& t) { t.at += 32; }), "");
    EXPECT_EQ(with([](Tile& t) { t.at += 16; }), "ALIGN");
    EXPECT_EQ(with([](Tile& t) { t.at += 2; }), "ALIGN");

    EXPECT_EQ(with([](Tile& t) { t.valid_col = t.cols; }), "");
    EXPECT_EQ(with([](Tile& t) { t.valid_col = t.cols + 1; }), "TILE");
    EXPECT_EQ(with([](Tile& t) { t.valid_col = -1; }), "TILE");
  }
}

TEST(TrowprodRules, ShapesAndLayouts) {
  struct Row {
    std::function<void(Call&)> change;
    const char* rules;
  };
  const Row rows[] = {
      {[](Call& c) { c.dst.valid_row = c.src.valid_row = 4; }, ""},
      {[](Call& c) { c.dst.valid_row = c.src.valid_row = 5; }, "TILE"},
      {[](Call& c) { c.dst.valid_row = c.src.valid_row = -1; }, "TILE"},
      {[](Call& c) { c.tmp.valid_row = 0; }, ""},
      {[](Call& c) { c.tmp.valid_row = 5; }, "TILE"},
      {[](Call& c) { c.tmp.valid_row = -1; }, "TILE"},
      {[](Call& c) { c.dst.valid_col = 0; }, ""},  // free
      // Lines are whole DataBlocks: DN counts rows, ND columns.
      {[](Call& c) { c.dst.rows = 32; }, ""},
      {[](Call& c) { c.dst.rows = 24; }, "TILE"},
      {[](Call& c) { c.src.cols = 8; }, "TILE"},
      {[](Call& c) { c.tmp.layout = Layout::kDn; }, "TILE"},
      {[](Call& c) {
         c.src.rows = c.tmp.rows = 16;
         c.tmp.layout = Layout::kDn;
       },
       ""},  // tmp's layout is free
      {[](Call& c) { c.dst.rows = 0; }, "TILE"},
      {[](Call& c) { c.src.rows = 0; }, "TILE"},
      {[](Call& c) { c.src.cols = 0; }, "TILE"},
      {[](Call& c) {
         c.src.rows = c.tmp.rows = 16;
         c.src.layout = Layout::kDn;
       },
       "SRC-LAYOUT"},
      {[](Call& c) { c.dst.cols = 2; }, "DST-LAYOUT"},
      {[](Call& c) {
         c.dst.layout = Layout::kNd;
         c.dst.cols = 16;
       },
       ""},
      {[](Call& c) { c.src.valid_col = 1; }, ""},
      {[](Call& c) { c.src.valid_col = 0; }, "VALID-ZERO"},
      {[](Call& c) { c.src.valid_row = c.dst.valid_row = 0; }, "VALID-ZERO"},
      {[](Call& c) { c.dst.valid_row = 1; }, "VALID-ROWS"},
      {[](Call& c) { c.dst.valid_row = 3; }, "VALID-ROWS"},
      // src and tmp have 128 bytes, dst 32; the memory 16384.
      {[](Call& c) { c.src.at = 16384 - 128; }, ""},
      {[](Call& c) { c.src.at = 16384 - 96; }, "BOUNDS"},
      {[](Call& c) { c.tmp.at = 16384 - 96; }, "BOUNDS"},
      {[](Call& c) { c.dst.at = 16384 - 32; }, ""},
      {[](Call& c) { c.dst.at = 16384; }, "BOUNDS"},
      {[](Call& c) { c.dst.at = -32; }, "BOUNDS"},
      {[](Call& c) { c.src.at = kMax - 31; }, "BOUNDS"},
      {[](Call& c) {
         c.src.rows = c.tmp.rows = kMax;
         c.src.cols = c.tmp.cols = kMax - 31;
       },
       "BOUNDS"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(BrokenBy(row.change), row.rules) << &row - rows;
  }
}

// Once the shape of src, since 2026 a row of one block.
TEST(TrowprodRules, TmpShapeInBothEditions) {
  const auto broken = [](std::int64_t rows, std::int64_t cols, Layout layout,
                         Edition edition) {
    Call call = RowProduct(3);
    call.tmp.rows = rows;
    call.tmp.cols = cols;
    call.tmp.valid_row = call.tmp.valid_col = 1;
    call.tmp.layout = layout;
    return Broken(call, {Product::kAtlasA2, edition});
  };
  for (std::int64_t rows : {1, 3, 4, 5}) {
    for (std::int64_t cols : {16, 32}) {
      EXPECT_EQ(broken(rows, cols, Layout::kNd, Edition::k2026), "");
      EXPECT_EQ(broken(rows, cols, Layout::kNd, Edition::k2024),
                rows == 4 && cols == 16 ? "" : "TMP-SHAPE");
    }
  }
  for (std::int64_t cols : {1, 15, 16}) {
    EXPECT_EQ(broken(16, cols, Layout::kDn, Edition::k2026),
              cols == 16 ? "" : "TMP-SHAPE");
  }
}

TEST(TrowprodRules, NoTwoTilesShareAByte) {
  struct Row {
    std::int64_t dst, src, tmp;
    const char* rules;
  };
  const Row rows[] = {
      {0, 32, 160, ""},
      {128, 0, 160, ""},
      {0, 0, 4096, "OVERLAP"},
      {96, 0, 4096, "OVERLAP"},
      {96, 4096, 0, "OVERLAP"},
      {0, 4096, 4192, "OVERLAP"},
      {0, 4192, 4096, "OVERLAP"},
      {0, 4096, 4096, "OVERLAP"},
      {16384, 4096, 4096, "BOUNDS"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(BrokenBy([&](Call& c) {
                c.dst.at = row.dst;
                c.src.at = row.src;
                c.tmp.at = row.tmp;
              }),
              row.rules)
        << row.dst << " " << row.src << " " << row.tmp;
  }
}

TEST(TrowprodRules, AllRulesOfAStage) {
  Call call = RowProduct(0, DType::kInt8);
  call.dst = {.position = Position::kVecout,
              .at = 1,
              .rows = 3,
              .cols = 2,
              .valid_row = 1,
              .valid_col = 1,
              .layout = Layout::kDn,
              .dtype = DType::kHalf};
  call.src.layout = Layout::kDn;
  call.tmp.rows = 0;
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            "ALIGN DST-LAYOUT DTYPE DTYPE-MATCH LOCATION PRODUCT SRC-LAYOUT "
            "TILE TMP-SHAPE VALID-ROWS VALID-ZERO");
}

/// TRP-BOUNDS and TRP-OVERLAP at either end of what a case can hold.
TEST(TrowprodRules, TilesAtTheEndsOfTheNumbers) {
  for (const auto tile : kTiles) {
    for (const std::int64_t at :
         {kMax, kMax - 31, std::int64_t{-32}, test::kMin}) {
      Call call = RowProduct(3);
      (call.*tile).at = at;
      EXPECT_EQ(Anywhere(call), at % 32 == 0 ? "BOUNDS" : "ALIGN BOUNDS") << at;
      Machine m;
      EXPECT_NE(Refusal(m, call), "it ran") << at;
    }
  }
  EXPECT_EQ(Anywhere(RowProduct(kMax)), "BOUNDS TILE");
  // TRP-OVERLAP covers tiles whose bytes can be listed.
  Call call = RowProduct(3);
  call.src.at = call.tmp.at = 16384 - 32;  // one line of four is inside
  EXPECT_EQ(Anywhere(call), "BOUNDS");
  call.tmp.at = call.src.at = 16384 - 128;
  EXPECT_EQ(Anywhere(call), "OVERLAP");
  call = RowProduct(3);  // no line, however many of them
  call.dst.at = 4096;
  call.dst.layout = Layout::kNd;
  call.dst.rows = kMax;
  call.dst.cols = call.dst.valid_col = 0;
  EXPECT_EQ(Anywhere(call), "BOUNDS TILE");
}

}  // namespace
}  // namespace lanediff::oracle
