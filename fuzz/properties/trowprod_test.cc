#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "isa/intervals.h"
#include "oracle/product_bound.h"

/// Laws of TROWPROD. No law defines the order of a row.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::Layout;
using isa::Order;
using isa::Product;

// ---- Calls ------------------------------------------------------------------

const isa::Tile& Src(const Sample& s) {
  return s.call.tiles[isa::Call::kSrcTile];
}

/// Elements of a DataBlock.
std::int64_t Unit(const Sample& s) {
  return isa::kDataBlockBytes / s.element_bytes();
}

/// Where an element of the source tile stands in the source.
std::size_t At(const Sample& s, std::int64_t row, std::int64_t column) {
  return static_cast<std::size_t>(row * Src(s).cols + column);
}

/// The elements of `row` that are multiplied.
std::vector<std::uint64_t> Factors(const Sample& s, std::int64_t row) {
  const auto first = s.data.front().elements.begin() + row * Src(s).cols;
  return {first, first + Src(s).valid_col};
}

/// Fills the source with `elements` over and over, if there are any.
void Fill(Sample& s, const std::vector<std::uint64_t>& elements) {
  for (std::size_t i = 0; i < s.source().size() && !elements.empty(); ++i) {
    s.source()[i] = elements[i % elements.size()];
  }
}

/// Puts the columns that are multiplied in another order, alike in all rows.
void ShuffleColumns(Sample& s, std::uint64_t seed) {
  make::Random random(seed);
  for (std::int64_t k = Src(s).valid_col - 1; k > 0; --k) {
    const std::int64_t with = random.Between(0, k);
    for (std::int64_t r = 0; r < Src(s).valid_row; ++r) {
      std::swap(s.source()[At(s, r, k)], s.source()[At(s, r, with)]);
    }
  }
}

/// Gives dst the size that it has in a layout, for the rows of src, and puts
/// dst, src and tmp one behind the other.
Sample WithLayout(Sample s, isa::Layout layout) {
  auto& [dst, src, tmp] = s.call.tiles;
  const bool nd = layout == isa::Layout::kNd;
  dst.layout = layout;
  dst.valid_row = src.valid_row;
  dst.valid_col = 1;
  dst.rows = nd ? src.valid_row : isa::RoundUp(src.valid_row, Unit(s));
  dst.cols = nd ? Unit(s) : 1;
  tmp = src;
  s.end = 0;
  for (isa::Tile& tile : s.call.used_tiles()) {
    tile.at = s.Add(tile.rows * tile.cols * s.element_bytes()).at;
  }
  s.data[0].at = src.at;
  s.data[1].at = tmp.at;
  return s;
}

/// One call for each row of `s`, whose dst is ND.
std::vector<isa::Step> SingleRows(const Sample& s) {
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < Src(s).valid_row; ++r) {
    isa::Call single = s.call;
    for (isa::Tile& tile : single.used_tiles()) {
      tile.at += r * tile.cols * s.element_bytes();
      tile.rows = 1;
      tile.valid_row = 1;
    }
    singles.emplace_back(single);
  }
  return singles;
}

std::uint64_t One(DType type) { return ScaledInteger(type, 1, 0); }

Order DrawOrder(const char* name) {
  return *rc::gen::element(Order::kDocumented, Order::kBlockLanes,
                           Order::kRegisterLanes, Order::kLeftFold)
              .as(name);
}

Sample WithOtherOrder(Sample s) {
  s.call.order = DrawOrder("other order");
  return s;
}

/// A sample whose source is all ones.
Sample DrawCall(std::int64_t most_rows) {
  Sample s;
  s.product =
      *rc::gen::element(Product::kAtlasA2, Product::kAtlasA3).as("product");
  s.saturation = DrawFlag("saturation");
  s.fill = DrawFill();
  s.call = isa::CallOf("TROWPROD");
  s.call.dtype = *rc::gen::element(DType::kHalf, DType::kFloat).as("dtype");
  s.call.order = DrawOrder("order");
  isa::Tile& src = s.call.tiles[isa::Call::kSrcTile];
  // The numbers of columns that the document's own code gets wrong, often.
  src.valid_col =
      *AllAlike(
           rc::gen::oneOf(rc::gen::inRange<std::int64_t>(1, 1025),
                          rc::gen::element<std::int64_t>(384, 448, 640, 768)))
           .as("validCol");
  src.cols = (src.valid_col / Unit(s) + Draw("slack", 1, 2)) * Unit(s);
  src.valid_row = Draw<std::int64_t>("validRow", 1, most_rows);
  src.rows = src.valid_row + Draw("more rows", 0, 1);
  const std::vector<std::uint64_t> ones(
      static_cast<std::size_t>(src.rows * src.cols), One(s.call.dtype));
  s.data = {{.elements = ones}, {.elements = ones}};  // of src and tmp
  return WithLayout(std::move(s), DrawFlag("DN") ? Layout::kDn : Layout::kNd);
}

/// Any elements: the products may overflow, vanish and be no numbers.
Sample DrawSample() {
  Sample s = DrawCall(4);
  Fill(s, DrawElements(AnElement(s.call.dtype, Values::kAny)));
  return s;
}

