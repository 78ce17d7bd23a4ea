#include "isa/trowprod.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// What TROWPROD does, legal or not. Its rules are in trowprod_rules_test.cc,
/// the orders of multiplication in product_orders_test.cc.
namespace lanediff::oracle {
namespace {

using isa::Edition;
using isa::Layout;
using test::All;
using test::Anywhere;
using test::kMax;
using test::Refusal;
using test::RowProduct;
using test::RunsExtended;
using Call = isa::Trowprod;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kTwo = 0x4000;
constexpr std::uint64_t kFour = 0x4400;
constexpr std::uint64_t kEight = 0x4800;

/// What a row of `factors` becomes.
std::uint64_t Row(DType dtype, const Words& factors, bool saturation,
                  isa::Order order = isa::Order::kDocumented) {
  Machine m;
  Call call = RowProduct(static_cast<std::int64_t>(factors.size()), dtype);
  call.order = order;
  m.Put(dtype, 4096, factors);
  m.Execute(isa::SetSaturation{.enabled = saturation});
  EXPECT_TRUE(m.Executes(call));
  return m.Get(dtype, 0, 1).front();
}

TEST(Trowprod, IntegersSaturateOrWrapAtEachMultiply) {
  for (const isa::Order order : All<isa::Order>()) {
    struct Case {
      DType dtype;
      Words factors;
      bool saturation;
      std::uint64_t product;
    };
    const Case cases[] = {
        {DType::kInt32, {2, 3, 5, 7}, true, 210},
        {DType::kInt16, {0xffff, 3, 5, 7}, true, 0x10000 - 105},
        {DType::kInt16, {300, 300}, true, 0x7fff},
        {DType::kInt16, {300, 300}, false, 90000 & 0xffff},
        {DType::kInt32, {0x10000, 0xffff0000}, true, 0x80000000},
        {DType::kInt32, {0x10000, 0x10001}, false, 0x10000},
    };
    for (const Case& c : cases) {
      EXPECT_EQ(Row(c.dtype, c.factors, c.saturation, order), c.product);
    }
  }
  // What comes after the limit starts from it.
  EXPECT_EQ(Row(DType::kInt16, {200, 200, 0xffff}, true, isa::Order::kLeftFold),
            0x8001U);
}

TEST(Trowprod, Values) {
  struct Case {
    Words factors;
    std::uint64_t saturated, not_saturated;
  };
  const Case cases[] = {
      {{0x3e00, 0x4200}, 0x4480, 0x4480},  // 1.5 · 3 = 4.5
      {{0x8000}, 0x8000, 0x8000},          // zeros' signs
      {{0x8000, 0xbc00}, 0x0000, 0x0000},
      {{0x8000, 0xbc00, 0xbc00}, 0x8000, 0x8000},
      {{0x0001}, 0x0001, 0x0001},          // subnormals
      {{0x0003, 0x3800}, 0x0002, 0x0002},  // 1.5 units: tie to even
      {{0x0001, 0x3800}, 0x0000, 0x0000},  // half a unit: likewise
      {{0x8001, 0x3800}, 0x8000, 0x8000},
      {{0x5c00, 0x5c00}, 0x7bff, 0x7c00},  // 256 · 256
      {{0xdc00, 0x5c00}, 0xfbff, 0xfc00},
      {{0x7c00}, 0x7bff, 0x7c00},  // 1 · inf is a node
      {{0xfc00, 0x3c00}, 0xfbff, 0xfc00},
      {{0x7e00, 0x3c00}, 0x0000, 0x7e00},  // NaN
      {{0xfd01}, 0x0000, 0x7e00},
      {{0x5c00, 0x5c00, 0x0000}, 0x0000, 0x0000},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Row(DType::kHalf, c.factors, true), c.saturated)
        << std::hex << c.factors[0];
    EXPECT_EQ(Row(DType::kHalf, c.factors, false), c.not_saturated)
        << std::hex << c.factors[0];
  }
  EXPECT_EQ(Row(DType::kFloat, {0x7f800000, 0}, true), 0x7fc00000U);
  EXPECT_EQ(Row(DType::kFloat, {0x7f7fffff, 0x40000000}, true), 0x7f800000U);
  EXPECT_EQ(Row(DType::kFloat, {0x00000003, 0x3f000000}, true), 2U);
}

TEST(Trowprod, ColumnZeroOfEachValidRowAndNothingElse) {
  for (Layout layout : {Layout::kDn, Layout::kNd}) {
    Machine m;
    Call call = RowProduct(3);
    call.dst.layout = layout;
    if (layout == Layout::kNd) call.dst.cols = 32;
    m.Put(DType::kHalf, 4096, {0x3e00, 0x4200, 0x3c00, 0x7e00});  // 4.5
    m.Put(DType::kHalf, 4128, {0x4000, 0x4400, 0xc000, 0x7e00});  // -16
    Machine expected;
    expected.ub = m.ub;
    expected.Put(DType::kHalf, 0, {0x4480});
    const std::int64_t second = layout == Layout::kNd ? 64 : 2;
    expected.Put(DType::kHalf, second, {0xcc00});
    EXPECT_EQ(test::Notes(m, call), "");
    EXPECT_EQ(m.ub, expected.ub);
    Machine older({Product::kAtlasA2, Edition::k2024});
    EXPECT_EQ(test::Notes(older, call),
              layout == Layout::kNd ? "DST-ND-DEPRECATED" : "");
    const std::vector<isa::Access>& accesses = m.oracle.accesses();
    ASSERT_EQ(accesses.size(), 4U);
    EXPECT_EQ(accesses[0],
              (isa::Access{.operand = "src", .at = 4096, .bytes = 6}));
    EXPECT_EQ(accesses[2],
              (isa::Access{
                  .operand = "src", .at = 4128, .bytes = 6, .iteration = 1}));
    EXPECT_EQ(accesses[3], (isa::Access{.operand = "dst",
                                        .write = true,
                                        .at = second,
                                        .bytes = 2,
                                        .iteration = 1}));
  }
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
         c.tmp.layout = Layout::kDn;
         c.tmp.rows = 16;
         c.tmp.cols = c.tmp.valid_col = 1;
       },
       "TMP-SHAPE",
       {kTwo, kTwo},
       {kTwo, kFour},
       0,
       {kFour, kEight}},
      {[](Call& c) { c.dst.at = 4096 + 32; },  // where row 1 is read
       "OVERLAP",
       {kTwo, kOne},
       {kEight, kFour},
       4128,
       {kTwo, kEight}},
      {[](Call& c) {
         c.src.layout = Layout::kDn;
         c.src.rows = c.tmp.rows = 16;
       },
       "SRC-LAYOUT",
       {kTwo, kFour},  // column 0
       {kOne, kTwo},   // column 1
       0,
       {kTwo, kEight}},
      {[](Call& c) { c.src.valid_col = 17; },  // the first of row 1 too
       "TILE",
       Words(16, kOne),
       Words{kFour},
       0,
       {kFour}},
      {[](Call& c) {  // dst has two rows, and space for one
         c.src.valid_row = 4;
         c.dst.layout = Layout::kNd;
         c.dst.rows = c.dst.valid_row = 1;
         c.dst.cols = 16;
       },
       "BOUNDS VALID-ROWS",
       {kTwo, kFour},
       {kTwo, kTwo},
       32,
       {kFour}},
      {[](Call& c) {
         c.src.at = 4098;
         c.dst.dtype = DType::kFloat;
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
  call.src.valid_row = call.dst.valid_row = 0;
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
    c.tmp.rows = c.tmp.cols = c.src.cols = c.src.rows = kMax;
    c.dst.cols = 0;
    c.dst.layout = Layout::kNd;
    c.src.valid_row = c.dst.valid_row = kMax;
  };
  const Case cases[] = {
      {[](Call& c) {  // dst's tile, but not the bytes that are written
         c.tmp.at = 32;
         c.dst.rows = 32;
       },
       "it ran"},
      {[](Call& c) { c.tmp.at = 0; }, "tmp shares bytes with dst or src"},
      {[](Call& c) { c.tmp.rows = -1; }, "a negative size of tmp"},
      {[](Call& c) { c.src.valid_col = -1; },
       "a negative validRow or validCol of src"},
      {[](Call& c) { c.dtype = DType::kUint32; },
       "no arithmetic for this type"},
      {[](Call& c) { c.src.valid_col = kMax; },
       "src would reach outside its memory"},
      {[](Call& c) {  // every row is row 0, and so is every product
         c.src.cols = c.dst.cols = 0;
         c.dst.layout = Layout::kNd;
         c.src.valid_row = c.dst.valid_row = kMax;
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
  call.src.layout = Layout::kDn;
  call.src.rows = call.tmp.rows = 16;
  Machine m;
  ASSERT_TRUE(RunsExtended(m, call));
  ASSERT_EQ(m.oracle.accesses().size(), 6U);
  EXPECT_EQ(m.oracle.accesses()[1].at, 4128);
  EXPECT_EQ(m.oracle.accesses()[1].lane, 1);
}

}  // namespace
}  // namespace lanediff::oracle
