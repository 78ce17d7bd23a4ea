// TLOAD and TSTORE: where a tile's elements are, in UB and in GM.

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::Memory;

struct Shape {
  bool store = false;
  bool by_columns = false;
  std::int64_t rows = 1;
  std::int64_t cols = 1;
  std::int64_t valid_rows = 1;
  std::int64_t valid_cols = 1;
  std::array<std::int64_t, 5> shape = {1, 1, 1, 1, 1};
  std::array<std::int64_t, 5> stride = {1, 1, 1, 1, 1};
};

constexpr std::int64_t kTileAt = 64;
constexpr std::int64_t kGmAt = 96;

Call Tile(const Shape& of, std::uint8_t dtype) {
  Call call(of.store ? "TSTORE" : "TLOAD");
  call.Operand(of.store ? kSrc : kDst, dtype, kTileAt)
      .Operand(of.store ? kDst : kSrc, dtype, kGmAt, Memory::kGm);
  const std::string tile = of.store ? "src" : "dst";
  const std::string gm = of.store ? "dst" : "src";
  call.Number(tile + ".rows", of.rows).Number(tile + ".cols", of.cols);
  call.Number(tile + ".validRow", of.valid_rows)
      .Number(tile + ".validCol", of.valid_cols)
      .Word(tile + ".layout", of.by_columns ? "DN" : "ND");
  for (std::size_t d = 0; d < 5; ++d) {
    call.Number(gm + ".shape" + std::to_string(d), of.shape[d]);
  }
  for (std::size_t d = 0; d < 5; ++d) {
    call.Number(gm + ".stride" + std::to_string(d), of.stride[d]);
  }
  return call;
}

/// Elements of the tile and of GM that lie opposite each other, by the tensor's
/// five dimensions.
std::vector<std::pair<std::int64_t, std::int64_t>> ElementsOf(const Shape& of) {
  std::vector<std::pair<std::int64_t, std::int64_t>> elements;
  std::int64_t row = 0;
  const auto& [s0, s1, s2, s3, s4] = of.shape;
  for (std::int64_t a = 0; a < s0; ++a) {
    for (std::int64_t b = 0; b < s1; ++b) {
      for (std::int64_t c = 0; c < s2; ++c) {
        for (std::int64_t d = 0; d < s3; ++d, ++row) {
          for (std::int64_t e = 0; e < s4; ++e) {
            if (row >= of.valid_rows || e >= of.valid_cols) continue;
            elements.emplace_back(
                of.by_columns ? e * of.rows + row : row * of.cols + e,
                a * of.stride[0] + b * of.stride[1] + c * of.stride[2] +
                    d * of.stride[3] + e * of.stride[4]);
          }
        }
      }
    }
  }
  return elements;
}

TEST(Tiles, AtRandomAreWhereTheirStridesSay) {
  std::mt19937_64 random(5);
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  for (int round = 0; round < 300 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    Shape of;
    of.store = below(2) == 0;
    of.by_columns = below(2) == 0;
    std::int64_t rows = 1;
    for (std::size_t d = 0; d < 5; ++d) of.shape[d] = 1 + below(3);
    for (std::size_t d = 0; d < 4; ++d) rows *= of.shape[d];
    // Elements in GM are apart, the inner ones often neighbours.
    of.stride[4] = 1 + below(2);
    for (std::size_t d = 4; d-- > 0;) {
      of.stride[d] = of.stride[d + 1] * of.shape[d + 1] + below(2);
    }
    of.valid_rows = below(static_cast<std::uint64_t>(rows) + 1);
    of.valid_cols = below(static_cast<std::uint64_t>(of.shape[4]) + 1);
    of.rows = rows + below(3);
    of.cols = of.shape[4] + below(3);
    Call call = Tile(of, LANEDIFF_UINT16);
    const auto elements = ElementsOf(of);
    const auto plan = call.Plan();
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_FALSE(plan->cut);
    EXPECT_EQ(call.OutOfRange(), "");
    EXPECT_EQ(plan->pipe, of.store ? isa::Pipe::kMte3 : isa::Pipe::kMte2);
    const auto bytes = [](const std::vector<Touch>& touches) {
      std::vector<std::int64_t> all;
      for (const Touch& touch : touches) {
        for (std::int64_t i = 0; i < touch.bytes; ++i) {
          all.push_back(touch.at + i);
        }
      }
      std::ranges::sort(all);
      return all;
    };
    std::vector<std::int64_t> near;
    std::vector<std::int64_t> far;
    for (const auto& [tile, gm] : elements) {
      for (std::int64_t i = 0; i < 2; ++i) {
        near.push_back(kTileAt + 2 * tile + i);
        far.push_back(kGmAt + 2 * gm + i);
      }
    }
    std::ranges::sort(near);
    std::ranges::sort(far);
    EXPECT_EQ(bytes(of.store ? plan->writes : plan->reads), far);
    EXPECT_EQ(bytes(of.store ? plan->reads : plan->writes), near);
    std::vector<std::uint16_t> from(2000);
    for (std::uint16_t& value : from)
      value = static_cast<std::uint16_t>(random());
    const auto source = of.store ? Memory::kUb : Memory::kGm;
    const auto result = of.store ? Memory::kGm : Memory::kUb;
    const std::int64_t from_at = of.store ? kTileAt : kGmAt;
    const std::int64_t to_at = of.store ? kGmAt : kTileAt;
    call.Put(from_at, from, source);
    std::vector<std::uint16_t> expected =
        call.Get<std::uint16_t>(to_at, 2000, result);
    for (const auto& [tile, gm] : elements) {
      expected[static_cast<std::size_t>(of.store ? gm : tile)] =
          from[static_cast<std::size_t>(of.store ? tile : gm)];
    }
    EXPECT_EQ(call.Run(), 0U);
    EXPECT_EQ(call.Get<std::uint16_t>(to_at, 2000, result), expected);
  }
}

