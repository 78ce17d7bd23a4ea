#pragma once

#include <filesystem>
#include <vector>

namespace lanediff::fuzz {

/// The case files below the folder `path`, in order of their names: *.json, but
/// not *.schema.json and known_issues.json. A `path` that is no folder is one.
std::vector<std::filesystem::path> CasesIn(const std::filesystem::path& path);

}  // namespace lanediff::fuzz
