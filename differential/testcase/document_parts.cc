#include "differential/testcase/document_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "differential/testcase/element.h"
#include "differential/testcase/sort_stably.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

using isa::DType;
using isa::Memory;

std::int64_t ElementBytes(DType type) { return isa::SizeBytes(type); }

/// A series that is shorter is listed even where others are not: it takes
/// hardly more space than its text.
constexpr std::int64_t kShortSeriesBytes = 256;

/// How many bytes a document may still list.
struct ByteBudget {
  std::int64_t listed;
  /// Whether a series that is longer is kept as one, or else refused.
  bool keeps_series;
};

/// Counts `bytes` that are listed at `place`.
void Take(const Cursor& place, std::int64_t bytes, ByteBudget& budget) {
  budget.listed -= bytes;
  if (budget.keeps_series || budget.listed >= 0) return;
  place.Fail(
      fmt::format("more than {} bytes are listed; at most so many are "
                  "allowed under \"memory\" of what comes out",
                  kMaxChangedBytes));
}

/// The regions that the `values` from a place on make, which may take `budget`
/// bytes: one, or several that touch where a series is kept as one.
class ValueReader {
 public:
  ValueReader(DType type, std::int64_t at, std::int64_t end, ByteBudget& budget)
      : type_(type), end_(end), budget_(budget), open_{at, type, {}} {}

  void Read(const Cursor& item) {
    if (item.IsNumber()) {
      Add(item, ElementFromNumber(type_, item.Number()));
    } else if (item.IsString()) {
      Add(item, ElementFromString(type_, item.String()));
    } else if (item.IsObject()) {
      ReadSeries(item);
    } else {
      item.Fail("a number, a string, a run or a ramp is allowed here");
    }
  }

  void AppendTo(std::vector<Region>& regions) && {
    if (done_.empty() || !open_.bytes.empty()) {
      done_.push_back(std::move(open_));
    }
    std::ranges::move(done_, std::back_inserter(regions));
  }

 private:
  void ReadSeries(const Cursor& item) {
    ObjectCursor object(item);
    if (const auto value = object.Optional("value")) {
      const std::int64_t count = ReadCount(object.Required("count"));
      object.Finish();
      Add(*value, Series::Run(type_, ReadElement(*value, type_), count));
      return;
    }
    const Cursor from = object.Required("from");
    const std::string first = from.Number();
    const std::string step = object.Required("step").Number();
    const std::int64_t count = ReadCount(object.Required("count"));
    object.Finish();
    const auto ramp = Series::Ramp(type_, first, step, count);
    if (!ramp) from.Fail(ramp.error());
    Add(from, *ramp);
  }

  std::int64_t ReadCount(const Cursor& place) const {
    const std::int64_t count = place.Integer();
    const std::int64_t most = (end_ - open_.end()) / ElementBytes(type_);
    if (count < 0 || count > most) {
      place.Fail(fmt::format(
          "found {}; 0 to {} is allowed, or the values leave their memory",
          count, most));
    }
    return count;
  }

  void Add(const Cursor& place,
           std::expected<std::uint64_t, std::string> bits) {
    if (!bits) place.Fail(bits.error());
    if (ElementBytes(type_) > end_ - open_.end()) {
      place.Fail("the values leave their memory");
    }
    Take(place, ElementBytes(type_), budget_);
    AppendElement(type_, *bits, open_.bytes);
  }

  void Add(const Cursor& place, const Series& series) {
    const std::int64_t bytes = series.bytes();
    if (budget_.keeps_series && bytes > kShortSeriesBytes &&
        bytes > budget_.listed) {
      const std::int64_t at = open_.end();
      if (!open_.bytes.empty()) done_.push_back(std::move(open_));
      done_.push_back({.at = at,
                       .dtype = type_,
                       .bytes = {},
                       .series = std::make_shared<const Series>(series)});
      open_ = {.at = at + bytes, .dtype = type_, .bytes = {}};
      return;
    }
    Take(place, bytes, budget_);
    const std::size_t before = open_.bytes.size();
    open_.bytes.resize(before + static_cast<std::size_t>(bytes));
    series.Write(0, std::span(open_.bytes).subspan(before));
  }

