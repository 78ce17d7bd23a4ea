#include "oracle/trowprod.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/element.h"
#include "oracle/exact_text.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/product_orders.h"
#include "oracle/state.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Layout;
using isa::Position;
using isa::RuleSet;
using isa::Tile;
using isa::Trowprod;
namespace trp = isa::trp;

// ---- Stage 1 ---------------------------------------------------------------

/// TRP-TILE.
bool TileIsWellFormed(const Tile& tile, std::int64_t element_bytes) {
  if (tile.rows < 1 || tile.cols < 1) return false;
  if (tile.valid_row < 0 || tile.valid_row > tile.rows) return false;
  if (tile.valid_col < 0 || tile.valid_col > tile.cols) return false;
  const Address line =
      Address{tile.layout == Layout::kNd ? tile.cols : tile.rows} *
      element_bytes;
  return line % 32 == 0;
}

RuleSet ParameterRules(const Trowprod& call, isa::Product product) {
  RuleSet broken;
  broken.AddIf(
      product != isa::Product::kAtlasA2 && product != isa::Product::kAtlasA3,
      trp::kProduct);
  broken.AddIf(call.dtype != DType::kHalf && call.dtype != DType::kFloat,
               trp::kDtype);
  for (const Tile* tile : {&call.dst, &call.src, &call.tmp}) {
    broken.AddIf(tile->dtype.value_or(call.dtype) != call.dtype,
                 trp::kDtypeMatch);
    broken.AddIf(tile->position != Position::kUb, trp::kLocation);
    broken.AddIf(!TileIsWellFormed(*tile, ElementBytes(call.dtype)),
                 trp::kTile);
    broken.AddIf(tile->at % 32 != 0, trp::kAlign);
  }
  broken.AddIf(call.src.layout != Layout::kNd, trp::kSrcLayout);
  broken.AddIf(call.dst.layout == Layout::kDn && call.dst.cols != 1,
               trp::kDstLayout);
  broken.AddIf(call.src.valid_row == 0 || call.src.valid_col == 0,
               trp::kValidZero);
  broken.AddIf(call.dst.valid_row != call.src.valid_row, trp::kValidRows);
  broken.AddIf(call.tmp.rows != call.src.rows || call.tmp.cols != call.src.cols,
               trp::kTmpShape);
  return broken;
}

// ---- Stages 2 and 3 --------------------------------------------------------

/// The bytes that a tile occupies, once it is known to be no larger than the
/// memory in either direction.
Address TileBytes(const Tile& tile, std::int64_t element_bytes) {
  return Address{tile.rows} * tile.cols * element_bytes;
}

bool IsOutOfBounds(const Tile& tile, std::int64_t element_bytes,
                   std::int64_t memory_bytes) {
  // A tile with more rows or columns than the memory has bytes is outside; this
  // keeps the product of the two small.
  if (tile.rows > memory_bytes || tile.cols > memory_bytes) return true;
  return tile.at < 0 || tile.at + TileBytes(tile, element_bytes) > memory_bytes;
}

bool ShareBytes(const Tile& a, const Tile& b, std::int64_t element_bytes) {
  return a.at < b.at + TileBytes(b, element_bytes) &&
         b.at < a.at + TileBytes(a, element_bytes);
}

// ---- Execution -------------------------------------------------------------

/// TRP-ADDRESS: element (r, c) of a tile.
Address ElementAddress(const Tile& tile, std::int64_t r, std::int64_t c,
                       std::int64_t element_bytes) {
  const Address index = tile.layout == Layout::kNd ? Address{r} * tile.cols + c
                                                   : Address{c} * tile.rows + r;
  return tile.at + index * element_bytes;
}

void AppendAccess(std::string_view operand, bool write, Address at,
                  std::int64_t bytes, DType dtype, std::int64_t row,
                  std::vector<Access>& accesses) {
  accesses.push_back({.operand = operand,
                      .write = write,
                      .memory = isa::Memory::kUb,
                      .at = static_cast<std::int64_t>(at),
                      .bytes = bytes,
                      .dtype = dtype,
                      .iteration = row,
                      .lane = 0});
}

void ExecuteRow(const Trowprod& call, std::int64_t row, Oracle::State& state) {
  const std::span<std::uint8_t> ub = state.memories[isa::Memory::kUb];
  const std::int64_t bytes = ElementBytes(call.dtype);
  std::vector<std::uint64_t> factors;
  for (std::int64_t c = 0; c < call.src.valid_col; ++c) {
    factors.push_back(Load(ub, ElementAddress(call.src, row, c, bytes), bytes));
  }
  const Address to = ElementAddress(call.dst, row, 0, bytes);
  AppendAccess("src", false, ElementAddress(call.src, row, 0, bytes),
               call.src.valid_col * bytes, call.dtype, row, state.accesses);
  AppendAccess("dst", true, to, bytes, call.dtype, row, state.accesses);

  Multiplier multiplier(call.dtype, row, state);
  const std::uint64_t product = MultiplyInOrder(
      multiplier, call.order.value_or(isa::Order::kDocumented), factors);
  Store(ub, to, bytes, product);
  if (state.tracing) {
    state.true_results.push_back(
        {.iteration = row,
         .lane = 0,
         .at = static_cast<std::int64_t>(to),
         .exact = ExactProductText(call.dtype, factors),
         .bits = product});
  }
}

}  // namespace

isa::StepResult Run(const Trowprod& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  const std::int64_t bytes = ElementBytes(call.dtype);
  const auto memory =
      static_cast<std::int64_t>(state.memories[isa::Memory::kUb].size());
  for (const Tile* tile : {&call.dst, &call.src, &call.tmp}) {
    broken.AddIf(IsOutOfBounds(*tile, bytes, memory), trp::kBounds);
  }
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken.AddIf(ShareBytes(call.dst, call.src, bytes) ||
                   ShareBytes(call.dst, call.tmp, bytes) ||
                   ShareBytes(call.src, call.tmp, bytes),
               trp::kOverlap);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  for (std::int64_t row = 0; row < call.src.valid_row; ++row) {
    ExecuteRow(call, row, state);
  }
  isa::StepResult result;
  result.notes.AddIf(call.dst.layout == Layout::kNd, trp::kDstNdDeprecated);
  return result;
}

}  // namespace lanediff::oracle
