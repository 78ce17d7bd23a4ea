#include "differential/testcase/record_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace lanediff {

std::optional<CaseError> NotBelow(std::string_view pointer,
                                  std::uint64_t number, std::uint64_t end) {
  if (number < end) return std::nullopt;
  return CaseError{
      std::string(pointer),
      fmt::format("found {}; 0 to {} is allowed", number, end - 1)};
}

namespace record_json {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

Json DoubleJson(double value) {
  return Json(JsonNumber{nlohmann::json(value).dump(), false});
}

std::string ReadText(const Cursor& place, const Allowed& allowed) {
  const std::string& text = place.String();
  if (!allowed.words.empty() &&
      std::ranges::find(allowed.words, text) == allowed.words.end()) {
    place.Fail(fmt::format("found \"{}\"; {} is allowed", Quote(text),
                           fmt::join(allowed.words, ", ")));
  }
  if (allowed.check != nullptr) {
    std::string why = allowed.check(text);
    if (!why.empty()) place.Fail(std::move(why));
  }
  return text;
}

std::uint64_t ReadUnsigned(const Cursor& place, const Allowed& allowed) {
  if (!allowed.low && !allowed.high) return place.Count();
  return static_cast<std::uint64_t>(
      place.IntegerIn(allowed.low.value_or(0), allowed.high.value_or(kMost)));
}

std::int64_t ReadSigned(const Cursor& place, const Allowed& allowed) {
  return place.IntegerIn(allowed.low.value_or(kLeast),
                         allowed.high.value_or(kMost));
}

double ReadDouble(const Cursor& place, const Allowed& allowed) {
  const double value = place.Double();
  if (allowed.low && value < static_cast<double>(*allowed.low)) {
    place.Fail(fmt::format("found {}; {} or more is allowed",
                           Quote(place.Number()), *allowed.low));
  }
  return value;
}

Span ReadSpan(const Cursor& place) {
  std::vector<std::int64_t> numbers;
  place.ForEach([&](const Cursor& item) { numbers.push_back(item.Integer()); });
  if (numbers.size() != 2 || numbers[0] > numbers[1]) {
    place.Fail("the first and the last number are allowed, ascending");
  }
  return {numbers[0], numbers[1]};
}

void CheckTogether(ObjectCursor& object, std::string_view a,
                   std::string_view b) {
  const bool has_a = object.Optional(a).has_value();
  if (has_a == object.Optional(b).has_value()) return;
  object.place().Fail(
      fmt::format("the field \"{}\" is missing beside \"{}\"; both or neither "
                  "is allowed",
                  has_a ? b : a, has_a ? a : b));
}

void CheckTrueWithout(ObjectCursor& object, std::string_view name,
                      std::string_view other) {
  const Cursor flag = object.Required(name);
  if (flag.Boolean() != object.Optional(other).has_value()) return;
  flag.Fail(
      fmt::format("true without \"{0}\", or false with it, is allowed", other));
}

}  // namespace record_json
}  // namespace lanediff
