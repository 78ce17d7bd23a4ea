// The program lanediff-bench; script/bench builds and runs it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <system_error>
#include <vector>

#include "emulator/emulator.h"
#include "tools/bench/report.h"
#include "tools/bench/row.h"
#include "tools/cli/work_folder.h"

namespace lanediff::bench {
namespace {

constexpr const char* kFooter =
    R"(Every row's results are checked before it is timed.
Exit status: 0, also when figures are missed; 1 if a result is wrong; 2 for wrong
usage.

JSON, format lanediff-bench/1:
  machine  processor, cores, caches, avx2 (whether AVX2 and F16C are there), compiler,
           emulator (whose kernels, as --emulator), version (of --lanediff)
  rows     in the order of the table, each with
    name, what, yardstick   as in the table
    figure   "ratio" (the yardstick's time by the work's), "rate" (units a second),
             "seconds" (of the work), "beside" (seconds less the yardstick's)
    unit     of a rate
    asked    least ratio or rate, most seconds; null if nothing is required
    status   "met", "missed", "shown" (nothing required), "skipped", "WRONG"
    why      of the last two, which have nothing else
    value    the figure from the best times of both sides; medianValue from medians
    work, yardstickTime   best and median seconds of one run)";

struct Options {
  Setting setting;
  std::string emulator = std::string(emulator::NameOf(emulator::BestTarget()));
  std::string json;
  std::string markdown;
  std::string filter;
  bool list = false;
};

int Usage(const std::string& problem) {
  fmt::print(stderr, "lanediff-bench: {}\n", problem);
  return 2;
}

/// The seams called `name`; nothing if no such ones run here.
std::optional<emulator::Seams> SeamsCalled(const std::string& name) {
  if (name == "plain") return emulator::Seams{};
  for (const emulator::VectorTarget target : emulator::RunnableTargets()) {
    if (name == emulator::NameOf(target)) return emulator::SeamsOf(target);
  }
  return std::nullopt;
}

std::string EmulatorNames() {
  std::string names = "plain";
  for (const emulator::VectorTarget target : emulator::RunnableTargets()) {
    names += fmt::format(", {}", emulator::NameOf(target));
  }
  return names;
}

std::vector<Result> MeasureAll(const Rows& rows, const Setting& setting) {
  const Effort effort =
      setting.quick
          ? Effort{.repetitions = 3, .min_seconds = 1e-3, .program_runs = 1}
          : Effort{};
  std::vector<Result> results;
  for (const Row& row : rows) {
    results.push_back(Measure(row, setting, effort));
    fmt::print("{}", RowText(results.back()));
    std::fflush(stdout);
  }
  return results;
}

int Run(Options& options) {
  Rows rows;
  for (const auto add : {AddEmulatorRows, AddLegalityRows, AddOracleRows,
                         AddHarnessRows, AddProgramRows}) {
    add(rows);
  }
  try {
    const std::regex pattern(options.filter);
    std::erase_if(rows, [&](const Row& row) {
      return !std::regex_search(row.name, pattern);
    });
  } catch (const std::regex_error&) {
    return Usage("--filter: " + options.filter + " is no regular expression");
  }
  if (rows.empty()) return Usage("--filter: no row matches " + options.filter);
  if (options.list) {
    for (const Row& row : rows) fmt::print("{}\n", row.name);
    return 0;
  }
  const auto seams = SeamsCalled(options.emulator);
  if (!seams) {
    return Usage(fmt::format("--emulator: expected one of {}, found {}",
                             EmulatorNames(), options.emulator));
  }
  options.setting.seams = *seams;
  // Opened before anything is measured, for what can't be written.
  std::map<std::string, std::ofstream> files;
  for (const std::string& file : {options.json, options.markdown}) {
    if (!file.empty()) files[file].open(file);
  }
  for (const auto& [name, file] : files) {
    if (!file) return Usage("can't write " + name);
  }
  const cli::ScratchFolder scratch;
  if (!scratch.made()) return Usage("no temporary folder to write to");
  options.setting.scratch = scratch.path();

  const Machine machine =
      ThisMachine(options.emulator, options.setting.lanediff);
  fmt::print("{}\n{}", MachineText(machine), HeadingText());
  InitializeMeasuring();
  const std::vector<Result> results = MeasureAll(rows, options.setting);
  fmt::print("{}", SummaryText(results));
  for (auto& [name, file] : files) {
    file << (name == options.json ? ToJson(machine, results)
                                  : Markdown(machine, results));
    if (!file.flush()) return Usage("can't write " + name);
  }
  return std::ranges::count(results, Result::Status::kWrong, &Result::status) >
                 0
             ? 1
             : 0;
}

}  // namespace

}  // namespace lanediff::bench

int main(int argc, char** argv) {
  lanediff::bench::Options options;
  lanediff::bench::Setting& setting = options.setting;
  CLI::App app("measures emulator, oracle and harness beside yardsticks");
  app.footer(lanediff::bench::kFooter);
  app.add_option("--json", options.json, "leave the table as JSON");
  app.add_option("--markdown", options.markdown,
                 "leave the table as Markdown, for docs/performance.md");
  app.add_option("--filter", options.filter,
                 "only rows whose names match this regular expression");
  app.add_option("--emulator", options.emulator,
                 "the emulator's kernels: " + lanediff::bench::EmulatorNames())
      ->capture_default_str();
  app.add_flag("--quick", setting.quick,
               "a rough look: fewer and shorter repetitions, fewer cases");
  app.add_flag("--list", options.list, "print the rows' names and stop");
  app.add_option("--lanediff", setting.lanediff, "the program lanediff");
  app.add_option("--corpus", setting.corpus, "folder of cases");
  app.add_option("--fuzzers", setting.fuzzers, "folder of fuzz programs");
  app.add_option("--targets", setting.targets,
                 "folder of our emulator as a plugin and as a program");
  app.add_option("--examples", setting.examples, "folder of example targets");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return lanediff::bench::Run(options);
}
