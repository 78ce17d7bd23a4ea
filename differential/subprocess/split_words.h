#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace lanediff::diff {

/// The words of `command` as a shell would split them: blanks part them, '…'
/// takes everything literally, "…" all but \" \\ \$ \` and an escaped end of
/// line, a backslash the next character. Nothing is expanded: $, *, ~, ;, | and
/// the like stand for themselves. The error is one line.
std::expected<std::vector<std::string>, std::string> SplitWords(
    std::string_view command);

}  // namespace lanediff::diff
