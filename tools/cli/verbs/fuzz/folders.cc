#include "tools/cli/verbs/fuzz/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "differential/testcase/case_writer.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOwn = "lanediff-fuzz";

template <class Wanted>
std::vector<std::string> FilesWhere(const fs::path& folder,
                                    const Wanted& wanted) {
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

std::expected<void, std::string> MakeFolderIn(const std::string& out,
                                              const char* name) {
  const fs::path folder = fs::path(out) / name;
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return {};
  return std::unexpected(fmt::format("--out: {}: can't be made: {}",
                                     folder.string(), error.message()));
}

std::string NameOf(Shard shard) {
  if (!shard.IsPart()) return std::string(kOwn);
  return fmt::format("{}-{}-of-{}", kOwn, shard.index, shard.count);
}

/// A path that no program takes for an option.
std::string AsPath(const std::string& out) {
  return out.starts_with('-') ? "./" + out : out;
}

}  // namespace

FuzzFolders::FuzzFolders(std::string out, WorkFolder own)
    : out_(std::move(out)), own_(std::move(own)) {}

std::expected<FuzzFolders, std::string> FuzzFolders::Make(
    const std::string& given, Shard shard) {
  const std::string out = AsPath(given);
  for (const char* name : {"findings", "unconfirmed", "fuzz-corpus"}) {
    const auto made = MakeFolderIn(out, name);
    if (!made) return std::unexpected(made.error());
  }
  const std::string name = NameOf(shard);
  auto own = WorkFolder::Take((fs::path(out) / name).string());
  if (!own) return std::unexpected("--out: " + own.error());
  FuzzFolders folders(out, *std::move(own));
  const auto made = folders.MakeAll();
  if (!made) return std::unexpected("--out: " + made.error());
  if (shard.IsPart()) return folders;
  for (const std::string& other :
       FilesBeginningWith((fs::path(out) / kOwn).string())) {
    if (fs::path(other).filename() != name) folders.TakeOver(other);
  }
  return folders;
}

std::expected<void, std::string> FuzzFolders::MakeAll() const {
  for (const char* name : {"raw", "artifacts", "logs"}) {
    const auto made = own_.Make(name);
    if (!made) return made;
  }
  // A full disk is reported before the first hour, not after it.
  const std::string probe = Logs("probe");
  const auto written = WriteFile(probe, "probe\n");
  std::error_code ignored;
  fs::remove(probe, ignored);
  for (const std::string& left : FilesIn(Raw(), ".tmp")) {
    fs::remove(left, ignored);
  }
  return written;
}

void FuzzFolders::TakeOver(const std::string& folder) const {
  if (!WorkFolder::IsOurs(folder)) return;
  const auto other = WorkFolder::Take(folder);
  if (!other) return;  // it is running
  std::error_code ignored;
  for (const std::string& path : FilesIn(other->In("raw"), ".json")) {
    fs::rename(path, FreePath(Raw(fs::path(path).filename().string())),
               ignored);
  }
  for (const std::string& path : FilesIn(other->In("artifacts"), "")) {
    fs::rename(path, FreePath(Artifacts(fs::path(path).filename().string())),
               ignored);
  }
}

std::string FuzzFolders::Findings(const std::string& name) const {
  return (fs::path(out_) / "findings" / name).string();
}
std::string FuzzFolders::Unconfirmed(const std::string& name) const {
  return (fs::path(out_) / "unconfirmed" / name).string();
}
std::string FuzzFolders::Corpus(const std::string& instruction) const {
  return (fs::path(out_) / "fuzz-corpus" / instruction).string();
}
std::string FuzzFolders::Raw(const std::string& name) const {
  return own_.In("raw/" + name);
}
std::string FuzzFolders::Artifacts(const std::string& name) const {
  return own_.In("artifacts/" + name);
}
std::string FuzzFolders::Logs(const std::string& name) const {
  return own_.In("logs/" + name);
}

std::vector<std::string> FilesIn(const std::string& folder,
                                 std::string_view suffix) {
  return FilesWhere(
      folder, [&](std::string_view path) { return path.ends_with(suffix); });
}

std::vector<std::string> FilesBeginningWith(const std::string& prefix) {
  return FilesWhere(fs::path(prefix).parent_path(), [&](std::string_view path) {
    return path.starts_with(prefix);
  });
}

std::string FreePath(const std::string& path) {
  const fs::path wanted = path;
  std::string free = path;
  std::error_code ignored;
  for (unsigned n = 2; fs::exists(fs::symlink_status(free, ignored)); ++n) {
    free =
        (wanted.parent_path() / fmt::format("{}-{}{}", wanted.stem().string(),
                                            n, wanted.extension().string()))
            .string();
  }
  return free;
}

}  // namespace lanediff::cli
