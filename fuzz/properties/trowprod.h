#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/trowprod.h"

/// Calls of TROWPROD and what they leave, for its laws.
namespace lanediff::properties {

/// A legal call with its surroundings; dst, src and tmp lie apart.
struct TrowprodSample {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::Trowprod call;
  /// Every element of the source tile, row by row.
  std::vector<std::uint64_t> source;
  /// Every element of tmp before the call.
  std::uint64_t scratch = 0;

  std::int64_t element_bytes() const { return isa::SizeBytes(call.dtype); }
  /// Elements of 32 bytes.
  std::int64_t unit() const { return 32 / element_bytes(); }
  std::int64_t At(std::int64_t row, std::int64_t column) const {
    return row * call.src.cols + column;
  }
  /// The elements of `row` that are multiplied.
  std::vector<std::uint64_t> Factors(std::int64_t row) const {
    const auto first = source.begin() + At(row, 0);
    return {first, first + call.src.valid_col};
  }
};

/// Fills the source with `elements` over and over, if there are any.
inline void Fill(TrowprodSample& s,
                 const std::vector<std::uint64_t>& elements) {
  if (elements.empty()) return;
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    s.source[i] = elements[i % elements.size()];
  }
}

/// Puts the columns that are multiplied in another order, alike in all rows.
inline void ShuffleColumns(TrowprodSample& s, std::uint64_t seed) {
  make::Random random(seed);
  for (std::int64_t k = s.call.src.valid_col - 1; k > 0; --k) {
    const std::int64_t with = random.Between(0, k);
    for (std::int64_t r = 0; r < s.call.src.valid_row; ++r) {
      std::swap(s.source[s.At(r, k)], s.source[s.At(r, with)]);
    }
  }
}

/// The size of dst in a layout, for the rows of src.
inline void ShapeDestination(TrowprodSample& s, isa::Layout layout) {
  isa::Tile& dst = s.call.dst;
  const std::int64_t rows = s.call.src.valid_row;
  dst.layout = layout;
  dst.valid_row = rows;
  dst.valid_col = 1;
  dst.rows = layout == isa::Layout::kNd
                 ? rows
                 : (rows + s.unit() - 1) / s.unit() * s.unit();
  dst.cols = layout == isa::Layout::kNd ? s.unit() : 1;
}

/// Puts dst, src and tmp one behind the other.
inline void Place(TrowprodSample& s) {
  isa::Trowprod& call = s.call;
  const auto end = [&](const isa::Tile& tile) {
    return tile.at + tile.rows * tile.cols * s.element_bytes();
  };
  call.tmp = call.src;
  call.dst.at = kMarginBytes;
  call.src.at = end(call.dst) + kMarginBytes;
  call.tmp.at = end(call.src) + kMarginBytes;
}

/// One call for each row of `s`, whose dst is ND.
inline std::vector<isa::Step> SingleRows(const TrowprodSample& s) {
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call.src.valid_row; ++r) {
    isa::Trowprod single = s.call;
    for (isa::Tile* tile : {&single.dst, &single.src, &single.tmp}) {
      tile->at += r * tile->cols * s.element_bytes();
      tile->rows = 1;
      tile->valid_row = 1;
    }
    singles.emplace_back(single);
  }
  return singles;
}

/// `program`, with the surroundings and the source of `s`.
inline Case CaseOf(const TrowprodSample& s, std::vector<isa::Step> program) {
  Region source{.at = s.call.src.at, .dtype = s.call.dtype, .bytes = {}};
  for (const std::uint64_t bits : s.source) {
    AppendElement(s.call.dtype, bits, source.bytes);
  }
  Region scratch{.at = s.call.tmp.at, .dtype = s.call.dtype, .bytes = {}};
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    AppendElement(s.call.dtype, s.scratch, scratch.bytes);
  }
  const std::int64_t size = scratch.end() + kMarginBytes;
  return UbCase(s.product, s.fill, size,
                {std::move(source), std::move(scratch)}, std::move(program),
                s.saturation);
}

/// The call of `s` itself.
inline Case CaseOf(const TrowprodSample& s) { return CaseOf(s, {s.call}); }

/// What `call` writes, row by row.
inline std::vector<Written> WrittenBy(const isa::Trowprod& call) {
  std::vector<Written> all;
  const std::int64_t bytes = isa::SizeBytes(call.dtype);
  const std::int64_t step =
      call.dst.layout == isa::Layout::kNd ? call.dst.cols : 1;
  for (std::int64_t r = 0; r < call.src.valid_row; ++r) {
    all.push_back({call.dst.at + r * step * bytes, bytes});
  }
  return all;
}

/// The number that `call` writes for `row`.
inline std::uint64_t ProductOf(const isa::Trowprod& call, const Bytes& ub,
                               std::int64_t row) {
  const Written at = WrittenBy(call)[static_cast<std::size_t>(row)];
  return LoadElement(call.dtype,
                     std::span(ub).subspan(static_cast<std::size_t>(at.at)));
}

/// How the products differ that two calls write, if they do.
inline std::string ProductDifference(const isa::Trowprod& first_call,
                                     const Bytes& first,
                                     const isa::Trowprod& second_call,
                                     const Bytes& second) {
  for (std::int64_t r = 0; r < first_call.src.valid_row; ++r) {
    const std::uint64_t a = ProductOf(first_call, first, r);
    const std::uint64_t b = ProductOf(second_call, second, r);
    if (SameElement(first_call.dtype, a, b)) continue;
    return fmt::format("row {} gives {} and {}", r,
                       DescribeElement(first_call.dtype, a),
                       DescribeElement(first_call.dtype, b));
  }
  return {};
}

}  // namespace lanediff::properties
