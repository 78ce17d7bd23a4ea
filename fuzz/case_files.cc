#include "fuzz/case_files.h"

#include <algorithm>

namespace lanediff::fuzz {
namespace {

namespace fs = std::filesystem;

bool IsCase(const fs::path& path) {
  return path.extension() == ".json" &&
         !path.string().ends_with(".schema.json") &&
         path.filename() != "known_issues.json";
}

}  // namespace

std::vector<fs::path> CasesIn(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (IsCase(entry.path())) all.push_back(entry.path());
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace lanediff::fuzz
