#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "oracle/product_bound.h"

/// Laws of TROWPROD. No law defines the order of a row.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::Layout;
using isa::Order;
using isa::Product;

/// The numbers of the tiles.
constexpr std::size_t kDst = 0;
constexpr std::size_t kSrc = 1;
constexpr std::size_t kTmp = 2;

// ---- Calls and what they leave ----------------------------------------------

/// A legal call with its surroundings; dst, src and tmp lie apart.
struct TrowprodSample {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::Call call = isa::CallOf("TROWPROD");
  /// Every element of the source tile, row by row.
  std::vector<std::uint64_t> source;
  /// Every element of tmp before the call.
  std::uint64_t scratch = 0;

  std::int64_t element_bytes() const { return isa::SizeBytes(call.dtype); }
  /// Elements of 32 bytes.
  std::int64_t unit() const { return 32 / element_bytes(); }
  std::int64_t At(std::int64_t row, std::int64_t column) const {
    return row * call.tiles[kSrc].cols + column;
  }
  /// The elements of `row` that are multiplied.
  std::vector<std::uint64_t> Factors(std::int64_t row) const {
    const auto first = source.begin() + At(row, 0);
    return {first, first + call.tiles[kSrc].valid_col};
  }
};

/// Fills the source with `elements` over and over, if there are any.
void Fill(TrowprodSample& s, const std::vector<std::uint64_t>& elements) {
  if (elements.empty()) return;
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    s.source[i] = elements[i % elements.size()];
  }
}

/// Puts the columns that are multiplied in another order, alike in all rows.
void ShuffleColumns(TrowprodSample& s, std::uint64_t seed) {
  make::Random random(seed);
  for (std::int64_t k = s.call.tiles[kSrc].valid_col - 1; k > 0; --k) {
    const std::int64_t with = random.Between(0, k);
    for (std::int64_t r = 0; r < s.call.tiles[kSrc].valid_row; ++r) {
      std::swap(s.source[s.At(r, k)], s.source[s.At(r, with)]);
    }
  }
}

/// The size of dst in a layout, for the rows of src.
void ShapeDestination(TrowprodSample& s, isa::Layout layout) {
  isa::Tile& dst = s.call.tiles[kDst];
  const std::int64_t rows = s.call.tiles[kSrc].valid_row;
  dst.layout = layout;
  dst.valid_row = rows;
  dst.valid_col = 1;
  dst.rows = layout == isa::Layout::kNd
                 ? rows
                 : (rows + s.unit() - 1) / s.unit() * s.unit();
  dst.cols = layout == isa::Layout::kNd ? s.unit() : 1;
}

/// Puts dst, src and tmp one behind the other.
void Place(TrowprodSample& s) {
  s.call.tiles[kTmp] = s.call.tiles[kSrc];
  std::int64_t end = 0;
  for (isa::Tile& tile : s.call.used_tiles()) {
    tile.at = end + kMarginBytes;
    end = tile.at + tile.rows * tile.cols * s.element_bytes();
  }
}

/// One call for each row of `s`, whose dst is ND.
std::vector<isa::Step> SingleRows(const TrowprodSample& s) {
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call.tiles[kSrc].valid_row; ++r) {
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

/// `program`, with the surroundings and the source of `s`.
Case CaseOf(const TrowprodSample& s, std::vector<isa::Step> program) {
  Region source{
      .at = s.call.tiles[kSrc].at, .dtype = s.call.dtype, .bytes = {}};
  for (const std::uint64_t bits : s.source) {
    AppendElement(s.call.dtype, bits, source.bytes);
  }
  Region scratch{
      .at = s.call.tiles[kTmp].at, .dtype = s.call.dtype, .bytes = {}};
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    AppendElement(s.call.dtype, s.scratch, scratch.bytes);
  }
  const std::int64_t size = scratch.end() + kMarginBytes;
  return UbCase(s.product, s.fill, size,
                {std::move(source), std::move(scratch)}, std::move(program),
                s.saturation);
}

/// The call of `s` itself.
Case CaseOf(const TrowprodSample& s) { return CaseOf(s, {s.call}); }

/// What `call` writes, row by row.
std::vector<Written> WrittenBy(const isa::Call& call) {
  std::vector<Written> all;
  const std::int64_t bytes = isa::SizeBytes(call.dtype);
  const isa::Tile& dst = call.tiles[kDst];
  const std::int64_t step = dst.layout == isa::Layout::kNd ? dst.cols : 1;
  for (std::int64_t r = 0; r < call.tiles[kSrc].valid_row; ++r) {
    all.push_back({dst.at + r * step * bytes, bytes});
  }
  return all;
}

