#include "differential/testcase/step_lines.h"

namespace lanediff {
namespace {

/// Where the string that begins at `at` ends: behind its second quote.
std::size_t EndOfString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

std::vector<std::size_t> StepLines(std::string_view text) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  int depth = 0;
  bool in_program = false;
  std::string_view last;  // the last string of the document's own members
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = EndOfString(text, at);
      if (depth == 1) last = text.substr(at, end - at);
      at = end;
      continue;
    }
    if (c == '\n') ++line;
    if (c == '{' || c == '[') {
      if (c == '{' && depth == 2 && in_program) lines.push_back(line);
      ++depth;
      if (c == '[' && depth == 2) in_program = last == "\"program\"";
    } else if (c == '}' || c == ']') {
      --depth;
      if (depth < 2) in_program = false;
    }
    ++at;
  }
  return lines;
}

}  // namespace lanediff
