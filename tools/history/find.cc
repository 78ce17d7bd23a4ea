#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "reports/nightly.h"
#include "reports/shard.h"
#include "tools/history/add.h"
#include "tools/history/part.h"

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kNotLookedInto = {
    "findings", "fuzz-corpus", "lanediff-fuzz", "parts", "exhaust"};

/// Names that verbs give to what they leave, and script/nightly too.
bool IsNameOfResults(const fs::path& path) {
  constexpr std::array<std::string_view, 7> kNames = {
      "check", "fuzz", "sweep", "exhaust", "mutants", "audit", "replay"};
  return std::ranges::find(kNames, path.stem().string()) != kNames.end() ||
         reports::IsShardFileName(path.filename().string(), "");
}

void AddNightly(const std::string& out, Found& found) {
  const auto nightly = reports::ReadStages(out);
  if (!nightly) {
    found.problems.push_back(nightly.error());
    return;
  }
  FoundBatch more{.date = nightly->date, .commit = nightly->commit};
  const std::size_t problems = found.problems.size();
  for (const auto& stage : nightly->stages) {
    if (!stage.status || !stage.results.ends_with(".json")) continue;
    const std::string file = (fs::path(out) / stage.results).string();
    const auto format = FormatOf(file);
    if (!format) {
      found.problems.push_back(fmt::format("{}: of the stage {}: {}", file,
                                           stage.name, format.error()));
    } else if (!*format || IsKept(**format)) {
      more.documents.push_back({.file = file,
                                .seconds = static_cast<double>(stage.seconds),
                                .unfinished = stage.unfinished});
    }
  }
  if (more.documents.empty() && found.problems.size() == problems) {
    found.problems.push_back(
        out +
        "/stages.txt: no stage has results that a campaign keeps; no document "
        "is added");
    return;
  }
  found.batches.push_back(std::move(more));
}

void AddFile(const fs::path& path, Found& found) {
  const auto format = FormatOf(path.string());
  if (!format) {
    found.problems.push_back(path.string() + ": " + format.error());
  } else if (*format ? IsKept(**format) : IsNameOfResults(path)) {
    found.batches.push_back({.documents = {{.file = path.string()}}});
  }
}

void Search(const fs::path& folder, Found& found) {
  if (reports::IsNightlyFolder(folder.string()))
    return AddNightly(folder.string(), found);
  std::error_code error;
  const std::set<fs::path> paths(fs::directory_iterator(folder), {});
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    if (fs::is_directory(path, error)) {
      const bool looked =
          !fs::is_symlink(path, error) &&
          std::ranges::find(kNotLookedInto, name) == kNotLookedInto.end();
      if (looked) Search(path, found);
    } else if (path.extension() == ".json") {
      AddFile(path, found);
    }
  }
}

}  // namespace

Found FindDocuments(const std::string& out) {
  Found found;
  std::error_code error;
  if (fs::is_directory(out, error)) {
    try {
      Search(out, found);
    } catch (const fs::filesystem_error& failure) {
      found.problems.push_back(fmt::format("{}: can't be searched: {}",
                                           failure.path1().string(),
                                           failure.code().message()));
    }
    if (found.batches.empty() && found.problems.empty()) {
      found.problems.push_back(
          out +
          ": holds no result of a run; a folder that script/nightly, lanediff "
          "merge or a run with --shard left, or what a run left with --json, "
          "is allowed");
    }
  } else if (fs::exists(out, error)) {
    found.batches.push_back({.documents = {{.file = out}}});
  } else {
    found.problems.push_back(out + ": is not there");
  }
  return found;
}

}  // namespace lanediff::campaign
