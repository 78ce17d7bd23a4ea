// Values of tiles.

#include <fmt/format.h>

#include "isa/memory_map.h"
#include "isa/units.h"
#include "sanitizer/value_witness.h"

namespace lanediff::lint {

void ValueWitness::DstLayout() {
  Add("dst.layout",
      fmt::format("{} with {} columns", Is("dst.layout"), Number("dst.cols")),
      "ND, or DN with one column, is allowed");
}

void ValueWitness::ValidZero() {
  for (const std::string_view field : {"src.validRow", "src.validCol"}) {
    if (Number(field) == 0) NotZero(field);
  }
}

void ValueWitness::ValidRows() {
  Add("dst.validRow", Is("dst.validRow"),
      fmt::format("{}, src.validRow, is allowed", Number("src.validRow")));
}

void ValueWitness::TmpShape() {
  for (const std::string_view part : {"rows", "cols"}) {
    const std::string mine = fmt::format("tmp.{}", part);
    const std::string theirs = fmt::format("src.{}", part);
    if (Number(mine) == Number(theirs)) continue;
    Add(mine, Is(mine),
        fmt::format("{}, {}, is allowed", Number(theirs), theirs));
  }
}

void ValueWitness::Tile(const std::string& tile, std::int64_t element) {
  for (const auto& [size, valid] :
       {std::pair{"rows", "validRow"}, std::pair{"cols", "validCol"}}) {
    const std::string all = fmt::format("{}.{}", tile, size);
    const std::string part = fmt::format("{}.{}", tile, valid);
    if (Number(all) < 1) Add(all, Is(all), "1 or more is allowed");
    if (Number(part) < 0 || (Number(part) > Number(all) && Number(all) >= 1)) {
      Add(part, Is(part),
          fmt::format("0 to {}, {}, is allowed", Number(all), all));
    }
  }
  const bool nd =
      ValueOf(step_, tile + ".layout") == SlotValue(isa::Layout::kNd);
  const std::string length = tile + (nd ? ".cols" : ".rows");
  const std::int64_t in_block = isa::kDataBlockBytes / element;
  if (Number(length) % in_block == 0) return;
  Add(length,
      fmt::format("{}, a {} of {} elements of {} bytes", Is(length),
                  nd ? "row" : "column", Number(length), element),
      fmt::format("a multiple of {} elements, 32 bytes, is allowed", in_block));
}

void ValueWitness::Tiles() {
  const std::int64_t element =
      isa::SizeBytes(TypeOf(step_).value_or(isa::DType::kFloat));
  for (const std::string& tile : OperandsOf(step_)) Tile(tile, element);
}

}  // namespace lanediff::lint
