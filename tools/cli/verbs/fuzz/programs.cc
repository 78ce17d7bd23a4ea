#include "tools/cli/verbs/fuzz/programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

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

}  // namespace

std::string SelfProgram(const FuzzOptions& options) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? options.program : self.string();
}

std::string Fuzzers::Program(const std::string& instruction) const {
  return folder + "/" + std::string(kPrefix) + instruction;
}

std::expected<Fuzzers, std::string> FindFuzzers(const FuzzOptions& options) {
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
    return std::unexpected(fmt::format(
        "--instruction: no fuzz program for \"{}\" in {}; {} are there",
        options.instruction, folder.lexically_normal().string(),
        fmt::join(names, ", ")));
  }
  return std::unexpected(fmt::format(
      "no fuzz programs in {}; build them with \"cmake --preset fuzz && cmake "
      "--build --preset fuzz\", or name their folder with --fuzzers",
      looked));
}

}  // namespace lanediff::cli
