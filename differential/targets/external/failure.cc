#include "differential/targets/external/failure.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "differential/subprocess/environment.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

constexpr std::string_view kSummary = "SUMMARY: ";

/// The last line that is not empty: of a sanitizer's report its summary.
std::string_view LastLine(std::string_view text) {
  if (const std::size_t at = text.rfind(kSummary);
      at != std::string_view::npos && (at == 0 || text[at - 1] == '\n')) {
    return text.substr(at, text.find('\n', at) - at);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  const std::size_t end = text.rfind('\n');
  return end == std::string_view::npos ? text : text.substr(end + 1);
}

}  // namespace

NoOutcome Failure(NoOutcome::Kind kind, std::string why,
                  std::string error_tail) {
  const std::string_view last = LastLine(error_tail);
  if (!last.empty()) {
    why +=
        fmt::format("; {}: \"{}\"",
                    last.starts_with(kSummary) ? "its sanitizer reports"
                                               : "the last line of its stderr",
                    Quote(last, 200));
  }
  return {kind, std::move(why), std::move(error_tail)};
}

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

}  // namespace lanediff::diff
