#include "diff/outside/failure.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "case/json.h"
#include "diff/outside/environment.h"

namespace lanediff::diff {
namespace {

/// The last line that says something.
std::string_view LastLine(std::string_view text) {
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
        fmt::format("; the last line of its stderr: \"{}\"", Quote(last, 200));
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
