#include "cli/fuzz/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "diff/case_writer.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

template <class Wanted>
std::vector<std::string> Files(const fs::path& folder, const Wanted& wanted) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (wanted(entry->path().string())) {
      paths.push_back(entry->path().string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::expected<void, std::string> MakeFolders(const std::string& out) {
  for (const char* name :
       {"findings", "raw", "unconfirmed", "artifacts", "logs", "fuzz-corpus"}) {
    const fs::path folder = fs::path(out) / name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
      return std::unexpected(fmt::format("--out: {}: can't be made: {}",
                                         folder.string(), error.message()));
    }
    const fs::path probe = folder / ".probe";
    const auto written = diff::WriteFile(probe.string(), "probe\n");
    if (!written) return std::unexpected("--out: " + written.error());
    fs::remove(probe, error);
    for (const std::string& left : FilesIn(folder.string(), ".tmp")) {
      fs::remove(left, error);
    }
  }
  return {};
}

std::vector<std::string> FilesIn(const std::string& folder,
                                 std::string_view suffix) {
  return Files(folder,
               [&](std::string_view path) { return path.ends_with(suffix); });
}

std::vector<std::string> FilesBeginningWith(const std::string& prefix) {
  return Files(fs::path(prefix).parent_path(),
               [&](std::string_view path) { return path.starts_with(prefix); });
}

}  // namespace lanediff::cli
