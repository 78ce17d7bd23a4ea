#include "isa/trowprod.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

/// TROWPROD but for the order of multiplication: product_orders_test.cc.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Layout;
using isa::Position;
using isa::Product;
using isa::Tile;
using test::Broken;
using test::Ids;
using test::Machine;
using test::Only;
using Call = isa::Trowprod;
using Words = std::vector<std::uint64_t>;
namespace trp = isa::trp;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
const Ids kNone;
constexpr Tile Call::* kTiles[] = {&Call::dst, &Call::src, &Call::tmp};

/// Two valid rows of `columns` in tiles of 4 × 16 for src (at 4096) and tmp (at
/// 8192); dst at 0 is one column of 16.
Call RowProduct(std::int64_t columns, DType dtype = DType::kHalf) {
  Call call;
  call.dtype = dtype;
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

Ids BrokenBy(const std::function<void(Call&)>& change) {
  Call call = RowProduct(3);
  change(call);
  return Broken(call);
}

TEST(TrowprodRules, ProductAndDtype) {
  for (std::size_t i = 0; i < isa::kCount<Product>; ++i) {
    const auto product = static_cast<Product>(i);
    const bool legal =
        product == Product::kAtlasA2 || product == Product::kAtlasA3;
    EXPECT_EQ(Broken(RowProduct(3), product),
              legal ? kNone : Only(trp::kProduct));
  }
  for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
    const auto dtype = static_cast<DType>(t);
    const bool older = dtype == DType::kHalf || dtype == DType::kFloat;
    const bool newer = dtype == DType::kInt32 || dtype == DType::kInt16;
    // In tiles of 32 rows or columns every type has whole DataBlocks.
    Call call = RowProduct(3, dtype);
    call.dst.rows = call.src.cols = call.tmp.cols = 32;
    EXPECT_EQ(Broken(call), older || newer ? kNone : Only(trp::kDtype));
    EXPECT_EQ(Broken(call, {Product::kAtlasA3, isa::Edition::k2024}),
              older ? kNone : Only(trp::kDtype));
  }
}

TEST(TrowprodRules, TilesOneByOne) {
  for (auto tile : kTiles) {
    const auto with = [=](const std::function<void(Tile&)>& change) {
      return BrokenBy([&](Call& c) { change(c.*tile); });
    };
    EXPECT_EQ(with([](Tile& t) { t.dtype = DType::kHalf; }), kNone);
    EXPECT_EQ(with([](Tile& t) { t.dtype = DType::kFloat; }),
              Only(trp::kDtypeMatch));
    for (std::size_t p = 0; p < isa::kCount<Position>; ++p) {
      const auto position = static_cast<Position>(p);
      EXPECT_EQ(with([=](Tile& t) { t.position = position; }),
                position == Position::kUb ? kNone : Only(trp::kLocation));
    }
    EXPECT_EQ(with([](Tile& t) { t.at += 32; }), kNone);
    EXPECT_EQ(with([](Tile& t) { t.at += 16; }), Only(trp::kAlign));
    EXPECT_EQ(with([](Tile& t) { t.at += 2; }), Only(trp::kAlign));

    EXPECT_EQ(with([](Tile& t) { t.valid_col = t.cols; }), kNone);
    EXPECT_EQ(with([](Tile& t) { t.valid_col = t.cols + 1; }),
              Only(trp::kTile));
    EXPECT_EQ(with([](Tile& t) { t.valid_col = -1; }), Only(trp::kTile));
  }
}

TEST(TrowprodRules, ShapeOfEveryTile) {
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.valid_row = c.src.valid_row = 4; }),
            kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.valid_row = c.src.valid_row = 5; }),
            Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.valid_row = c.src.valid_row = -1; }),
            Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) { c.tmp.valid_row = 0; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.tmp.valid_row = 5; }), Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) { c.tmp.valid_row = -1; }), Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.valid_col = 0; }), kNone);  // free

  // Lines are whole DataBlocks: DN counts rows, ND columns.
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.rows = 32; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.rows = 24; }), Only(trp::kTile));
  const auto columns = [](std::int64_t n, DType dtype) {
    return BrokenBy([=](Call& c) {
      c.dtype = dtype;
      c.src.cols = n;
    });
  };
  EXPECT_EQ(columns(8, DType::kHalf), Only(trp::kTile));
  EXPECT_EQ(columns(8, DType::kFloat), kNone);
  EXPECT_EQ(columns(12, DType::kFloat), Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) {  // 4 rows of 16 halves: ND yes, DN no
              c.tmp.layout = Layout::kDn;
            }),
            Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) {
              c.src.rows = c.tmp.rows = 16;
              c.tmp.layout = Layout::kDn;
            }),
            kNone);  // tmp's layout is free
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.rows = 0; }), Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.rows = 0; }), Only(trp::kTile));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.cols = 0; }), Only(trp::kTile));
}

