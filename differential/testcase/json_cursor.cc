#include "differential/testcase/json_cursor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "differential/testcase/nearest.h"

namespace lanediff {
namespace {

std::string KindOf(const Json& value) {
  if (const auto number = NumberText(value)) return Quote(*number);
  if (const auto* text = value.get_ptr<const std::string*>()) {
    return fmt::format("\"{}\"", Quote(*text));
  }
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_array()) return "an array";
  return value.is_object() ? "an object" : "null";
}

template <class T>
T NumberOf(const Cursor& place, std::string_view allowed) {
  const std::string text = place.Number();
  const auto number = ToNumber<T>(text);
  if (!number) {
    place.Fail(fmt::format("found {}; {} is allowed", Quote(text), allowed));
  }
  return *number;
}

std::string MissingText(std::string_view name) {
  return fmt::format("the field \"{}\" is missing", name);
}

[[noreturn]] void FailUnknown(const Cursor& member,
                              const std::vector<std::string_view>& names) {
  const std::string meant = DidYouMean(member.name(), names);
  member.Fail("unknown field" +
              (meant.empty() ? "; remove it or correct its name" : meant));
}

/// Small letters and digits alone: "WholeReduceSum" as "wholereducesum".
std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, 64)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      plain += static_cast<char>(std::tolower(byte));
    }
  }
  return plain;
}

/// How many letters have to be put in, taken away, changed or exchanged with
/// the next one.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  // Of the first i letters of `a` and the first j of `b`.
  std::vector rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1,
                             rows[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string DidYouMean(std::string_view word,
                       const std::vector<std::string_view>& allowed) {
  const std::string wanted = Plain(word);
  std::string_view nearest;
  std::size_t least = wanted.size() / 3 + 1;
  for (const std::string_view one : allowed) {
    const std::size_t distance = EditDistance(wanted, Plain(one));
    if (distance >= least) continue;
    least = distance;
    nearest = one;
  }
  return nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest);
}

std::string Cursor::Pointer() const {
  if (parent_ == nullptr) return "";
  const auto* name = std::get_if<std::string_view>(&key_);
  return fmt::format(
      "{}/{}", parent_->Pointer(),
      name ? PointerToken(*name) : std::to_string(std::get<std::size_t>(key_)));
}

void Cursor::Fail(std::string message) const {
  throw CaseError{Pointer(), std::move(message)};
}

void Cursor::FailType(std::string_view allowed) const {
  Fail(fmt::format("found {}; {} is allowed", KindOf(*value_), allowed));
}

void Cursor::FailWord(std::string_view found,
                      const std::vector<std::string_view>& allowed) const {
  Fail(fmt::format("found \"{}\"{}; {} is allowed", Quote(found),
                   DidYouMean(found, allowed), fmt::join(allowed, ", ")));
}

bool Cursor::IsNull() const { return value_->is_null(); }
bool Cursor::IsString() const { return value_->is_string(); }
bool Cursor::IsNumber() const {
  return value_->is_number() || value_->is_binary();
}
bool Cursor::IsArray() const { return value_->is_array(); }
bool Cursor::IsObject() const { return value_->is_object(); }

const std::string& Cursor::String() const {
  if (!IsString()) FailType("a string");
  return value_->get_ref<const std::string&>();
}

bool Cursor::Boolean() const {
  if (!value_->is_boolean()) FailType("true or false");
  return value_->get<bool>();
}

void Cursor::MustBe(std::string_view allowed) const {
  if (String() == allowed) return;
  Fail(
      fmt::format("found \"{}\"; \"{}\" is allowed", Quote(String()), allowed));
}

std::string Cursor::Number() const {
  auto text = NumberText(*value_);
  if (!text) FailType("a number");
  return *std::move(text);
}

std::int64_t Cursor::Integer() const {
  return NumberOf<std::int64_t>(*this, "an integer of 64 bits");
}

std::uint64_t Cursor::Count() const {
  return NumberOf<std::uint64_t>(*this, "an integer of 0 to 2^64 - 1");
}

