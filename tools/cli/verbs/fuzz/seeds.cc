#include "tools/cli/verbs/fuzz/seeds.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kBytes = "seeds/bytes";
constexpr const char* kJson = "seeds/json";

/// Whether libFuzzer names files so: a SHA-1 in hexadecimal.
bool IsInputName(const std::string& name) {
  return name.size() == 40 &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::string SeedsFor(const std::string& instruction,
                     const FuzzFolders& folders) {
  return folders.own().In(instruction == "case_json" ? kJson : kBytes);
}

std::expected<void, std::string> MakeSeeds(const std::string& corpus,
                                           const std::string& edition,
                                           const FuzzFolders& folders) {
  std::error_code error;
  if (!fs::exists(corpus, error)) {
    return std::unexpected("--corpus: no folder " + corpus);
  }
  for (const char* name : {kBytes, kJson}) {
    const auto made = folders.own().MakeAnew(name);
    if (!made) return made;
  }
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
      const auto written = WriteFile((bytes_folder / name).string(),
                                     {bytes->begin(), bytes->end()});
      if (!written) return written;
    }
    fs::copy_file(path.path, json_folder / name, error);
  }
  return {};
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
        folder, dropped, kFuzzInputVersion2024, kFuzzInputWithKernelSteps);
  }
}

}  // namespace lanediff::cli