TEST(TrowprodRules, Layouts) {
  EXPECT_EQ(BrokenBy([](Call& c) {
              c.src.rows = c.tmp.rows = 16;
              c.src.layout = Layout::kDn;
            }),
            Only(trp::kSrcLayout));
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.cols = 2; }), Only(trp::kDstLayout));
  EXPECT_EQ(BrokenBy([](Call& c) {
              c.dst.layout = Layout::kNd;
              c.dst.cols = 16;
            }),
            kNone);
}

TEST(TrowprodRules, ValidSizesAndTmp) {
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.valid_col = 1; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.valid_col = 0; }),
            Only(trp::kValidZero));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.valid_row = c.dst.valid_row = 0; }),
            Only(trp::kValidZero));
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.valid_row = 1; }),
            Only(trp::kValidRows));
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.valid_row = 3; }),
            Only(trp::kValidRows));
}

// Once the shape of src, since 2026 a row of one block.
TEST(TrowprodRules, TmpShapeInBothEditions) {
  const auto broken = [](std::int64_t rows, std::int64_t cols, Layout layout,
                         isa::Edition edition) {
    Call call = RowProduct(3);
    call.tmp.rows = rows;
    call.tmp.cols = cols;
    call.tmp.valid_row = call.tmp.valid_col = 1;
    call.tmp.layout = layout;
    return Broken(call, {Product::kAtlasA2, edition});
  };
  for (std::int64_t rows : {1, 3, 4, 5}) {
    for (std::int64_t cols : {16, 32}) {
      EXPECT_EQ(broken(rows, cols, Layout::kNd, isa::Edition::k2026), kNone);
      EXPECT_EQ(broken(rows, cols, Layout::kNd, isa::Edition::k2024),
                rows == 4 && cols == 16 ? kNone : Only(trp::kTmpShape));
    }
  }
  EXPECT_EQ(broken(16, 16, Layout::kDn, isa::Edition::k2026), kNone);
  for (std::int64_t cols : {1, 15}) {
    EXPECT_EQ(broken(16, cols, Layout::kDn, isa::Edition::k2026),
              Only(trp::kTmpShape));
  }
}

TEST(Trowprod, IntegersSaturateOrWrapAtEachMultiply) {
  const auto product = [](DType dtype, const Words& row, isa::Order order,
                          bool saturation) {
    Machine m;
    Call call = RowProduct(static_cast<std::int64_t>(row.size()), dtype);
    call.dst.rows = 32;
    call.src.valid_row = call.dst.valid_row = 1;
    call.order = order;
    m.Put(dtype, call.src.at, row);
    EXPECT_TRUE(m.Executes(isa::SetSaturation{.enabled = saturation}));
    EXPECT_TRUE(m.Executes(call));
    return m.Get(dtype, call.dst.at, 1)[0];
  };
  for (std::size_t o = 0; o < isa::kCount<isa::Order>; ++o) {
    const auto order = static_cast<isa::Order>(o);
    EXPECT_EQ(product(DType::kInt32, {2, 3, 5, 7}, order, true), 210U);
    EXPECT_EQ(product(DType::kInt16, {0xffff, 3, 5, 7}, order, true),
              0x10000U - 105);
    EXPECT_EQ(product(DType::kInt16, {300, 300}, order, true), 0x7fffU);
    EXPECT_EQ(product(DType::kInt16, {300, 300}, order, false),
              90000U & 0xffff);
    EXPECT_EQ(product(DType::kInt32, {0x10000, 0xffff0000}, order, true),
              0x80000000U);
    EXPECT_EQ(product(DType::kInt32, {0x10000, 0x10001}, order, false),
              0x10000U);
  }
  // What comes after the limit starts from it.
  EXPECT_EQ(
      product(DType::kInt16, {200, 200, 0xffff}, isa::Order::kLeftFold, true),
      0x8001U);
}