  DType type_;
  std::int64_t end_;
  ByteBudget& budget_;
  std::vector<Region> done_;
  Region open_;  ///< the one that is added to
};

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// Appends a region of a memory of `size` bytes.
void ReadRegion(const Cursor& place, std::int64_t size, ByteBudget& budget,
                std::vector<Region>& regions) {
  ObjectCursor object(place);
  const Cursor at = object.Required("at");
  const std::int64_t begin = at.Integer();
  if (begin < 0 || begin > size) {
    at.Fail(fmt::format("found {}; 0 to {} is allowed", begin, size));
  }
  if (const auto hex = object.Optional("hex")) {
    Region region{.at = begin, .dtype = std::nullopt, .bytes = ReadHex(*hex)};
    if (region.size() > size - begin) hex->Fail("the bytes leave their memory");
    Take(*hex, region.size(), budget);
    regions.push_back(std::move(region));
  } else {
    const auto dtype = object.Required("dtype").Word<DType>();
    ValueReader values(dtype, begin, size, budget);
    object.Required("values").ForEach(
        [&](const Cursor& item) { values.Read(item); });
    std::move(values).AppendTo(regions);
  }
  object.Finish();
}

std::vector<Region> ReadRegions(const Cursor& place, std::int64_t size,
                                ByteBudget& budget) {
  std::vector<Region> regions;
  std::int64_t total = 0;
  place.ForEach([&](const Cursor& item) {
    const std::size_t before = regions.size();
    ReadRegion(item, size, budget, regions);
    for (std::size_t i = before; i < regions.size(); ++i) {
      total += regions[i].size();
    }
    if (total > size) {
      place.Fail(
          fmt::format("more than the {} bytes of their memory, so that "
                      "regions overlap; each byte may be given once",
                      size));
    }
  });
  // Regions of no bytes may be at one place: they keep their order.
  SortStably(regions, [](const Region& region) {
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
  ByteBudget budget{.listed = size > kMaxWholeBytes ? kMaxListedBytes : size,
                    .keeps_series = true};
  return ReadRegions(place, size, budget);
}

std::uint64_t ReadElement(const Cursor& place, DType type) {
  const auto bits = place.IsNumber() ? ElementFromNumber(type, place.Number())
                                     : ElementFromString(type, place.String());
  if (!bits) place.Fail(bits.error());
  return *bits;
}

isa::RuleId ReadRule(const Cursor& place) {
  const isa::Rule* const rule = isa::FindRule(place.String());
  if (rule == nullptr) {
    place.Fail(
        fmt::format("found \"{}\"; an id of the rule catalogue is "
                    "allowed (lanediff list rules)",
                    Quote(place.String())));
  }
  return rule->id;
}

std::vector<isa::RuleId> ReadRules(const Cursor& place) {
  std::vector<isa::RuleId> rules;
  place.ForEach([&](const Cursor& item) { rules.push_back(ReadRule(item)); });
  std::ranges::sort(rules);
  rules.erase(std::ranges::unique(rules).begin(), rules.end());
  return rules;
}

RegionsByMemory ReadChangedMemory(const Cursor& place, const Case& c) {
  const auto exists = MemoriesOf(c);
  RegionsByMemory all;
  ByteBudget budget{.listed = kMaxChangedBytes, .keeps_series = false};
  place.ForEachMember([&](std::string_view name, const Cursor& regions) {
    const auto memory = isa::Parse<Memory>(name);
    if (memory && regions.IsArray() && regions.CountItems() == 0) {
      return;  // of any memory
    }
    if (!memory || !exists[*memory]) {
      regions.Fail(
          "the case has no such memory; those that it lists or its "
          "operands name are allowed");
    }
    all[*memory] = ReadRegions(regions, SizeOf(c, *memory), budget);
  });
  return all;
}

}  // namespace lanediff
