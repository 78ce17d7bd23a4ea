#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace lanediff::fuzz {

/// The case files below the folder `path`, in order of their names: *.json, but
/// not *.schema.json and known_issues.json. A `path` that is no folder is one.
inline std::vector<std::filesystem::path> CasesIn(
    const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    const fs::path& file = entry.path();
    if (file.extension() == ".json" &&
        !file.string().ends_with(".schema.json") &&
        file.filename() != "known_issues.json") {
      all.push_back(file);
    }
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace lanediff::fuzz
