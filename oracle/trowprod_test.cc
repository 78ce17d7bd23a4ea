#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// What TROWPROD lists and traces, and what calls that break rules would do.
/// corpus/trowprod has both sides of each rule, and the products; the orders of
/// multiplication are in product_orders_test.cc.
namespace lanediff::oracle {
namespace {

using isa::Call;
using isa::Layout;
using test::All;
using test::Anywhere;
using test::kMax;
using test::Refusal;
using test::RowProduct;
using test::RunsExtended;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kTwo = 0x4000;
constexpr std::uint64_t kFour = 0x4400;
constexpr std::uint64_t kEight = 0x4800;

TEST(Trowprod, Accesses) {
  Machine m;
  ASSERT_TRUE(m.Executes(RowProduct(3)));
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 4U);
  EXPECT_EQ(
      accesses[2],
      (isa::Access{.operand = "src", .at = 4128, .bytes = 6, .iteration = 1}));
  EXPECT_EQ(accesses[3], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .at = 2,
                                      .bytes = 2,
                                      .iteration = 1}));
}

TEST(Trowprod, TrueResults) {
  Machine m;
  m.oracle.set_tracing(true);
  // (1 + 2^-10)², then 256³, which saturates.
  m.Put(DType::kHalf, 4096, {0x3c01, 0x3c01, 0x3c00});
  m.Put(DType::kHalf, 4128, {0x5c00, 0xdc00, 0x5c00});
  EXPECT_TRUE(m.Executes(RowProduct(3)));
  const std::vector<TrueResult>& results = m.oracle.true_results();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].exact, "1.00195407867431640625");
  EXPECT_EQ(results[0].bits, 0x3c02U);
  EXPECT_EQ(results[1].exact, "-16777216");
  EXPECT_EQ(results[1].bits, 0xfbffU);
  EXPECT_EQ(results[1].iteration, 1);
  EXPECT_EQ(results[1].at, 2);
  m.oracle.set_tracing(false);
  EXPECT_TRUE(m.Executes(RowProduct(3)));
  EXPECT_TRUE(m.oracle.true_results().empty());
  EXPECT_TRUE(m.oracle.nodes().empty());
}

// ---- Whatever they break ----------------------------------------------------

/// What calls break, and what they make of two rows of halves at 4096 and 4128.
TEST(TrowprodExtended, IllegalCallsFollowTheFormulas) {
  struct Case {
    std::function<void(Call&)> change;
    const char* rules;
    Words first, second;
    std::int64_t at;
    Words written;
    Product product = Product::kAtlasA2;
  };
  const Case cases[] = {
      {[](Call& c) {  // a column, where a block is needed
         c.tiles[Call::kTmpTile].layout = Layout::kDn;
         c.tiles[Call::kTmpTile].rows = 16;
         c.tiles[Call::kTmpTile].cols = c.tiles[Call::kTmpTile].valid_col = 1;
       },
       "TMP-SHAPE",
       {kTwo, kTwo},
       {kTwo, kFour},
       0,
       {kFour, kEight}},
      {[](Call& c) {
         c.tiles[Call::kDstTile].at = 4096 + 32;
       },  // where row 1 is read
       "OVERLAP",
       {kTwo, kOne},
       {kEight, kFour},
       4128,
       {kTwo, kEight}},
      {[](Call& c) {
         c.tiles[Call::kSrcTile].layout = Layout::kDn;
         c.tiles[Call::kSrcTile].rows = c.tiles[Call::kTmpTile].rows = 16;
       },
       "SRC-LAYOUT",
       {kTwo, kFour},  // column 0
       {kOne, kTwo},   // column 1
       0,
       {kTwo, kEight}},
      {[](Call& c) {
         c.tiles[Call::kSrcTile].valid_col = 17;
       },  // the first of row 1 too
       "TILE",
       Words(16, kOne),
       Words{kFour},
       0,
       {kFour}},
      {[](Call& c) {  // dst has two rows, and space for one
         c.tiles[Call::kSrcTile].valid_row = 4;
         c.tiles[Call::kDstTile].layout = Layout::kNd;
         c.tiles[Call::kDstTile].rows = c.tiles[Call::kDstTile].valid_row = 1;
         c.tiles[Call::kDstTile].cols = 16;
       },
       "BOUNDS VALID-ROWS",
       {kTwo, kFour},
       {kTwo, kTwo},
       32,
       {kFour}},
      {[](Call& c) {
         c.tiles[Call::kSrcTile].at = 4098;
         c.tiles[Call::kDstTile].dtype = DType::kFloat;
       },
       "ALIGN DTYPE-MATCH PRODUCT",
       {kOne, kTwo, kFour},
       {},
       0,
       {kEight},
       Product::kAtlasTraining},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.rules);
    Call call = RowProduct(2);
    c.change(call);
    EXPECT_EQ(Anywhere(call, c.product), c.rules);
    Machine m(c.product);
    m.Put(DType::kHalf, 4096, c.first);
    m.Put(DType::kHalf, 4128, c.second);
    const Words tmp = m.Get(DType::kHalf, 8192, 64);
    ASSERT_TRUE(RunsExtended(m, call));
    EXPECT_EQ(m.Get(DType::kHalf, c.at, c.written.size()), c.written);
    EXPECT_EQ(m.Get(DType::kHalf, 8192, 64), tmp);
  }
}