/// The number that `call` writes for `row`.
std::uint64_t ProductOf(const isa::Call& call, const Bytes& ub,
                        std::int64_t row) {
  const Written at = WrittenBy(call)[static_cast<std::size_t>(row)];
  return LoadElement(call.dtype,
                     std::span(ub).subspan(static_cast<std::size_t>(at.at)));
}

/// How the products differ that two calls write, if they do.
std::string ProductDifference(const isa::Call& first_call, const Bytes& first,
                              const isa::Call& second_call,
                              const Bytes& second) {
  for (std::int64_t r = 0; r < first_call.tiles[kSrc].valid_row; ++r) {
    const std::uint64_t a = ProductOf(first_call, first, r);
    const std::uint64_t b = ProductOf(second_call, second, r);
    if (SameElement(first_call.dtype, a, b)) continue;
    return fmt::format("row {} gives {} and {}", r,
                       DescribeElement(first_call.dtype, a),
                       DescribeElement(first_call.dtype, b));
  }
  return {};
}

constexpr std::string_view kUnwritten = ", which no row writes,";

std::uint64_t One(DType type) { return ScaledInteger(type, 1, 0); }

Order DrawOrder(const char* name) {
  return *rc::gen::element(Order::kDocumented, Order::kBlockLanes,
                           Order::kRegisterLanes, Order::kLeftFold)
              .as(name);
}

/// A sample whose source is all ones.
TrowprodSample DrawCall(std::int64_t most_rows) {
  TrowprodSample s;
  s.product =
      *rc::gen::element(Product::kAtlasA2, Product::kAtlasA3).as("product");
  s.saturation = DrawFlag("saturation");
  s.fill = DrawFill();
  isa::Call& call = s.call;
  call.dtype = *rc::gen::element(DType::kHalf, DType::kFloat).as("dtype");
  call.order = DrawOrder("order");
  isa::Tile& src = call.tiles[kSrc];
  // The numbers of columns that the document's own code gets wrong, often.
  src.valid_col =
      *AllAlike(
           rc::gen::oneOf(rc::gen::inRange<std::int64_t>(1, 1025),
                          rc::gen::element<std::int64_t>(384, 448, 640, 768)))
           .as("validCol");
  src.cols = (src.valid_col / s.unit() + Draw("slack", 1, 2)) * s.unit();
  src.valid_row = Draw<std::int64_t>("validRow", 1, most_rows);
  src.rows = src.valid_row + Draw("more rows", 0, 1);
  ShapeDestination(s, DrawFlag("DN") ? Layout::kDn : Layout::kNd);
  Place(s);
  const auto size = static_cast<std::size_t>(src.rows * src.cols);
  s.source.assign(size, One(call.dtype));
  s.scratch = One(call.dtype);
  return s;
}

/// Any elements: the products may overflow, vanish and be no numbers.
TrowprodSample DrawSample() {
  TrowprodSample s = DrawCall(4);
  Fill(s, DrawElements(AnElement(s.call.dtype, Values::kAny)));
  return s;
}

