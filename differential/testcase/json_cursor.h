#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/json.h"
#include "differential/testcase/nearest.h"
#include "isa/vocabulary.h"

/// Walking a `Json` while knowing where one is. For readers of documents only:
/// what does not fit is thrown as a `CaseError`, which a reader turns into a
/// result before it returns.
namespace lanediff {

class Cursor {
 public:
  explicit Cursor(const Json& root) : value_(&root) {}
  Cursor(const Json& value, const Cursor& parent,
         std::variant<std::string_view, std::size_t> key)
      : value_(&value), parent_(&parent), key_(key) {}
  /// A parent outlives what is below it.
  Cursor(const Json&, const Cursor&&,
         std::variant<std::string_view, std::size_t>) = delete;

  const Json& value() const { return *value_; }

  std::string Pointer() const {
    if (parent_ == nullptr) return "";
    const auto* name = std::get_if<std::string_view>(&key_);
    return fmt::format("{}/{}", parent_->Pointer(),
                       name ? PointerToken(*name)
                            : std::to_string(std::get<std::size_t>(key_)));
  }

  [[noreturn]] void Fail(std::string message) const {
    throw CaseError{Pointer(), std::move(message)};
  }
  [[noreturn]] void FailType(std::string_view allowed) const {
    Fail(fmt::format("found {}; {} is allowed", Kind(), allowed));
  }
  template <class E>
  [[noreturn]] void FailWord(std::string_view found) const {
    FailWord(found, {isa::Words<E>::kSpelling.begin(),
                     isa::Words<E>::kSpelling.end()});
  }
  [[noreturn]] void FailWord(
      std::string_view found,
      const std::vector<std::string_view>& allowed) const {
    Fail(fmt::format("found \"{}\"{}; {} is allowed", Quote(found),
                     DidYouMean(found, allowed), fmt::join(allowed, ", ")));
  }

  const std::string& String() const {
    const auto* text = value_->As<std::string>();
    if (text == nullptr) FailType("a string");
    return *text;
  }
  bool Boolean() const {
    const auto* flag = value_->As<bool>();
    if (flag == nullptr) FailType("true or false");
    return *flag;
  }
  /// Refuses any other string than `allowed`.
  void MustBe(std::string_view allowed) const {
    if (String() == allowed) return;
    Fail(fmt::format("found \"{}\"; \"{}\" is allowed", Quote(String()),
                     allowed));
  }
  const std::string& Number() const {
    const auto* number = value_->As<JsonNumber>();
    if (number == nullptr) FailType("a number");
    return number->text;
  }
  /// An integer in [−2⁶³, 2⁶³−1].
  std::int64_t Integer() const {
    return NumberOf<std::int64_t>("an integer of 64 bits");
  }
  /// An integer in [0, 2⁶⁴−1].
  std::uint64_t Count() const {
    return NumberOf<std::uint64_t>("an integer of 0 to 2^64 - 1");
  }
  double Double() const { return std::strtod(Number().c_str(), nullptr); }
  std::int64_t IntegerIn(std::int64_t low, std::int64_t high) const {
    const std::int64_t value = Integer();
    if (value < low || value > high) {
      Fail(fmt::format("found {}; {} to {} is allowed", value, low, high));
    }
    return value;
  }
  /// 64 bits as "0x…".
  std::uint64_t HexWord() const {
    const std::string_view text = String();
    if (text.starts_with("0x")) {
      if (const auto word = ToNumber<std::uint64_t>(text.substr(2), 16)) {
        return *word;
      }
    }
    Fail(fmt::format("found \"{}\"; \"0x\" and 1 to 16 hex digits are allowed",
                     Quote(text)));
  }
  /// Which of `words` it is; the error states what is `allowed`.
  std::size_t OneOf(std::initializer_list<std::string_view> words,
                    std::string_view allowed) const {
    const auto* const found = std::ranges::find(words, String());
    if (found == words.end()) {
      Fail(fmt::format("found \"{}\"; {}", Quote(String()), allowed));
    }
    return static_cast<std::size_t>(found - words.begin());
  }
  template <class E>
  E Word() const {
    const auto value = isa::Parse<E>(String());
    if (!value) FailWord<E>(String());
    return *value;
  }

  // Reads what is there by the type of `value`.
  void To(bool& value) const { value = Boolean(); }
  void To(std::string& value) const { value = String(); }
  void To(std::int64_t& value) const { value = Integer(); }
  template <class E>
    requires std::is_enum_v<E>
  void To(E& value) const {
    value = Word<E>();
  }
  template <class T>
  void To(std::optional<T>& value) const {
    To(value.emplace());
  }

  template <class F>
  void ForEach(F&& f) const {
    const auto* items = value_->As<JsonArray>();
    if (items == nullptr) FailType("an array");
    for (std::size_t i = 0; i < items->size(); ++i) {
      f(Cursor((*items)[i], *this, i));
    }
  }
  template <class F>
  void ForEachMember(F&& f) const {
    const auto* members = value_->As<JsonObject>();
    if (members == nullptr) FailType("an object");
    for (const auto& [name, member] : *members) {
      f(std::string_view(name), Cursor(member, *this, std::string_view(name)));
    }
  }

