#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace lanediff::diff {

/// Where the outcome document of the case called `id` lies: `id` and ".json"
/// below `folder`. An id with an empty part, "." or ".." between its slashes
/// could lead elsewhere, or to another case's document, and has none; the error
/// is one line.
std::expected<std::string, std::string> OutcomePath(std::string_view folder,
                                                    std::string_view id);

}  // namespace lanediff::diff
