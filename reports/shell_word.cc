#include "reports/shell_word.h"

#include <fmt/format.h>

#include <string_view>

#include "reports/printable.h"

namespace lanediff::reports {
namespace {

/// For what can't be shown in a line as it is.
std::string BashWord(const std::string& text) {
  std::string word = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      word += fmt::format("\\{:03o}", byte);
    } else {
      word += c == '\\' || c == '\'' ? std::string{'\\', c} : std::string{c};
    }
  }
  return word + "'";
}

}  // namespace

std::string ShellWord(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/"
      "-:+=,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) {
    return text;
  }
  if (InOneLine(text) != text) return BashWord(text);
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string{c};
  return quoted + "'";
}

}  // namespace lanediff::reports
