#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "differential/subprocess/spawn.h"
#include "tools/bench/works.h"

// ---- Other programs ---------------------------------------------------------

namespace lanediff::bench {
namespace {

namespace fs = std::filesystem;

using Command = std::vector<std::string>;

/// Runs it to its end without its output; `RunResult`'s status.
int Run(const Command& command) {
  return diff::RunToEnd({.words = command, .log = "/dev/null"}).status;
}

/// Nothing, or that the command did not end with status 0.
std::string CheckRun(const Command& command) {
  const int status = Run(command);
  if (status == 0) return "";
  return fmt::format("{} ended with status {}", fmt::join(command, " "),
                     status);
}

Prepared OfCommand(const Command& command) {
  if (access(command.front().c_str(), X_OK) != 0) {
    return {.skipped = "no program " + command.front()};
  }
  Prepared prepared;
  prepared.work = [=] { Run(command); };
  prepared.check = [=] { return CheckRun(command); };
  return prepared;
}

// ---- lanediff check ---------------------------------------------------------

constexpr std::size_t kCases = 10'000;
constexpr std::size_t kQuickCases = 500;
constexpr std::uintmax_t kSmallBytes = 4096;

/// Case files of at most 4 KiB, in order of their names.
std::vector<fs::path> SmallCases(const std::string& corpus) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
    const fs::path& path = entry.path();
    const bool is_case = path.extension() == ".json" &&
                         path.filename() != "known_issues.json" &&
                         path.parent_path().filename() != "schema";
    if (is_case && entry.file_size() <= kSmallBytes) files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

/// A folder of `count` copies of small cases, made once; empty if it can't be.
std::string CaseFolder(const Setting& setting, std::size_t count) {
  const fs::path folder = fs::path(setting.scratch) / "cases";
  if (fs::exists(folder)) return folder;
  std::error_code error;
  const std::vector<fs::path> files = SmallCases(setting.corpus);
  if (files.empty()) return "";
  for (std::size_t i = 0; i < count; ++i) {
    const fs::path to = folder / fmt::format("{:02}", i / files.size()) /
                        fmt::format("{:04}.json", i % files.size());
    fs::create_directories(to.parent_path(), error);
    fs::copy_file(files[i % files.size()], to, error);
    if (error) return "";
  }
  return folder;
}

Prepared Check(const Setting& setting, const Command& options) {
  const std::size_t count = setting.quick ? kQuickCases : kCases;
  const std::string folder = CaseFolder(setting, count);
  if (folder.empty()) return {.skipped = "no small cases in " + setting.corpus};
  Command command = {setting.lanediff, "check", folder};
  command.insert(command.end(), options.begin(), options.end());
  Prepared prepared = OfCommand(command);
  prepared.units = static_cast<double>(count);
  return prepared;
}

// ---- Targets in processes of their own --------------------------------------

constexpr std::size_t kGenerated = 1000;  ///< cases of each instruction
constexpr std::size_t kSlugs = 11;        ///< ten instructions and programs

/// Legal cases only where the target checks none.
Prepared Generate(const Setting& setting, const std::string& target,
                  const Command& more, std::size_t count, bool one_processor) {
  if (setting.quick) count /= 10;
  Command command;
  if (one_processor) command = {"/usr/bin/taskset", "-c", "0"};
  command.insert(command.end(),
                 {setting.lanediff, "generate", "--check", "--max-cases",
                  std::to_string(count), "--target", target, "--out",
                  setting.scratch + "/generated"});
  command.insert(command.end(), more.begin(), more.end());
  Prepared prepared = OfCommand(command);
  prepared.units = static_cast<double>(count * (more.empty() ? kSlugs : 1));
  return prepared;
}

// ---- Fuzz programs ----------------------------------------------------------

constexpr int kEmptyRuns = 1'000'000;
constexpr int kRuns = 10'000;

Command FuzzCommand(const Setting& setting, const std::string& name, int runs) {
  return {
      "/usr/bin/env", "LANEDIFF_FUZZ_FINDINGS=" + setting.scratch + "/findings",
      setting.fuzzers + "/" + name, "-seed=1", fmt::format("-runs={}", runs)};
}

Prepared Fuzz(const Setting& setting, const std::string& name, int runs) {
  const std::string program = setting.fuzzers + "/" + name;
  if (access(program.c_str(), X_OK) != 0) {
    return {.skipped = "no program " + program};
  }
  runs = setting.quick ? runs / 20 : runs;
  Prepared prepared = OfCommand(FuzzCommand(setting, name, runs));
  prepared.units = runs;
  return prepared;
}

}  // namespace

Prepared CheckManyCases(const Setting& setting) { return Check(setting, {}); }

Prepared CheckTwoJobs(const Setting& setting) {
  Prepared prepared = Check(setting, {"--jobs", "2"});
  prepared.yardstick = Check(setting, {"--jobs", "1"}).work;
  return prepared;
}

Prepared PluginBesideOurs(const Setting& setting, bool one_processor) {
  const std::string library = setting.targets + "/emulator_plugin.so";
  if (access(library.c_str(), R_OK) != 0) {
    return {.skipped = "no library " + library};
  }
  Prepared prepared =
      Generate(setting, "plugin:" + library, {}, kGenerated, one_processor);
  prepared.yardstick =
      Generate(setting, "emulator", {}, kGenerated, one_processor).work;
  return prepared;
}

Prepared ProgramTarget(const Setting& setting) {
  const std::string program = setting.targets + "/emulator_program";
  if (access(program.c_str(), X_OK) != 0) {
    return {.skipped = "no program " + program};
  }
  return Generate(setting, "exec:" + program, {}, kGenerated, true);
}

Prepared PythonTarget(const Setting& setting) {
  const std::string program = setting.examples + "/model.py";
  if (access(program.c_str(), R_OK) != 0) {
    return {.skipped = "no program " + program};
  }
  return Generate(setting, "exec:python3 " + program, {"--instruction", "min"},
                  kGenerated, true);
}

Prepared StartHelp(const Setting& setting) {
  return OfCommand({setting.lanediff, "--help"});
}

Prepared StartList(const Setting& setting) {
  return OfCommand({setting.lanediff, "list", "rules"});
}

Prepared EmptyFuzzer(const Setting& setting) {
  return Fuzz(setting, "lanediff-bench-empty", kEmptyRuns);
}

Prepared FuzzProgram(const Setting& setting, const char* instruction) {
  return Fuzz(setting, fmt::format("lanediff-fuzz-{}", instruction), kRuns);
}

}  // namespace lanediff::bench
