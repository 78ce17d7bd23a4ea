#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "differential/subprocess/spawn.h"
#include "isa/step.h"
#include "tools/bench/row.h"

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

/// With two jobs beside one.
Prepared CheckTwoJobs(const Setting& setting) {
  Prepared prepared = Check(setting, {"--jobs", "2"});
  prepared.yardstick = Check(setting, {"--jobs", "1"}).work;
  return prepared;
}

// ---- Targets in processes of their own --------------------------------------

constexpr std::size_t kGenerated = 1000;  ///< cases of each instruction

/// `generate --check` of the target in `file`, whose name begins with `kind`;
/// legal cases only where the target checks none. A unit is a case.
Prepared Generate(const Setting& setting, const std::string& kind,
                  const std::string& file, bool one_processor,
                  const Command& more = {}) {
  if (!file.empty() && access(file.c_str(), R_OK) != 0) {
    return {.skipped = "no " + file};
  }
  const std::size_t count = setting.quick ? kGenerated / 10 : kGenerated;
  Command command;
  if (one_processor) command = {"/usr/bin/taskset", "-c", "0"};
  command.insert(command.end(),
                 {setting.lanediff, "generate", "--check", "--max-cases",
                  std::to_string(count), "--target", kind + file, "--out",
                  setting.scratch + "/generated"});
  command.insert(command.end(), more.begin(), more.end());
  Prepared prepared = OfCommand(command);
  // Of each instruction, and programs of all.
  const std::size_t slugs = isa::CallKinds().size() + 1;
  prepared.units = static_cast<double>(count * (more.empty() ? slugs : 1));
  return prepared;
}

/// Our emulator as a plugin beside the same in lanediff itself.
Prepared Plugin(const Setting& setting, bool one_processor) {
  Prepared prepared =
      Generate(setting, "plugin:", setting.targets + "/emulator_plugin.so",
               one_processor);
  prepared.yardstick = Generate(setting, "emulator", "", one_processor).work;
  return prepared;
}

/// A fuzz program that starts without inputs; a unit is an execution.
Prepared Fuzz(const Setting& setting, const std::string& name, int runs) {
  const std::string program = setting.fuzzers + "/" + name;
  if (access(program.c_str(), X_OK) != 0) {
    return {.skipped = "no program " + program};
  }
  runs = setting.quick ? runs / 20 : runs;
  Prepared prepared =
      OfCommand({"/usr/bin/env",
                 "LANEDIFF_FUZZ_FINDINGS=" + setting.scratch + "/findings",
                 program, "-seed=1", fmt::format("-runs={}", runs)});
  prepared.units = runs;
  return prepared;
}

}  // namespace

void AddProgramRows(Rows& rows) {
  const auto add = [&](std::string name, std::string what,
                       std::string yardstick, Requirement required,
                       std::function<Prepared(const Setting&)> prepare) {
    const bool rate = required.figure == Requirement::Figure::kRate;
    rows.push_back({std::move(name), std::move(what), std::move(yardstick),
                    required, std::move(prepare), rate ? "cases" : "",
                    Clock::kWall});
  };
  add("cli.check", "lanediff check, 10,000 small corpus cases", "",
      RateAtLeast(5000), [](const Setting& s) { return Check(s, {}); });
  add("cli.jobs", "the same with --jobs 2", "--jobs 1", RatioAtLeast(1.8),
      CheckTwoJobs);
  AddKernelRows(rows);
  add("target.plugin.one",
      "generate --check of our emulator as a plugin, one processor",
      "in lanediff itself", RatioAtLeast(0.6),
      [](const Setting& s) { return Plugin(s, true); });
  add("target.plugin.all", "the same, all processors", "in lanediff itself",
      RatioAtLeast(0.5), [](const Setting& s) { return Plugin(s, false); });
  add("target.exec.program",
      "generate --check of our emulator as a program, window 16, sparse, one "
      "processor",
      "", RateAtLeast(4000), [](const Setting& s) {
        return Generate(s, "exec:", s.targets + "/emulator_program", true);
      });
  add("target.exec.python",
      "generate --check of the example in Python, one processor", "",
      RateAtLeast(1000), [](const Setting& s) {
        return Generate(s, "exec:python3 ", s.examples + "/model.py", true,
                        {"--instruction", "min"});
      });
  add("cli.start.help", "lanediff --help, start to end", "",
      SecondsAtMost(20e-3),
      [](const Setting& s) { return OfCommand({s.lanediff, "--help"}); });
  add("cli.start.list", "lanediff list rules, start to end", "",
      SecondsAtMost(20e-3), [](const Setting& s) {
        return OfCommand({s.lanediff, "list", "rules"});
      });
  add("fuzz.empty", "libFuzzer, empty target, sanitizers on", "",
      RateAtLeast(0), [](const Setting& s) {
        return Fuzz(s, "lanediff-bench-empty", 1'000'000);
      });
  for (const char* const name : {"repeat_reduce_sum", "min", "data_copy",
                                 "trowprod", "vec_trans", "program"}) {
    const std::string program = fmt::format("lanediff-fuzz-{}", name);
    add(fmt::format("fuzz.{}", name), program + " from nothing", "",
        RateAtLeast(0),
        [=](const Setting& s) { return Fuzz(s, program, 10'000); });
  }
}

}  // namespace lanediff::bench
