#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/call.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/exact_text.h"
#include "oracle/format.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/product_orders.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/trowprod_rules.h"

namespace lanediff::oracle {
namespace {

using isa::CallRule;
using isa::DType;
using isa::Layout;
using isa::RuleSet;

/// The memories of the tiles that are read and written.
struct TilePlaces {
  isa::Memory dst = isa::Memory::kUb;
  isa::Memory src = isa::Memory::kUb;
};

/// What row `row` reads, one run for each line of the layout, then writes.
void ListAccesses(const isa::Call& call, const RowListing& listing,
                  const TilePlaces& places, std::int64_t row,
                  std::vector<isa::Access>& accesses) {
  const auto& [dst, src, tmp] = call.tiles;
  const std::int64_t bytes = listing.element_bytes;
  const bool in_one_run = src.layout == Layout::kNd;
  const std::int64_t run = in_one_run ? listing.cols : 1;
  isa::Access access{.operand = "src",
                     .write = false,
                     .memory = places.src,
                     .bytes = run * bytes,
                     .dtype = call.dtype,
                     .iteration = row};
  for (std::int64_t c = 0; c < listing.cols; c += run) {
    access.at = static_cast<std::int64_t>(ElementAddress(src, row, c, bytes));
    access.lane = c;
    accesses.push_back(access);
  }
  access.operand = "dst";
  access.write = true;
  access.memory = places.dst;
  access.bytes = bytes;
  access.lane = 0;
  access.at = static_cast<std::int64_t>(ElementAddress(dst, row, 0, bytes));
  accesses.push_back(access);
}

void ExecuteRow(const isa::Call& call, const RowListing& listing,
                const TilePlaces& places, std::int64_t row,
                Oracle::State& state) {
  const auto& [dst, src, tmp] = call.tiles;
  const std::int64_t bytes = listing.element_bytes;
  std::vector<std::uint64_t> factors;
  for (std::int64_t c = 0; c < listing.cols; ++c) {
    factors.push_back(Load(state.memories[places.src],
                           ElementAddress(src, row, c, bytes), bytes));
  }
  Multiplier multiplier(call.dtype, row, state);
  const std::uint64_t product = MultiplyInOrder(
      multiplier, call.order.value_or(isa::Order::kDocumented), factors);
  const Address to = ElementAddress(dst, row, 0, bytes);
  Store(state.memories[places.dst], to, bytes, product);
  if (state.tracing) {
    state.true_results.push_back(
        {.iteration = row,
         .lane = 0,
         .at = static_cast<std::int64_t>(to),
         .exact = ExactProductText(call.dtype, factors),
         .bits = product});
  }
}

void ExecuteRows(const isa::Call& call, const RowListing& listing,
                 const TilePlaces& places, Oracle::State& state) {
  for (std::int64_t row = 0; row < listing.rows; ++row) {
    ListAccesses(call, listing, places, row, state.accesses);
    if (state.computing) ExecuteRow(call, listing, places, row, state);
  }
}

// ---- Whatever it breaks -----------------------------------------------------

/// Whether a byte that the call reads or writes is one of tmp's in `memory`,
/// which are unspecified from the first row on.
bool TouchesTmp(const isa::Call& call, const RowListing& listing,
                const TilePlaces& places, isa::Memory memory,
                const ByteSpan& tmp) {
  std::vector<isa::Access> accesses;
  for (std::int64_t row = 0; row < listing.rows; ++row) {
    accesses.clear();
    ListAccesses(call, listing, places, row, accesses);
    for (const isa::Access& access : accesses) {
      const ByteSpan touched{.first = access.at,
                             .end = Address{access.at} + access.bytes};
      if (access.memory == memory && ShareBytes(touched, tmp)) return true;
    }
  }
  return false;
}

/// Whether bytes that are used lie in their memory.
Extended CanUse(const OperandName& name, std::optional<isa::Memory> memory,
                const ByteSpan& span, const isa::Memories& memories) {
  if (!memory || memories[*memory].empty()) {
    return std::unexpected(name.no_memory);
  }
  if (!SpanIsInMemory(span, *memory, memories)) {
    return std::unexpected(name.outside);
  }
  return {};
}

bool RowsAreTooMuch(const isa::Call& call, const RowListing& listing) {
  const Address reads =
      call.tiles[isa::Call::kSrcTile].layout == Layout::kNd ? 1 : listing.cols;
  // However short a row is, it takes a repeat of multiplications.
  const Address bytes =
      std::max(Address{256}, Address{listing.cols} * listing.element_bytes);
  return IsTooMuch(listing.rows, reads + 1, bytes + listing.element_bytes);
}

isa::StepResult RunTiles(const isa::Call& call, Oracle::State& state) {
  RuleSet broken = TileParameterRules(call, state);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  const RowListing listing(call);
  const std::int64_t bytes = listing.element_bytes;
  const TileLines dst = LinesOf(call.tiles[isa::Call::kDstTile], bytes).value();
  const TileLines src = LinesOf(call.tiles[isa::Call::kSrcTile], bytes).value();
  const TileLines tmp = LinesOf(call.tiles[isa::Call::kTmpTile], bytes).value();
  for (const TileLines* tile : {&dst, &src, &tmp}) {
    broken.AddIf(!TileIsInMemory(*tile, isa::Memory::kUb, state.memories),
                 call.Rule(CallRule::kBounds));
  }
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken.AddIf(TilesOverlap(dst, src) || TilesOverlap(dst, tmp) ||
                   TilesOverlap(src, tmp),
               call.Rule(CallRule::kOverlap));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteRows(call, listing, {}, state);
  isa::StepResult result;
  if (state.edition == isa::Edition::k2024) {
    result.notes.AddIf(call.tiles[isa::Call::kDstTile].layout == Layout::kNd,
                       call.Rule(CallRule::kDstNdDeprecated));
  }
  return result;
}

Extended RunTilesExtended(const isa::Call& call, Oracle::State& state) {
  if (!IsFloating(call.dtype) && call.dtype != DType::kInt16 &&
      call.dtype != DType::kInt32) {
    return std::unexpected(reason::kNoArithmetic);
  }
  const auto& [dst_tile, src_tile, tmp_tile] = call.tiles;
  if (src_tile.valid_row < 0 || src_tile.valid_col < 0) {
    return std::unexpected("a negative validRow or validCol of src");
  }
  if (src_tile.valid_row == 0) return {};

  const RowListing listing(call);
  const auto tmp_bytes = WindowOf(tmp_tile, listing.element_bytes);
  if (!tmp_bytes) return std::unexpected("a negative size of tmp");
  const auto dst = MemoryOf(state.product, dst_tile.position);
  // Where no column is read, src is not touched and may be anywhere.
  const auto src =
      listing.cols == 0 ? dst : MemoryOf(state.product, src_tile.position);
  const auto tmp = MemoryOf(state.product, tmp_tile.position);
  const isa::Memories& memories = state.memories;
  const std::array checks = {CanUse(kDst, dst, listing.written, memories),
                             CanUse(kSrc, src, listing.read, memories),
                             CanUse(kTmp, tmp, *tmp_bytes, memories)};
  for (const Extended& can_use : checks) {
    if (!can_use) return can_use;
  }
  if (RowsAreTooMuch(call, listing)) return std::unexpected(reason::kTooMuch);
  const TilePlaces places{.dst = *dst, .src = *src};
  if (TouchesTmp(call, listing, places, *tmp, *tmp_bytes)) {
    return std::unexpected("tmp shares bytes with dst or src");
  }
  ExecuteRows(call, listing, places, state);
  return {};
}

}  // namespace

const CallFunctions kTileCalls = {RunTiles, TileRulesAnywhere,
                                  RunTilesExtended};

}  // namespace lanediff::oracle
