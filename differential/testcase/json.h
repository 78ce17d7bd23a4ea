#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

/// A JSON document as it was written: members in order, numbers as text so that
/// nothing is rounded on the way.
namespace lanediff {

class Json;

struct JsonNumber {
  std::string text;
};

using JsonArray = std::vector<Json>;
using JsonObject = std::vector<std::pair<std::string, Json>>;

class Json {
 public:
  using Value = std::variant<std::nullptr_t, bool, JsonNumber, std::string,
                             JsonArray, JsonObject>;

  Json() = default;
  template <class T>
    requires std::constructible_from<Value, T>
  explicit Json(T value) : value_(std::move(value)) {}

  /// The value as a `T`, null if it is something else.
  template <class T>
  const T* As() const {
    return std::get_if<T>(&value_);
  }
  template <class T>
  T* As() {
    return std::get_if<T>(&value_);
  }

 private:
  Value value_ = nullptr;
};

/// What is wrong with a document, and where.
struct CaseError {
  std::string pointer;  ///< JSON pointer; empty for the document itself
  std::string message;  ///< what was found and what is allowed, one line
};

/// "pointer: message", or the message alone where it is of the document.
std::string LineOf(const CaseError& error);

/// Nesting beyond this many arrays and objects is malformed.
inline constexpr int kMaxJsonDepth = 16;

/// Parses `text`: UTF-8 without a byte order mark, no repeated member names, no
/// nesting deeper than `kMaxJsonDepth`.
std::expected<Json, CaseError> ParseJson(std::string_view text);

/// The number that all of `text` is; none if something else stands there.
template <class T>
std::optional<T> ToNumber(std::string_view text, int base = 10) {
  T number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number, base);
  if (error != std::errc{} || end != last) return std::nullopt;
  return number;
}

/// `text` as a reference token of a JSON pointer ("~" and "/" escaped), for a
/// message: shortened as by `Quote`.
std::string PointerToken(std::string_view text);

/// `text` shortened for a message, control characters and quotes made visible.
std::string Quote(std::string_view text, std::size_t longest = 60);

/// Some arrays of a document, by their JSON pointers, whose items are handed
/// over as they are read. They are empty in what is left of the document, and
/// lie at most two objects deep ("/run/cases").
struct StreamedArrays {
  std::span<const std::string_view> pointers;
  /// Gets an array's place among `pointers`, the item's in the array, and it.
  /// May throw a `CaseError`, whose pointer starts at the item.
  std::function<void(std::size_t array, std::size_t index, Json item)> take;
};

/// Parses what `stream` holds, as `ParseJson` of a text does; no more is held
/// than one item of each streamed array and all that is outside them.
std::expected<Json, CaseError> ParseJson(std::istream& stream,
                                         const StreamedArrays& streamed);

}  // namespace lanediff
