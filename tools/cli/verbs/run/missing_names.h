#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanediff::cli {

/// What to do about names of Ascend C that a compiler (g++ or clang, in the C
/// locale) did not find: a line each, "add.cpp:24: Silu is …". `headers` is the
/// text of ours, with all known names.
std::vector<std::string> MissingNames(std::string_view compiler,
                                      std::string_view headers);

}  // namespace lanediff::cli