const Shape kTwoRows = {.rows = 2,
                        .cols = 8,
                        .valid_rows = 2,
                        .valid_cols = 3,
                        .shape = {1, 1, 1, 2, 3},
                        .stride = {20, 20, 20, 10, 1}};

TEST(Tiles, RowsAreIterations) {
  EXPECT_EQ(Tile(kTwoRows, LANEDIFF_FLOAT).Touched(),
            "0 src 96+12 dst=64+12; 1 src 136+12 dst=96+12");
  Shape store = kTwoRows;
  store.store = true;
  EXPECT_EQ(Tile(store, LANEDIFF_FLOAT).Touched(),
            "0 src 64+12 dst=96+12; 1 src 96+12 dst=136+12");
  store.by_columns = true;
  EXPECT_EQ(Tile(store, LANEDIFF_FLOAT).Touched(),
            "0 src 64+4 src 68+4 dst=96+4 dst=136+4; "
            "1 src 72+4 src 76+4 dst=100+4 dst=140+4; "
            "2 src 80+4 src 84+4 dst=104+4 dst=144+4");
}

TEST(Tiles, AtomicStoresReadWhatTheyAddTo) {
  Shape store = kTwoRows;
  store.store = true;
  Call call = Tile(store, LANEDIFF_FLOAT);
  call.Word("atomic", "AtomicAdd");
  EXPECT_EQ(call.Touched(),
            "0 src 64+12 dst 96+12 dst=96+12; 1 src 96+12 dst 136+12 "
            "dst=136+12");
  call.Put<float>(64, {1, 2, 3}).Put<float>(96, {10, 20, 30}, Memory::kGm);
  call.Run();
  EXPECT_EQ(call.Get<float>(96, 3, Memory::kGm),
            (std::vector<float>{11, 22, 33}));
  Call other = Tile(store, LANEDIFF_UINT32);
  EXPECT_EQ(other.Refused(), "");
  other.Word("atomic", "AtomicAdd");
  EXPECT_EQ(other.Refused(), "atomic add of uint32_t");
}

TEST(Tiles, EndWithTheFirstElementOutsideOfItsWindow) {
  const auto cut = [](std::size_t operand, std::int64_t window) {
    Call call = Tile(kTwoRows, LANEDIFF_FLOAT);
    call.call.operands[operand].window = window;
    return (call.Plan()->cut ? "cut " : "") + call.Touched();
  };
  const std::string whole = "0 src 96+12 dst=64+12; 1 src 136+12 dst=96+12";
  EXPECT_EQ(cut(0, 44), whole);
  EXPECT_EQ(cut(0, 43), "cut " + whole);
  EXPECT_EQ(cut(0, 36), "cut 0 src 96+12 dst=64+12; 1 src 136+8 dst=96+8");
  EXPECT_EQ(cut(1, 52), whole);
  EXPECT_EQ(cut(1, 51), "cut " + whole);
  EXPECT_EQ(cut(1, 12), "cut 0 src 96+12 dst=64+12; 1 src 136+4 dst=96+4");
}

TEST(Tiles, RangesAndRefusals) {
  Shape of = kTwoRows;
  EXPECT_EQ(Tile(of, LANEDIFF_FLOAT).OutOfRange(), "");
  of.rows = of.cols = 0;
  of.valid_rows = of.valid_cols = -1;
  of.shape = {0, 0, 0, 0, 0};
  of.stride = {-1, -1, -1, -1, -1};
  EXPECT_EQ(Tile(of, LANEDIFF_FLOAT).OutOfRange(),
            "dst.rows dst.cols dst.validRow dst.validCol src.shape0 "
            "src.shape1 src.shape2 src.shape3 src.shape4 src.stride0 "
            "src.stride1 src.stride2 src.stride3 src.stride4");
  Shape least;
  least.valid_rows = least.valid_cols = 0;
  least.stride = {0, 0, 0, 0, 0};
  EXPECT_EQ(Tile(least, LANEDIFF_FLOAT).OutOfRange(), "");
  least.valid_rows = least.valid_cols = 2;
  EXPECT_EQ(Tile(least, LANEDIFF_FLOAT).OutOfRange(),
            "dst.validRow dst.validCol");
  Call call("TLOAD");
  call.Operand(kDst, LANEDIFF_FLOAT, 0).Operand(kSrc, LANEDIFF_FLOAT, 64);
  EXPECT_EQ(call.Refused(), "TLOAD between UB and UB");
  Call types("TLOAD");
  types.Operand(kDst, LANEDIFF_FLOAT, 0);
  types.Operand(kSrc, LANEDIFF_HALF, 0, Memory::kGm);
  EXPECT_EQ(types.Refused(), "TLOAD from half to float");
}

}  // namespace
}  // namespace lanediff::kernel
