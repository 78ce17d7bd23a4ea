#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/case_error.h"

/// A record lists once what it holds: a static `Fields(self, visitor)` shows
/// its fields, once each and in the document's order, under the document's
/// names. Writer and reader (record_json.h), schema (record_schema.h) and sums
/// (below) are such visitors. A visitor has
///
///   Format(text)                       "format", which names the document
///   Document(kind)                     "schema" and "kind": a report's
///   Required(name, value, allowed)
///   RequiredIf(given, name, value, allowed)
///                                      must be given if `given`, which fields
///                                      shown before decide; else it may not be
///   Optional(name, value, allowed)     left out where it is empty, 0 or false
///   LANEDIFF_REQUIRED(v, r.a, r.b_c)   v.Required("a", r.a),
///                                      v.Required("bC", r.b_c);
///                                      LANEDIFF_OPTIONAL likewise
///   OptionalIf(written, name, value, allowed)
///                                      left out unless `written`
///   Derived(name, function, allowed)   what `function` makes of the other
///                                      fields; written, and not looked at by a
///                                      reader. Left out where it is nothing
///   Together(a, b)                     both of two optional fields or neither
///   Renamed(name, old)                 a reader accepts `old` for a missing
///                                      `name`, the next field
///   TrueWithout(name, other)           a flag: whether `other`, an optional
///                                      field that is shown next, is left out
///
/// A value is a std::string, a bool, a std::uint64_t, a std::int64_t, a double,
/// one word of an enumeration, an isa::RuleId, a `JsonText`, another record, a
/// variant of std::int64_t and std::string, a std::optional of these (null, or
/// left out where the field may be), in what is only written an isa::Step, a
/// std::string_view, a `NumberOrText` and counts by name, a
/// std::vector or std::set of these, a pair of
/// std::int64_t, first and last of a span: a list of both, or a vector of pairs
/// of texts: an object with a member for each.
///
/// A record may have a `Fault() const` too: what no single field shows to be
/// wrong, as a `CaseError` whose pointer starts at the record.
namespace lanediff {

/// A value of any type, as JSON.
struct JsonText {
  std::string text = "null";
};

/// A number with all its digits, or a text; only written.
struct NumberOrText : JsonText {};

/// What a value may be beyond what its type allows, and what it means. A reader
/// holds numbers and words to it, and a text to `check`; `filled` and `pattern`
/// stand in the schema alone.
struct Allowed {
  std::string_view description = {};
  bool filled = false;            ///< a text or list: not empty
  std::string_view pattern = {};  ///< a text: as a regular expression of JSON
                                  ///< Schema; must not be "" if there is one
  std::span<const std::string_view> words = {};  ///< a text: one of these
  /// A text: why it is not allowed, in one line; empty if it is.
  std::string (*check)(const std::string& text) = nullptr;
  std::optional<std::int64_t> low = {};  ///< a number; unsigned: 0 if not given
  std::optional<std::int64_t> high = {};
  /// An unsigned number that uses all 64 bits.
  bool all_bits = false;
  const Allowed* each = nullptr;  ///< what a list's values may be
  bool elsewhere = false;         ///< the schema of another document has it
};

/// The schema of reports; readers accept version 1, `lanediff-KIND/1`, too.
inline constexpr std::string_view kReportSchema = "lanediff-report/2";

inline constexpr Allowed kFilled = {.filled = true};
inline constexpr Allowed kAllBits = {
    .description =
        "0 to 2^64 - 1; some validators take its upper half for negative",
    .all_bits = true};
inline constexpr Allowed kRuleText = {.pattern = "^[A-Z0-9]+(-[A-Z0-9]+)+$"};
inline constexpr Allowed kNotNegative = {.low = 0};

/// Stands for any visitor.
struct NoVisitor {};

/// Whether `T` has `Fields`.
template <class T>
concept Record =
    requires(T& record, NoVisitor& visitor) { T::Fields(record, visitor); };

/// The names "a,bC," of the members "r.a, r.b_c".
template <std::size_t kSize>
struct FieldNames {
  // NOLINTNEXTLINE(google-explicit-constructor): for template arguments.
  consteval FieldNames(const char (&members)[kSize]) {
    std::size_t start = 0;
    bool capital = false;
    for (const char c : members) {
      if (c == '.') {
        length = start;
      } else if (c == ',' || c == '\0') {
        text[length++] = ',';
        start = length;
      } else if (c != ' ' && c != '_') {
        text[length++] = static_cast<char>(capital ? c - 'a' + 'A' : c);
      }
      capital = c == '_';
    }
  }
  std::string_view Next(std::size_t& from) const {
    const std::string_view all(text, length);
    const std::size_t start = std::exchange(from, all.find(',', from) + 1);
    return all.substr(start, from - 1 - start);
  }

  char text[kSize] = {};
  std::size_t length = 0;
};

template <FieldNames kNames>
void ShowRequired(auto& visitor, auto&... values) {
  std::size_t from = 0;
  (visitor.Required(kNames.Next(from), values), ...);
}

template <FieldNames kNames>
void ShowOptional(auto& visitor, auto&... values) {
  std::size_t from = 0;
  (visitor.Optional(kNames.Next(from), values), ...);
}

#define LANEDIFF_REQUIRED(v, ...) \
  ::lanediff::ShowRequired<#__VA_ARGS__>(v, __VA_ARGS__)
#define LANEDIFF_OPTIONAL(v, ...) \
  ::lanediff::ShowOptional<#__VA_ARGS__>(v, __VA_ARGS__)

/// For a `Fault`: that the number at `pointer` is not below `end`.
std::optional<CaseError> NotBelow(std::string_view pointer,
                                  std::uint64_t number, std::uint64_t end);

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Whether an optional field is left out.
template <class T>
bool IsLeftOut(const T& value) {
  if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else if constexpr (requires { value.has_value(); }) {
    return !value.has_value();
  } else {
    return value == T{};
  }
}

// Why a text is none, in one line; empty if it is one.
std::string NoName(const std::string& text);
std::string NoLine(const std::string& text);
std::string NoDay(const std::string& text);

inline constexpr std::string_view kDayPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

/// The day of today in UTC, YYYY-MM-DD.
std::string Today();

}  // namespace lanediff
