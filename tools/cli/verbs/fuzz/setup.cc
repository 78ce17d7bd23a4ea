#include "tools/cli/verbs/fuzz/setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/cli/common.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "lanediff-fuzz-";

std::string SelfFolder(const std::string& program) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return (error ? fs::path(program) : self).parent_path().string();
}

/// Fuzz programs in `folder` by instruction.
std::vector<std::string> ProgramsIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && entry->path().extension().empty()) {
      names.push_back(name.substr(kPrefix.size()));
    }
  }
  std::ranges::sort(names);
  return names;
}

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

std::string NameOf(Shard shard) {
  if (!shard.IsPart()) return std::string(kOwn);
  return fmt::format("{}-{}-of-{}", kOwn, shard.index, shard.count);
}

/// A path that no program takes for an option.
std::string AsPath(const std::string& out) {
  return out.starts_with('-') ? "./" + out : out;
}

constexpr const char* kBytes = "seeds/bytes";
constexpr const char* kJson = "seeds/json";

/// Whether libFuzzer names files so: a SHA-1 in hexadecimal.
bool IsInputName(const std::string& name) {
  return name.size() == 40 &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::string SelfProgram(const FuzzOptions& options) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? options.program : self.string();
}

std::string Fuzzers::Program(const std::string& instruction) const {
  return folder + "/" + std::string(kPrefix) + instruction;
}

Fuzzers FindFuzzers(const FuzzOptions& options) {
  std::vector<fs::path> folders = {options.fuzzers};
  if (options.fuzzers.empty()) {
    const fs::path self = SelfFolder(options.program);
    folders = {self, self / "../../fuzz/bin"};
  }
  std::string looked;
  for (const fs::path& folder : folders) {
    const auto names = ProgramsIn(folder);
    if (!looked.empty()) looked += " and ";
    looked += folder.lexically_normal().string();
    if (names.empty()) continue;
    if (options.instruction.empty()) return Fuzzers{folder.string(), names};
    if (std::ranges::find(names, options.instruction) != names.end()) {
      return Fuzzers{folder.string(), {options.instruction}};
    }
    throw Exit{FailUsage(fmt::format(
        "--instruction: no fuzz program for \"{}\" in {}; {} are there",
        options.instruction, folder.lexically_normal().string(),
        fmt::join(names, ", ")))};
  }
  throw Exit{FailUsage(fmt::format(
      "no fuzz programs in {}; build them with \"cmake --preset fuzz && cmake "
      "--build --preset fuzz\", or name their folder with --fuzzers",
      looked))};
}

FuzzFolders::FuzzFolders(std::string out, WorkFolder own)
    : out_(std::move(out)), own_(std::move(own)) {}

FuzzFolders FuzzFolders::Make(const std::string& given, Shard shard) {
  const std::string out = AsPath(given);
  for (const char* name : {"findings", "unconfirmed", "fuzz-corpus"}) {
    const fs::path folder = fs::path(out) / name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) continue;
    throw Exit{FailUsage(fmt::format("--out: {}: can't be made: {}",
                                     folder.string(), error.message()))};
  }
  const std::string name = NameOf(shard);
  FuzzFolders folders(
      out,
      OrFail(WorkFolder::Take((fs::path(out) / name).string()), "--out: "));
  OrFail(folders.MakeAll(), "--out: ");
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

std::string SeedsFor(const std::string& instruction,
                     const FuzzFolders& folders) {
  return folders.own().In(instruction == "case_json" ? kJson : kBytes);
}

void MakeSeeds(const std::string& corpus, const std::string& edition,
               const FuzzFolders& folders) {
  std::error_code error;
  if (!fs::exists(corpus, error)) {
    throw Exit{FailUsage("--corpus: no folder " + corpus)};
  }
  for (const char* name : {kBytes, kJson}) OrFail(folders.own().MakeAnew(name));
  const fs::path bytes_folder = folders.own().In(kBytes);
  const fs::path json_folder = folders.own().In(kJson);
  std::size_t number = 0;
  for (const CasePath& path : FindCases({corpus})) {
    auto c = path.error.empty() ? ReadCaseFile(path.path)
                                : std::unexpected<std::string>(path.error);
    if (!c) {
      fmt::print(stderr, "lanediff: skipped as a seed: {}: {}\n", path.path,
                 c.error());
      continue;
    }
    const std::string name = std::to_string(number++);
    ReadAs(edition, *c);
    const auto bytes = EncodeFuzzInput(*c);
    if (bytes) {
      OrFail(WriteFile((bytes_folder / name).string(),
                       {bytes->begin(), bytes->end()}));
    }
    fs::copy_file(path.path, json_folder / name, error);
  }
}

void DropOtherVersions(const std::string& folder) {
  std::error_code error;
  std::size_t dropped = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (!IsInputName(entry->path().filename().string()) ||
        !fs::is_regular_file(entry->symlink_status(ignored))) {
      continue;
    }
    const int version = std::ifstream(entry->path(), std::ios::binary).get();
    if (version == EOF || IsFuzzInputVersion(version)) continue;
    dropped += fs::remove(entry->path(), ignored);
  }
  if (dropped > 0) {
    fmt::print(
        stderr,
        "lanediff: {}: {} inputs of another version than {} to {} removed\n",
        folder, dropped, kFuzzInputVersion2024, kFuzzInputWithAllSteps);
  }
}

}  // namespace lanediff::cli
