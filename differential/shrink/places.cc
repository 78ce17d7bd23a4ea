#include <algorithm>
#include <bit>
#include <iterator>

#include "differential/shrink/attempts.h"
#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"

namespace lanediff::diff::shrink {
namespace {

/// rows × cols elements in bytes, -1 where that is out of reckoning.
std::int64_t SizeOf(const isa::Tile& tile, isa::DType type) {
  if (tile.rows < 0 || tile.cols < 0) return -1;
  return isa::TileBytes(tile, type).value_or(-1);
}

}  // namespace

std::int64_t SpanOf(const std::array<std::uint64_t, 2>& mask_words) {
  const auto& [low, high] = mask_words;
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

std::vector<Place> PlacesOf(Case& c, std::size_t step) {
  const auto footprints = isa::FootprintsOf(c.program[step]);
  std::vector<Place> places;
  isa::DType dtype = isa::DType::kUint8;
  for (const isa::FieldRef& field : isa::FieldsOf(c.program[step])) {
    if (auto* const word = std::get_if<isa::DType*>(&field.value)) {
      dtype = **word;
    } else if (auto* const o = std::get_if<isa::Operand*>(&field.value)) {
      isa::Operand& operand = **o;
      Place place{.step = step,
                  .memory = isa::MemoryAt(c.product, operand.position),
                  .dtype = operand.dtype.value_or(dtype),
                  .at = &operand.at,
                  .bytes = &operand.bytes,
                  .size = operand.bytes,
                  .touched = std::nullopt};
      place.touched = footprints[places.size()].Touched();
      place.repeat_stride = footprints[places.size()].stride;
      places.push_back(place);
    } else if (auto* const t = std::get_if<isa::Tile*>(&field.value)) {
      isa::Tile& tile = **t;
      const isa::DType type = tile.dtype.value_or(dtype);
      places.push_back({.step = step,
                        .memory = isa::MemoryAt(c.product, tile.position),
                        .dtype = type,
                        .at = &tile.at,
                        .bytes = nullptr,
                        .size = SizeOf(tile, type),
                        .touched = std::nullopt});
    }
  }
  return places;
}

std::vector<Place> PlacesOf(Case& c) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    std::ranges::copy(PlacesOf(c, i), std::back_inserter(places));
  }
  return places;
}

std::int64_t* RepeatField(Case& c, std::size_t step) {
  using enum isa::Param;
  auto* const call = std::get_if<isa::Call>(&c.program[step]);
  if (call == nullptr) return nullptr;
  for (const isa::Param param : {kRepeatTimes, kBlockCount}) {
    if (call->Has(param)) return &(*call)[param];
  }
  return nullptr;
}

}  // namespace lanediff::diff::shrink