 private:
  template <class T>
  T NumberOf(std::string_view allowed) const {
    const auto number = ToNumber<T>(Number());
    if (!number) {
      Fail(fmt::format("found {}; {} is allowed", Quote(Number()), allowed));
    }
    return *number;
  }

  std::string Kind() const {
    if (const auto* number = value_->As<JsonNumber>()) {
      return Quote(number->text);
    }
    if (const auto* text = value_->As<std::string>()) {
      return fmt::format("\"{}\"", Quote(*text));
    }
    if (const auto* flag = value_->As<bool>()) return *flag ? "true" : "false";
    if (value_->As<JsonArray>()) return "an array";
    if (value_->As<JsonObject>()) return "an object";
    return "null";
  }

  const Json* value_;
  const Cursor* parent_ = nullptr;
  std::variant<std::string_view, std::size_t> key_;
};

/// Reads the members of an object and, at `Finish`, refuses those that were not
/// requested, before it refuses that needed ones are missing.
class ObjectCursor {
 public:
  explicit ObjectCursor(const Cursor& place)
      : place_(place), members_(place.value().As<JsonObject>()) {
    if (members_ == nullptr) place.FailType("an object");
    requested_.assign(members_->size(), false);
  }
  /// The place outlives the object and its members.
  explicit ObjectCursor(const Cursor&&) = delete;

  const Cursor& place() const { return place_; }

  /// Where no member is called `name`, the member `old` is read as `name`.
  void Renamed(std::string_view name, std::string_view old) {
    for (const auto& [key, member] : *members_) {
      if (key == name) return;
    }
    renamed_.emplace_back(name, old);
  }

  std::optional<Cursor> Optional(std::string_view name) {
    for (const auto& [now, old] : renamed_) {
      if (now == name) name = old;
    }
    for (std::size_t i = 0; i < members_->size(); ++i) {
      const auto& [key, member] = (*members_)[i];
      if (key != name) continue;
      requested_[i] = true;
      return Cursor(member, place_, std::string_view(key));
    }
    return std::nullopt;
  }
  Cursor Required(std::string_view name) {
    const auto found = Optional(name);
    if (!found) place_.Fail(MissingText(name));
    return *found;
  }
  /// As `Required`, but what is missing is refused at `Finish`.
  std::optional<Cursor> Needed(std::string_view name) {
    auto found = Optional(name);
    if (!found) {
      missing_.push_back(name);
      if (refusal_.empty()) refusal_ = MissingText(name);
    }
    return found;
  }
  /// Reads the member `name` into `value`, by its type, if it is given.
  template <class T>
  void Read(std::string_view name, T& value) {
    if (const auto place = Optional(name)) place->To(value);
  }
  /// As `Read`, of a member that is needed.
  template <class T>
  void Need(std::string_view name, T& value) {
    if (const auto place = Needed(name)) place->To(value);
  }
  /// As `Needed`, of one of several.
  void OneIsMissing(const std::vector<std::string_view>& names) {
    missing_.insert(missing_.end(), names.begin(), names.end());
    if (refusal_.empty()) {
      refusal_ = fmt::format("one of the fields {} is missing",
                             fmt::join(names, ", "));
    }
  }
  void Finish() const {
    for (std::size_t i = 0; i < requested_.size(); ++i) {
      const auto& [key, member] = (*members_)[i];
      if (!requested_[i]) FailUnknown(key, member, missing_);
    }
    if (!refusal_.empty()) place_.Fail(refusal_);
  }
  /// Refuses a member that is not among `names`.
  void Allow(const std::vector<std::string_view>& names) const {
    for (const auto& [key, member] : *members_) {
      if (std::ranges::find(names, key) == names.end()) {
        FailUnknown(key, member, names);
      }
    }
  }

 private:
  [[noreturn]] void FailUnknown(
      std::string_view key, const Json& member,
      const std::vector<std::string_view>& names) const {
    const std::string meant = DidYouMean(key, names);
    Cursor(member, place_, key)
        .Fail("unknown field" +
              (meant.empty() ? "; remove it or correct its name" : meant));
  }
  static std::string MissingText(std::string_view name) {
    return fmt::format("the field \"{}\" is missing", name);
  }

  const Cursor& place_;
  const JsonObject* members_;
  std::vector<std::string_view> missing_;
  std::string refusal_;  ///< of the first of them
  std::vector<std::pair<std::string_view, std::string_view>> renamed_;
  std::vector<bool> requested_;
};

/// What `read` makes of the document `text` of at most `most` bytes, or what is
/// wrong with it.
template <class F>
std::expected<std::invoke_result_t<F, const Cursor&>, CaseError> ReadDocument(
    std::string_view text, const F& read,
    std::size_t most = std::string_view::npos) {
  if (text.size() > most) {
    return std::unexpected(CaseError{
        "",
        fmt::format("{} bytes; at most {} are allowed", text.size(), most)});
  }
  const auto json = ParseJson(text);
  if (!json) return std::unexpected(json.error());
  try {
    return read(Cursor(*json));
  } catch (const CaseError& error) {
    return std::unexpected(error);
  }
}

}  // namespace lanediff