/// Factors from 1 − d to 1 + d of either sign, where (1 ± d)^1024 is normal: d
/// is 2^-7 for half and 2^-4 for float.
TrowprodSample DrawNearOne(std::int64_t most_rows) {
  TrowprodSample s = DrawCall(most_rows);
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

// ---- Verdicts ---------------------------------------------------------------

/// Both calls write the same products.
Verdict SameProducts(const TrowprodSample& first,
                     const TrowprodSample& second) {
  return Related(CaseOf(first), CaseOf(second),
                 [&](const Bytes& a, const Bytes& b) {
                   return ProductDifference(first.call, a, second.call, b);
                 });
}

/// Both calls write products within the bound of the factors of `first`.
Verdict WithinBound(const TrowprodSample& first, const TrowprodSample& second) {
  return Related(
      CaseOf(first), CaseOf(second), [&](const Bytes& a, const Bytes& b) {
        for (std::int64_t r = 0; r < first.call.tiles[kSrc].valid_row; ++r) {
          const std::vector<std::uint64_t> factors = first.Factors(r);
          for (const Bytes* ub : {&a, &b}) {
            const std::uint64_t bits = ProductOf(first.call, *ub, r);
            const DType type = first.call.dtype;
            if (oracle::WithinProductBound(type, factors, bits) == true) {
              continue;
            }
            return fmt::format("row {} gives {}, too far from the product", r,
                               DescribeElement(type, bits));
          }
        }
        return std::string();
      });
}

// ---- Laws -------------------------------------------------------------------

Verdict OrdersAgreeOnPowersOfTwo() {
  TrowprodSample s = DrawCall(3);
  const DType type = s.call.dtype;
  const auto exponents =
      *rc::gen::resize(kMostElements, rc::gen::container<std::vector<int>>(
                                          AllAlike(rc::gen::inRange(-3, 4))))
           .as("exponents");
  // No part of a row may leave the normal range, in whatever order.
  const int budget = type == DType::kHalf ? 14 : 126;
  const std::uint64_t places = DrawWord("places");
  for (std::int64_t r = 0; r < s.call.tiles[kSrc].valid_row; ++r) {
    make::Random random(places + static_cast<std::uint64_t>(r));
    int left = budget;
    for (const int e : exponents) {
      const std::int64_t k =
          s.At(r, random.Between(0, s.call.tiles[kSrc].valid_col - 1));
      if (s.source[k] != One(type) || left < std::abs(e)) continue;
      left -= std::abs(e);
      s.source[k] = ScaledInteger(type, random.Percent(50) ? -1 : 1, e);
    }
  }
  TrowprodSample other = s;
  other.call.order = DrawOrder("other order");
  return SameProducts(s, other);
}

Verdict EveryOrderIsWithinBound() {
  const TrowprodSample s = DrawNearOne(2);
  TrowprodSample other = s;
  other.call.order = DrawOrder("other order");
  return WithinBound(s, other);
}

Verdict PermutedColumnsAreWithinBound() {
  const TrowprodSample s = DrawNearOne(2);
  TrowprodSample other = s;
  ShuffleColumns(other, DrawWord("permutation"));
  return WithinBound(s, other);
}

Verdict SignIsParity() {
  const TrowprodSample s = DrawNearOne(4);
  const std::uint64_t sign = Compose(s.call.dtype, true, 0, 0);
  TrowprodSample positive = s;
  for (std::uint64_t& bits : positive.source) bits &= ~sign;
  return Related(
      CaseOf(s), CaseOf(positive), [&](const Bytes& a, const Bytes& b) {
        for (std::int64_t r = 0; r < s.call.tiles[kSrc].valid_row; ++r) {
          std::uint64_t expected = ProductOf(s.call, b, r);
          for (const std::uint64_t bits : s.Factors(r)) expected ^= bits & sign;
          const std::uint64_t bits = ProductOf(s.call, a, r);
          if (bits == expected) continue;
          return fmt::format("row {} gives {}, not {}", r,
                             DescribeElement(s.call.dtype, bits),
                             DescribeElement(s.call.dtype, expected));
        }
        return std::string();
      });
}

Verdict RowsAreIndependent() {
  TrowprodSample s = DrawSample();
  // Only in ND does every row of dst start where a tile may start.
  ShapeDestination(s, Layout::kNd);
  Place(s);
  return Related(
      CaseOf(s), CaseOf(s, SingleRows(s)), [&](const Bytes& a, const Bytes& b) {
        std::string broken = ProductDifference(s.call, a, s.call, b);
        return broken.empty()
                   ? OutsideDifference(WrittenBy(s.call), a, b, kUnwritten)
                   : broken;
      });
}

Verdict LayoutOfDstDoesntMatter() {
  TrowprodSample nd = DrawSample();
  ShapeDestination(nd, Layout::kNd);
  Place(nd);
  TrowprodSample dn = nd;
  ShapeDestination(dn, Layout::kDn);
  Place(dn);
  return SameProducts(nd, dn);
}

Verdict ZeroGivesZero() {
  const TrowprodSample s = DrawNearOne(3);
  TrowprodSample zero = s;
  const std::int64_t k =
      Draw("column", std::int64_t{0}, s.call.tiles[kSrc].valid_col - 1);
  const bool negative = DrawFlag("negative zero");
  for (std::int64_t r = 0; r < s.call.tiles[kSrc].valid_row; ++r) {
    zero.source[s.At(r, k)] = Compose(s.call.dtype, negative, 0, 0);
  }
  const std::uint64_t sign = Compose(s.call.dtype, true, 0, 0);
  return Related(CaseOf(zero), CaseOf(s), [&](const Bytes& a, const Bytes& b) {
    for (std::int64_t r = 0; r < s.call.tiles[kSrc].valid_row; ++r) {
      if ((ProductOf(s.call, a, r) & ~sign) != 0) {
        return fmt::format("row {} is not zero", r);
      }
      if ((ProductOf(s.call, b, r) & ~sign) == 0) {
        return fmt::format("row {} is zero without a zero", r);
      }
    }
    return std::string();
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
