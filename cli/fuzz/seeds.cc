#include "cli/fuzz/seeds.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/common.h"
#include "diff/case_reader.h"
#include "diff/case_writer.h"
#include "diff/fuzz_input.h"

namespace lanediff::cli {

namespace fs = std::filesystem;

std::expected<void, std::string> MakeSeeds(const std::string& corpus,
                                           const std::string& folder) {
  const fs::path seeds = folder;
  std::error_code error;
  fs::remove_all(seeds, error);
  fs::create_directories(seeds / "bytes", error);
  fs::create_directories(seeds / "json", error);
  if (error) {
    return std::unexpected(
        fmt::format("{}: can't be made: {}", seeds.string(), error.message()));
  }
  if (!fs::exists(corpus, error)) {
    return std::unexpected("--corpus: no folder " + corpus);
  }
  std::size_t number = 0;
  for (const CasePath& path : FindCases({corpus})) {
    const auto c = path.error.empty()
                       ? diff::ReadCaseFile(path.path)
                       : std::unexpected<std::string>(path.error);
    if (!c) {
      fmt::print(stderr, "lanediff: skipped as a seed: {}: {}\n", path.path,
                 c.error());
      continue;
    }
    const std::string name = std::to_string(number++);
    const auto bytes = diff::EncodeFuzzInput(*c);
    if (bytes) {
      const auto written = diff::WriteFile((seeds / "bytes" / name).string(),
                                           {bytes->begin(), bytes->end()});
      if (!written) return written;
    }
    fs::copy_file(path.path, seeds / "json" / name, error);
  }
  return {};
}

void DropOtherVersions(const std::string& folder) {
  std::error_code error;
  std::size_t dropped = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const int version = std::ifstream(entry->path(), std::ios::binary).get();
    if (version == diff::kFuzzInputVersion || version == EOF) continue;
    std::error_code ignored;
    dropped += fs::remove(entry->path(), ignored);
  }
  if (dropped > 0) {
    fmt::print(stderr,
               "lanediff: {}: {} inputs of another version than {} removed\n",
               folder, dropped, diff::kFuzzInputVersion);
  }
}

}  // namespace lanediff::cli