TEST(TrowprodRules, BoundsOfWholeTiles) {
  // src and tmp have 128 bytes, dst 32; the memory 16384.
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = 16384 - 128; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = 16384 - 96; }),
            Only(trp::kBounds));
  EXPECT_EQ(BrokenBy([](Call& c) { c.tmp.at = 16384 - 96; }),
            Only(trp::kBounds));
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.at = 16384 - 32; }), kNone);
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.at = 16384; }), Only(trp::kBounds));
  EXPECT_EQ(BrokenBy([](Call& c) { c.dst.at = -32; }), Only(trp::kBounds));
  EXPECT_EQ(BrokenBy([](Call& c) {
              c.src.rows = c.tmp.rows = kMax;
              c.src.cols = c.tmp.cols = kMax - 31;
            }),
            Only(trp::kBounds));
  EXPECT_EQ(BrokenBy([](Call& c) { c.src.at = kMax - 31; }),
            Only(trp::kBounds));
}

TEST(TrowprodRules, NoTwoTilesShareAByte) {
  const auto at = [](std::int64_t dst, std::int64_t src, std::int64_t tmp) {
    return BrokenBy([=](Call& c) {
      c.dst.at = dst;
      c.src.at = src;
      c.tmp.at = tmp;
    });
  };
  EXPECT_EQ(at(0, 32, 160), kNone);
  EXPECT_EQ(at(128, 0, 160), kNone);
  EXPECT_EQ(at(0, 0, 4096), Only(trp::kOverlap));
  EXPECT_EQ(at(96, 0, 4096), Only(trp::kOverlap));
  EXPECT_EQ(at(96, 4096, 0), Only(trp::kOverlap));
  EXPECT_EQ(at(0, 4096, 4192), Only(trp::kOverlap));
  EXPECT_EQ(at(0, 4192, 4096), Only(trp::kOverlap));
  EXPECT_EQ(at(0, 4096, 4096), Only(trp::kOverlap));
  EXPECT_EQ(at(16384, 4096, 4096), Only(trp::kBounds));
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
  call.tmp.rows = 5;
  EXPECT_EQ(Broken(call, Product::kAtlasTraining),
            (Ids{"TRP-ALIGN", "TRP-DST-LAYOUT", "TRP-DTYPE", "TRP-DTYPE-MATCH",
                 "TRP-LOCATION", "TRP-PRODUCT", "TRP-SRC-LAYOUT", "TRP-TILE",
                 "TRP-TMP-SHAPE", "TRP-VALID-ROWS", "TRP-VALID-ZERO"}));
}

/// What a row of `factors` becomes.
std::uint64_t Row(const Words& factors, bool saturation,
                  DType dtype = DType::kHalf) {
  Machine m;
  m.Put(dtype, 4096, factors);
  m.Execute(isa::SetSaturation{.enabled = saturation});
  EXPECT_TRUE(
      m.Executes(RowProduct(static_cast<std::int64_t>(factors.size()), dtype)));
  return m.Get(dtype, 0, 1).front();
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
    EXPECT_EQ(Row(c.factors, true), c.saturated) << std::hex << c.factors[0];
    EXPECT_EQ(Row(c.factors, false), c.not_saturated)
        << std::hex << c.factors[0];
  }
  EXPECT_EQ(Row({0x7f800000, 0}, true, DType::kFloat), 0x7fc00000U);
  EXPECT_EQ(Row({0x7f7fffff, 0x40000000}, true, DType::kFloat), 0x7f800000U);
  EXPECT_EQ(Row({0x00000003, 0x3f000000}, true, DType::kFloat), 2U);
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
    const isa::StepResult result = m.Execute(call);
    EXPECT_EQ(m.ub, expected.ub);
    EXPECT_EQ(test::Texts(result.notes), kNone);
    Machine older({Product::kAtlasA2, isa::Edition::k2024});
    EXPECT_EQ(test::Texts(older.Execute(call).notes),
              layout == Layout::kNd ? Only(trp::kDstNdDeprecated) : kNone);
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

}  // namespace
}  // namespace lanediff::oracle