double Cursor::Double() const { return std::strtod(Number().c_str(), nullptr); }

std::int64_t Cursor::IntegerIn(std::int64_t low, std::int64_t high) const {
  const std::int64_t value = Integer();
  if (value < low || value > high) {
    Fail(fmt::format("found {}; {} to {} is allowed", value, low, high));
  }
  return value;
}

std::uint64_t Cursor::HexWord() const {
  const std::string_view text = String();
  if (text.starts_with("0x")) {
    if (const auto word = ToNumber<std::uint64_t>(text.substr(2), 16)) {
      return *word;
    }
  }
  Fail(fmt::format("found \"{}\"; \"0x\" and 1 to 16 hex digits are allowed",
                   Quote(text)));
}

std::size_t Cursor::OneOf(std::initializer_list<std::string_view> words,
                          std::string_view allowed) const {
  const auto* const found = std::ranges::find(words, String());
  if (found == words.end()) {
    Fail(fmt::format("found \"{}\"; {}", Quote(String()), allowed));
  }
  return static_cast<std::size_t>(found - words.begin());
}

std::size_t Cursor::CountItems() const {
  if (!IsArray()) FailType("an array");
  return value_->size();
}

std::size_t Cursor::CountMembers() const {
  if (!IsObject()) FailType("an object");
  return value_->size();
}

Cursor Cursor::Item(std::size_t index) const {
  return {(*value_)[index], *this, index};
}

Cursor Cursor::Member(std::size_t index) const {
  const auto& members = value_->get_ref<const Json::object_t&>();
  const auto& [name, member] =
      *(members.begin() + static_cast<std::ptrdiff_t>(index));
  return {member, *this, std::string_view(name)};
}

void ObjectCursor::Renamed(std::string_view name, std::string_view old) {
  if (!place_.value().contains(name)) renamed_.emplace_back(name, old);
}

std::optional<Cursor> ObjectCursor::Optional(std::string_view name) {
  for (const auto& [now, old] : renamed_) {
    if (now == name) name = old;
  }
  for (std::size_t i = 0; i < requested_.size(); ++i) {
    const Cursor member = place_.Member(i);
    if (member.name() != name) continue;
    requested_[i] = true;
    return member;
  }
  return std::nullopt;
}

Cursor ObjectCursor::Required(std::string_view name) {
  const auto found = Optional(name);
  if (!found) place_.Fail(MissingText(name));
  return *found;
}

std::optional<Cursor> ObjectCursor::Needed(std::string_view name) {
  auto found = Optional(name);
  if (!found) {
    missing_.push_back(name);
    if (refusal_.empty()) refusal_ = MissingText(name);
  }
  return found;
}

void ObjectCursor::OneIsMissing(const std::vector<std::string_view>& names) {
  missing_.insert(missing_.end(), names.begin(), names.end());
  if (refusal_.empty()) {
    refusal_ =
        fmt::format("one of the fields {} is missing", fmt::join(names, ", "));
  }
}

void ObjectCursor::Finish() const {
  for (std::size_t i = 0; i < requested_.size(); ++i) {
    if (!requested_[i]) FailUnknown(place_.Member(i), missing_);
  }
  if (!refusal_.empty()) place_.Fail(refusal_);
}

void ObjectCursor::Allow(const std::vector<std::string_view>& names) const {
  place_.ForEachMember([&](std::string_view name, const Cursor& member) {
    if (std::ranges::find(names, name) == names.end()) {
      FailUnknown(member, names);
    }
  });
}

std::optional<CaseError> WithDocument(
    std::string_view text, std::size_t most,
    const std::function<void(const Cursor&)>& read) {
  if (text.size() > most) {
    return CaseError{
        "", fmt::format("{} bytes; at most {} are allowed", text.size(), most)};
  }
  const auto json = ParseJson(text);
  if (!json) return json.error();
  try {
    read(Cursor(*json));
    return std::nullopt;
  } catch (const CaseError& error) {
    return error;
  }
}

}  // namespace lanediff
