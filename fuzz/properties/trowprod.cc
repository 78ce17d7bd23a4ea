#include "fuzz/properties/trowprod.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "differential/testcase/element.h"
#include "generators/random.h"
#include "isa/state.h"

namespace lanediff::properties {
namespace {

using isa::Tile;
using isa::Trowprod;

/// Bytes of no tile before, between and behind the tiles.
constexpr std::int64_t kGapBytes = 64;

std::int64_t BytesOf(const Trowprod& call, const Tile& tile) {
  return tile.rows * tile.cols * isa::SizeBytes(call.dtype);
}

/// The byte of dst[row, 0].
std::int64_t WrittenAt(const Trowprod& call, std::int64_t row) {
  const std::int64_t step =
      call.dst.layout == isa::Layout::kNd ? call.dst.cols : 1;
  return call.dst.at + row * step * isa::SizeBytes(call.dtype);
}

}  // namespace

std::vector<std::uint64_t> TrowprodSample::Factors(std::int64_t row) const {
  const auto first = source.begin() + At(row, 0);
  return {first, first + call.src.valid_col};
}

void Fill(TrowprodSample& s, const std::vector<std::uint64_t>& elements) {
  if (elements.empty()) return;
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    s.source[i] = elements[i % elements.size()];
  }
}

void ShuffleColumns(TrowprodSample& s, std::uint64_t seed) {
  make::Random random(seed);
  for (std::int64_t k = s.call.src.valid_col - 1; k > 0; --k) {
    const std::int64_t with = random.Between(0, k);
    for (std::int64_t r = 0; r < s.call.src.valid_row; ++r) {
      std::swap(s.source[s.At(r, k)], s.source[s.At(r, with)]);
    }
  }
}

void ShapeDestination(TrowprodSample& s, isa::Layout layout) {
  Tile& dst = s.call.dst;
  const std::int64_t rows = s.call.src.valid_row;
  dst.layout = layout;
  dst.valid_row = rows;
  dst.valid_col = 1;
  dst.rows = layout == isa::Layout::kNd
                 ? rows
                 : (rows + s.unit() - 1) / s.unit() * s.unit();
  dst.cols = layout == isa::Layout::kNd ? s.unit() : 1;
}

void Place(TrowprodSample& s) {
  Trowprod& call = s.call;
  call.tmp = call.src;
  call.dst.at = kGapBytes;
  call.src.at = call.dst.at + BytesOf(call, call.dst) + kGapBytes;
  call.tmp.at = call.src.at + BytesOf(call, call.src) + kGapBytes;
}

std::vector<isa::Step> SingleRows(const TrowprodSample& s) {
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call.src.valid_row; ++r) {
    Trowprod single = s.call;
    for (isa::Tile* tile : {&single.dst, &single.src, &single.tmp}) {
      tile->at += r * tile->cols * s.element_bytes();
      tile->rows = 1;
      tile->valid_row = 1;
    }
    singles.emplace_back(single);
  }
  return singles;
}

Case CaseOf(const TrowprodSample& s, std::vector<isa::Step> program) {
  Region source{.at = s.call.src.at, .dtype = s.call.dtype, .bytes = {}};
  for (const std::uint64_t bits : s.source) {
    AppendElement(s.call.dtype, bits, source.bytes);
  }
  Region scratch{.at = s.call.tmp.at, .dtype = s.call.dtype, .bytes = {}};
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    AppendElement(s.call.dtype, s.scratch, scratch.bytes);
  }
  if (!s.saturation) {
    program.insert(program.begin(), isa::SetSaturation{.enabled = false});
  }
  const std::int64_t size = scratch.end() + kGapBytes;
  return UbCase(s.product, s.fill, size,
                {std::move(source), std::move(scratch)}, std::move(program));
}

Case CaseOf(const TrowprodSample& s) { return CaseOf(s, {s.call}); }

std::uint64_t ProductOf(const Trowprod& call, const Bytes& ub,
                        std::int64_t row) {
  const auto at = static_cast<std::size_t>(WrittenAt(call, row));
  return LoadElement(call.dtype, std::span(ub).subspan(at));
}

std::string ProductDifference(const Trowprod& first_call, const Bytes& first,
                              const Trowprod& second_call,
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

std::string OutsideDifference(const Trowprod& call, Bytes first, Bytes second) {
  for (std::int64_t r = 0; r < call.src.valid_row; ++r) {
    const std::int64_t at = WrittenAt(call, r);
    const std::int64_t bytes = isa::SizeBytes(call.dtype);
    std::fill_n(first.begin() + at, bytes, std::uint8_t{0});
    std::fill_n(second.begin() + at, bytes, std::uint8_t{0});
  }
  const auto [a, b] = std::ranges::mismatch(first, second);
  if (a == first.end()) return {};
  return fmt::format("byte {}, which no row writes, is {} and {}",
                     a - first.begin(), *a, *b);
}

}  // namespace lanediff::properties
