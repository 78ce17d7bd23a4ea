#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "fuzz/properties/support.h"
#include "isa/memory_map.h"
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
  std::vector<std::uint64_t> Factors(std::int64_t row) const;
};

/// Fills the source with `elements` over and over, if there are any.
void Fill(TrowprodSample& s, const std::vector<std::uint64_t>& elements);

/// Puts the columns that are multiplied in another order, alike in all rows.
void ShuffleColumns(TrowprodSample& s, std::uint64_t seed);

/// The size of dst in a layout, for the rows of src.
void ShapeDestination(TrowprodSample& s, isa::Layout layout);

/// Puts dst, src and tmp one behind the other.
void Place(TrowprodSample& s);

/// One call for each row of `s`, whose dst is ND.
std::vector<isa::Step> SingleRows(const TrowprodSample& s);

/// `program`, with the surroundings and the source of `s`.
Case CaseOf(const TrowprodSample& s, std::vector<isa::Step> program);

/// The call of `s` itself.
Case CaseOf(const TrowprodSample& s);

/// The number that `call` writes for `row`.
std::uint64_t ProductOf(const isa::Trowprod& call, const Bytes& ub,
                        std::int64_t row);

/// How the products differ that two calls write, if they do.
std::string ProductDifference(const isa::Trowprod& first_call,
                              const Bytes& first,
                              const isa::Trowprod& second_call,
                              const Bytes& second);

/// Where two memories differ outside the elements that `call` writes.
std::string OutsideDifference(const isa::Trowprod& call, Bytes first,
                              Bytes second);

}  // namespace lanediff::properties
