#include "diff/document_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "diff/element.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DType;
using isa::Memory;

std::int64_t ElementBytes(DType type) { return isa::SizeBytes(type); }

/// Bytes of a region's `values`, which may take `room` bytes.
class ValueReader {
 public:
  ValueReader(DType type, std::int64_t room) : type_(type), room_(room) {}

  void Read(const Cursor& item) {
    if (const auto* number = item.value().As<JsonNumber>()) {
      Add(item, ElementFromNumber(type_, number->text), 1);
    } else if (const auto* text = item.value().As<std::string>()) {
      Add(item, ElementFromString(type_, *text), 1);
    } else if (item.value().As<JsonObject>()) {
      ReadRun(item);
    } else {
      item.Fail("a number, a string, a run or a ramp is allowed here");
    }
  }

  std::vector<std::uint8_t> Take() { return std::move(bytes_); }

 private:
  void ReadRun(const Cursor& item) {
    ObjectCursor object(item);
    if (const auto value = object.Optional("value")) {
      const std::int64_t count = ReadCount(object.Required("count"));
      object.Finish();
      const auto* number = value->value().As<JsonNumber>();
      Add(*value,
          number ? ElementFromNumber(type_, number->text)
                 : ElementFromString(type_, value->String()),
          count);
      return;
    }
    const Cursor from = object.Required("from");
    const std::string first = from.Number();
    const std::string step = object.Required("step").Number();
    const std::int64_t count = ReadCount(object.Required("count"));
    object.Finish();
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = RampNumber(first, step, i);
      if (!number) from.Fail(number.error());
      Add(from, ElementFromNumber(type_, *number), 1);
    }
  }

  std::int64_t ReadCount(const Cursor& place) const {
    const std::int64_t count = place.Integer();
    if (count < 0 || count > (room_ - Used()) / ElementBytes(type_)) {
      place.Fail(fmt::format(
          "found {}; 0 to {} is allowed, or the values leave their memory",
          count, (room_ - Used()) / ElementBytes(type_)));
    }
    return count;
  }

  void Add(const Cursor& place, std::expected<std::uint64_t, std::string> bits,
           std::int64_t count) {
    if (!bits) place.Fail(bits.error());
    if (count > (room_ - Used()) / ElementBytes(type_)) {
      place.Fail("the values leave their memory");
    }
    for (std::int64_t i = 0; i < count; ++i) {
      AppendElement(type_, *bits, bytes_);
    }
  }

  std::int64_t Used() const { return static_cast<std::int64_t>(bytes_.size()); }

  DType type_;
  std::int64_t room_;
  std::vector<std::uint8_t> bytes_;
};

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// A region of a memory of `size` bytes.
Region ReadRegion(const Cursor& place, std::int64_t size) {
  ObjectCursor object(place);
  const Cursor at = object.Required("at");
  Region region{.at = at.Integer(), .dtype = std::nullopt, .bytes = {}};
  if (region.at < 0 || region.at > size) {
    at.Fail(fmt::format("found {}; 0 to {} is allowed", region.at, size));
  }
  const std::int64_t room = size - region.at;
  if (const auto hex = object.Optional("hex")) {
    region.bytes = ReadHex(*hex);
    if (static_cast<std::int64_t>(region.bytes.size()) > room) {
      hex->Fail("the bytes leave their memory");
    }
  } else {
    region.dtype = object.Required("dtype").Word<DType>();
    ValueReader values(*region.dtype, room);
    object.Required("values").ForEach(
        [&](const Cursor& item) { values.Read(item); });
    region.bytes = values.Take();
  }
  object.Finish();
  return region;
}

}  // namespace

std::vector<std::uint8_t> ReadHex(const Cursor& place) {
  const std::string& text = place.String();
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const auto high = HexDigit(text[i]);
    const auto low = HexDigit(text[i + 1]);
    if (!high || !low) break;
    bytes.push_back(static_cast<std::uint8_t>(*high * 16 + *low));
  }
  if (bytes.size() * 2 != text.size()) {
    place.Fail(fmt::format(
        "found \"{}\"; an even number of hex digits is allowed", Quote(text)));
  }
  return bytes;
}

std::vector<Region> ReadRegions(const Cursor& place, std::int64_t size) {
  std::vector<Region> regions;
  std::int64_t total = 0;
  place.ForEach([&](const Cursor& item) {
    regions.push_back(ReadRegion(item, size));
    total += static_cast<std::int64_t>(regions.back().bytes.size());
    if (total > size) {
      place.Fail(
          fmt::format("more than the {} bytes of their memory, so that "
                      "regions overlap; each byte may be given once",
                      size));
    }
  });
  std::ranges::sort(regions, {}, [](const Region& region) {
    return std::pair(region.at, region.end());
  });
  for (std::size_t i = 1; i < regions.size(); ++i) {
    const Region& before = regions[i - 1];
    const Region& after = regions[i];
    if (before.end() > after.at) {
      place.Fail(
          fmt::format("regions [{}, {}) and [{}, {}) overlap; each byte "
                      "may be given once",
                      before.at, before.end(), after.at, after.end()));
    }
  }
  return regions;
}

std::vector<isa::RuleId> ReadRules(const Cursor& place) {
  std::vector<isa::RuleId> rules;
  place.ForEach([&](const Cursor& item) {
    const isa::Rule* rule = isa::FindRule(item.String());
    if (rule == nullptr) {
      item.Fail(
          fmt::format("found \"{}\"; an id of the rule catalogue is "
                      "allowed (lanediff list rules)",
                      Quote(item.String())));
    }
    rules.push_back(rule->id);
  });
  std::ranges::sort(rules);
  rules.erase(std::ranges::unique(rules).begin(), rules.end());
  return rules;
}

RegionsByMemory ReadChangedMemory(const Cursor& place, const Case& c) {
  const auto exists = MemoriesOf(c);
  RegionsByMemory all;
  place.ForEachMember([&](std::string_view name, const Cursor& regions) {
    const auto memory = isa::Parse<Memory>(name);
    if (!memory || !exists[static_cast<std::size_t>(*memory)]) {
      regions.Fail(
          "the case has no such memory; those that it lists or its "
          "operands name are allowed");
    }
    all[static_cast<std::size_t>(*memory)] =
        ReadRegions(regions, SizeOf(c, *memory));
  });
  return all;
}

}  // namespace lanediff::diff