/// Factors from 1 − d to 1 + d of either sign, where (1 ± d)^1024 is normal: d
/// is 2^-7 for half and 2^-4 for float.
Sample DrawNearOne(std::int64_t most_rows) {
  Sample s = DrawCall(most_rows);
  const DType type = s.call.dtype;
  const int most = type == DType::kHalf ? 8 : 1 << 19;
  Fill(s, DrawElements(rc::gen::map(
              rc::gen::pair(rc::gen::arbitrary<bool>(),
                            rc::gen::inRange(-2 * most, most + 1)),
              [type](const std::pair<bool, int>& p) {
                const std::uint64_t sign = Compose(type, p.first, 0, 0);
                return (One(type) + static_cast<std::uint64_t>(p.second)) |
                       sign;
              })));
  return s;
}

/// Holds each row that both write against `relation`.
Verdict RowsRelated(const Sample& first, const Sample& second,
                    const ElementRelation& relation) {
  return WrittenRelated(CaseOf(first), CaseOf(second), relation);
}

/// Both calls write products within the bound of the factors of `first`.
Verdict WithinBound(const Sample& first, const Sample& second) {
  return RowsRelated(
      first, second,
      [&](std::int64_t row, std::uint64_t a, std::uint64_t b) -> std::string {
        const DType type = first.call.dtype;
        for (const std::uint64_t bits : {a, b}) {
          if (oracle::WithinProductBound(type, Factors(first, row), bits) !=
              true) {
            return fmt::format("row {} gives {}, too far from the product", row,
                               DescribeElement(type, bits));
          }
        }
        return "";
      });
}

// ---- Laws -------------------------------------------------------------------

Verdict OrdersAgreeOnPowersOfTwo() {
  Sample s = DrawCall(3);
  const DType type = s.call.dtype;
  const auto exponents =
      *rc::gen::resize(kMostElements, rc::gen::container<std::vector<int>>(
                                          AllAlike(rc::gen::inRange(-3, 4))))
           .as("exponents");
  // No part of a row may leave the normal range, in whatever order.
  const int budget = type == DType::kHalf ? 14 : 126;
  const std::uint64_t places = DrawWord("places");
  for (std::int64_t r = 0; r < Src(s).valid_row; ++r) {
    make::Random random(places + static_cast<std::uint64_t>(r));
    int left = budget;
    for (const int e : exponents) {
      std::uint64_t& bits =
          s.source()[At(s, r, random.Between(0, Src(s).valid_col - 1))];
      if (bits != One(type) || left < std::abs(e)) continue;
      left -= std::abs(e);
      bits = ScaledInteger(type, random.Percent(50) ? -1 : 1, e);
    }
  }
  return SameWritten(CaseOf(s), CaseOf(WithOtherOrder(s)));
}

Verdict EveryOrderIsWithinBound() {
  const Sample s = DrawNearOne(2);
  return WithinBound(s, WithOtherOrder(s));
}

Verdict PermutedColumnsAreWithinBound() {
  const Sample s = DrawNearOne(2);
  Sample other = s;
  ShuffleColumns(other, DrawWord("permutation"));
  return WithinBound(s, other);
}

Verdict SignIsParity() {
  const Sample s = DrawNearOne(4);
  const DType type = s.call.dtype;
  const std::uint64_t sign = Compose(type, true, 0, 0);
  Sample positive = s;
  for (std::uint64_t& bits : positive.source()) bits &= ~sign;
  return RowsRelated(
      s, positive,
      [&](std::int64_t row, std::uint64_t a, std::uint64_t b) -> std::string {
        for (const std::uint64_t bits : Factors(s, row)) b ^= bits & sign;
        if (a == b) return "";
        return fmt::format("row {} gives {}, not {}", row,
                           DescribeElement(type, a), DescribeElement(type, b));
      });
}

Verdict RowsAreIndependent() {
  // Only in ND does every row of dst start where a tile may start.
  const Sample s = WithLayout(DrawSample(), Layout::kNd);
  return SameMemory(s, SingleRows(s));
}

Verdict LayoutOfDstDoesntMatter() {
  const Sample s = DrawSample();
  return SameWritten(CaseOf(WithLayout(s, Layout::kNd)),
                     CaseOf(WithLayout(s, Layout::kDn)));
}

Verdict ZeroGivesZero() {
  const Sample s = DrawNearOne(3);
  Sample zero = s;
  const std::int64_t k = Draw("column", std::int64_t{0}, Src(s).valid_col - 1);
  const bool negative = DrawFlag("negative zero");
  for (std::int64_t r = 0; r < Src(s).valid_row; ++r) {
    zero.source()[At(s, r, k)] = Compose(s.call.dtype, negative, 0, 0);
  }
  const std::uint64_t sign = Compose(s.call.dtype, true, 0, 0);
  return RowsRelated(
      zero, s,
      [=](std::int64_t row, std::uint64_t a, std::uint64_t b) -> std::string {
        if ((a & ~sign) != 0) return fmt::format("row {} is not zero", row);
        if ((b & ~sign) != 0) return "";
        return fmt::format("row {} is zero without a zero", row);
      });
}

[[maybe_unused]] const bool kGiven =
    GiveLaws("trowprod",
             {{"OrdersAgreeOnPowersOfTwo", OrdersAgreeOnPowersOfTwo},
              {"EveryOrderIsWithinBound", EveryOrderIsWithinBound},
              {"PermutedColumnsAreWithinBound", PermutedColumnsAreWithinBound},
              {"SignIsParity", SignIsParity},
              {"RowsAreIndependent", RowsAreIndependent},
              {"LayoutOfDstDoesntMatter", LayoutOfDstDoesntMatter},
              {"ZeroGivesZero", ZeroGivesZero}});

}  // namespace
}  // namespace lanediff::properties