TEST(TrowprodExtended, NoColumnsAreTheEmptyProductNoRowsNothing) {
  for (const isa::Order order : All<isa::Order>()) {
    Call call = RowProduct(0);
    call.order = order;
    EXPECT_EQ(Anywhere(call), "VALID-ZERO");
    Machine m;
    m.oracle.set_tracing(true);
    ASSERT_TRUE(RunsExtended(m, call));
    EXPECT_EQ(m.Get(DType::kHalf, 0, 3), (Words{kOne, kOne, 0xa5a5}));
    ASSERT_EQ(m.oracle.true_results().size(), 2U);
    EXPECT_EQ(m.oracle.true_results()[0].exact, "1");
  }
  Call call = RowProduct(2);
  call.tiles[Call::kSrcTile].valid_row = call.tiles[Call::kDstTile].valid_row =
      0;
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  EXPECT_TRUE(m.oracle.accesses().empty());
}

TEST(TrowprodExtended, WhatHasNoExtension) {
  struct Case {
    std::function<void(Call&)> change;
    std::string_view reason;
  };
  const auto everything_huge = [](Call& c) {
    c.tiles[Call::kTmpTile].rows = c.tiles[Call::kTmpTile].cols =
        c.tiles[Call::kSrcTile].cols = c.tiles[Call::kSrcTile].rows = kMax;
    c.tiles[Call::kDstTile].cols = 0;
    c.tiles[Call::kDstTile].layout = Layout::kNd;
    c.tiles[Call::kSrcTile].valid_row = c.tiles[Call::kDstTile].valid_row =
        kMax;
  };
  const Case cases[] = {
      {[](Call& c) {  // dst's tile, but not the bytes that are written
         c.tiles[Call::kTmpTile].at = 32;
         c.tiles[Call::kDstTile].rows = 32;
       },
       "it ran"},
      {[](Call& c) { c.tiles[Call::kTmpTile].at = 0; },
       "tmp shares bytes with dst or src"},
      {[](Call& c) { c.tiles[Call::kTmpTile].rows = -1; },
       "a negative size of tmp"},
      {[](Call& c) { c.tiles[Call::kSrcTile].valid_col = -1; },
       "a negative validRow or validCol of src"},
      {[](Call& c) { c.dtype = DType::kUint32; },
       "no arithmetic for this type"},
      {[](Call& c) { c.tiles[Call::kSrcTile].valid_col = kMax; },
       "src would reach outside its memory"},
      {[](Call& c) {  // every row is row 0, and so is every product
         c.tiles[Call::kSrcTile].cols = c.tiles[Call::kDstTile].cols = 0;
         c.tiles[Call::kDstTile].layout = Layout::kNd;
         c.tiles[Call::kSrcTile].valid_row = c.tiles[Call::kDstTile].valid_row =
             kMax;
       },
       "more than 1000000 accesses or 16 MiB"},
      {everything_huge, "src would reach outside its memory"},
  };
  for (const Case& c : cases) {
    Machine m;
    Call call = RowProduct(2);
    c.change(call);
    EXPECT_EQ(Refusal(m, call), c.reason);
  }
}

TEST(TrowprodExtended, ColumnMajorSourceIsListedColumnByColumn) {
  Call call = RowProduct(2);
  call.tiles[Call::kSrcTile].layout = Layout::kDn;
  call.tiles[Call::kSrcTile].rows = call.tiles[Call::kTmpTile].rows = 16;
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  ASSERT_EQ(m.oracle.accesses().size(), 6U);
  EXPECT_EQ(m.oracle.accesses()[1].at, 4128);
  EXPECT_EQ(m.oracle.accesses()[1].lane, 1);
}

}  // namespace
}  // namespace lanediff::oracle
