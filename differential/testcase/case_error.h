#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

/// What is wrong with a document, and text for such messages.
namespace lanediff {

/// What is wrong with a document, and where.
struct CaseError {
  std::string pointer;  ///< JSON pointer; empty for the document itself
  std::string message;  ///< what was found and what is allowed, one line
};

/// "pointer: message", or the message alone where it is of the document.
std::string LineOf(const CaseError& error);

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

/// "1 case", "2 cases"; `many` where it is not `one` with an s.
std::string Counted(std::uint64_t count, std::string_view one,
                    std::string_view many = {});

}  // namespace lanediff
