#include "differential/testcase/record_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "differential/testcase/json.h"
#include "differential/testcase/kernel_json.h"
#include "differential/testcase/record.h"

namespace lanediff {
namespace {

bool IsDay(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = ToNumber<unsigned>(text.substr(0, 4));
  const auto month = ToNumber<unsigned>(text.substr(5, 2));
  const auto day = ToNumber<unsigned>(text.substr(8, 2));
  return year && month && day &&
         std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                     std::chrono::month(*month),
                                     std::chrono::day(*day))
             .ok();
}

}  // namespace

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

Json& NewMember(Json& json, std::string_view name) {
  return json.get_ref<Json::object_t&>().emplace_back(name, nullptr).second;
}
Json& NewItem(Json& json) { return json.emplace_back(); }

void Write(bool value, Json& json) { json = value; }
void Write(double value, Json& json) { json = value; }
void Write(std::int64_t value, Json& json) { json = value; }
void Write(std::uint64_t value, Json& json) { json = value; }
void Write(std::string_view value, Json& json) { json = value; }
void Write(const JsonText& value, Json& json) {
  if (auto any = ParseJson(value.text)) json = *std::move(any);
}
void Write(const NamedTexts& value, Json& json) {
  json = Json::object();
  for (const auto& [name, text] : value) NewMember(json, name) = text;
}
void Write(const NamedCounts& value, Json& json) {
  json = Json::object();
  for (const auto& [name, count] : value) NewMember(json, name) = count;
}
void WriteStep(const isa::Step& step, Json& json) { json = StepJson(step); }
void WriteEmptyList(Json& json) { json = Json::array(); }
void WriteEmptyObject(Json& json) { json = Json::object(); }

std::string TextOf(const std::function<void(Json&)>& write) {
  Json json;
  write(json);
  return LayOut(json);
}

JsonText ReadJsonText(const Cursor& place) { return {LayOut(place.value())}; }

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

void CheckDocument(ObjectCursor& object, std::string_view kind) {
  if (const auto old = object.Optional("format")) {
    // The one whose word has changed since.
    old->MustBe(fmt::format("lanediff-{}/1",
                            kind == "characterise" ? "character" : kind));
    return;
  }
  object.Required("schema").MustBe(kReportSchema);
  object.Required("kind").MustBe(kind);
}

void CheckTrueWithout(ObjectCursor& object, std::string_view name,
                      std::string_view other) {
  const Cursor flag = object.Required(name);
  const bool has_other = object.Optional(other).has_value();
  if (!flag.Boolean() || !has_other) return;
  flag.Fail(
      fmt::format("true without \"{0}\", or false with it, is allowed", other));
}

}  // namespace record_json

std::string NoName(const std::string& text) {
  return text.empty() ? "empty; a name is allowed" : "";
}

std::string NoLine(const std::string& text) {
  if (!text.empty() && text.find('\n') == std::string::npos) return "";
  return fmt::format("found \"{}\"; one line of text is allowed", Quote(text));
}

std::string NoDay(const std::string& text) {
  if (IsDay(text)) return "";
  return fmt::format(
      "found \"{}\"; a day of the calendar, YYYY-MM-DD, is allowed",
      Quote(text));
}

std::string Today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

}  // namespace lanediff
