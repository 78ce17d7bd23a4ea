// Types, and the routes of copies.

#include "sanitizer/value_witness.h"

#include <fmt/format.h>

#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::lint {

/// An operand's own type hides the call's in a copy.
void ValueWitness::Type() {
  isa::Step plain = step_;
  for (const std::string& operand : OperandsOf(step_)) {
    plain = With(plain, operand + ".dtype", std::optional<isa::DType>());
  }
  std::vector<std::string> words;
  for (const SlotValue& value : Alternatives(*ValueOf(plain, "dtype"))) {
    if (!Breaks(With(plain, "dtype", value))) words.push_back(Text(value));
  }
  const bool of_call = Breaks(plain);
  Add(of_call ? "dtype" : "src.dtype", Is(of_call ? "dtype" : "src.dtype"),
      Allowed(words));
}

/// Where a copy could go from here, or else where it could come from.
void ValueWitness::Route() {
  const auto words = [&](std::string_view field) {
    std::vector<std::string> legal;
    for (const SlotValue& value : Alternatives(*ValueOf(step_, field))) {
      if (!Breaks(With(step_, field, value))) legal.push_back(Text(value));
    }
    return legal;
  };
  const std::string src = Text(*ValueOf(step_, "src.position"));
  const std::string dst = Text(*ValueOf(step_, "dst.position"));
  const std::string found = fmt::format("src {} to dst {} is no route on {}",
                                        src, dst, isa::Name(s_.c.product));
  if (const auto to = words("dst.position"); !to.empty()) {
    Add("dst.position", found,
        fmt::format("from {} to {} is one", src, Or(to)));
  } else if (const auto from = words("src.position"); !from.empty()) {
    Add("src.position", found,
        fmt::format("none leads from {}; to {} from {} is one", src, dst,
                    Or(from)));
  } else {
    Add("dst.position", found,
        fmt::format("none leads from {} or to {}", src, dst));
  }
}

void ValueWitness::Mixed() {
  const auto type = TypeOf(step_);
  const auto own = [&](std::string_view field) {
    const auto value = ValueOf(step_, field);
    const auto dtype = std::get<std::optional<isa::DType>>(*value);
    return isa::Name(dtype.value_or(*type));
  };
  const bool by_count = ValueOf(step_, "count").has_value();
  Add("dst.dtype",
      fmt::format("src {} at {} to dst {} at {}{}", own("src.dtype"),
                  Text(*ValueOf(step_, "src.position")), own("dst.dtype"),
                  Text(*ValueOf(step_, "dst.position")),
                  by_count ? " by count" : ""),
      "half at C1 to float at C2 with params is allowed, or one type");
}

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
