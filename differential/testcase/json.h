#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// A JSON document as it was written: members in order, numbers as text so that
/// nothing is rounded on the way.
namespace lanediff {

class Json;

struct JsonNumber {
  std::string text;
  bool is_integer = false;  ///< no fraction, no exponent, fits 64 bits
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

/// `text` as a reference token of a JSON pointer ("~" and "/" escaped), for a
/// message: shortened as by `Quote`.
std::string PointerToken(std::string_view text);

/// `text` shortened for a message, control characters and quotes made visible.
std::string Quote(std::string_view text, std::size_t longest = 60);

}  // namespace lanediff
