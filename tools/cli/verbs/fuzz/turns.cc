#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <expected>
#include <filesystem>
#include <fstream>
#include <utility>

#include "differential/ordered_parallel_for.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_join.h"
#include "differential/testcase/record_json.h"
#include "tools/cli/common.h"
#include "tools/cli/progress.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {

std::map<std::string, std::uint64_t> ReadCounts(const std::string& path) {
  std::map<std::string, std::uint64_t> counts;
  std::ifstream file(path);
  std::uint64_t count = 0;
  std::string signature;
  while (file >> count >> signature) counts[signature] += count;
  return counts;
}

std::optional<OwnCoverage> ReadOwnCoverage(const std::string& path) {
  OwnCoverage own;
  std::ifstream file(path);
  if (!(file >> own.counters)) return std::nullopt;
  for (std::uint64_t place = 0; file >> place;) own.reached.insert(place);
  return own;
}

void Merge(std::optional<OwnCoverage> more, std::optional<OwnCoverage>& all) {
  if (!more) return;
  if (!all) all.emplace();
  all->counters = std::max(all->counters, more->counters);
  all->reached.merge(more->reached);
}

std::set<std::string> ReadBins(const std::string& path) {
  std::set<std::string> bins;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) bins.insert(line);
  return bins;
}

namespace {

/// The counts in the file written by fuzz/stats.h; zeros where there is none.
std::expected<make::FuzzStats, std::string> ReadStats(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return make::FuzzStats();
  auto stats = ReadDocument<make::FuzzStats>(*text);
  if (stats) return *std::move(stats);
  return std::unexpected(path + ": " + LineOf(stats.error()));
}

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A program that inputs ended this often is not started again.
constexpr unsigned kMostRuns = 6;
/// Status of fuzz/stats.h: it can't write what it has to leave.
constexpr int kCantWrite = 74;
/// A program may end this much later than it should, to finish its input, and
/// longer after a signal, to write its records.
constexpr double kGraceSeconds = 2;
constexpr double kSecondsToEnd = 20;
/// Longer inputs than this are not tried; a call of 255 repeats needs half of
/// it.
constexpr std::string_view kMaxLength = "-max_len=262144";

double SecondsLeft(const Turn& turn) {
  return std::max(1.0, turn.seconds - turn.record.seconds);
}

std::vector<std::string> WordsOf(const FuzzFolders& folders, const Turn& turn) {
  return {turn.program.program,
          fmt::format("-max_total_time={:.0f}", SecondsLeft(turn)),
          fmt::format("-seed={}", turn.record.seed + turn.runs),
          std::string(kMaxLength),
          "-len_control=0",
          "-mutate_depth=1",
          "-reload=0",
          "-timeout=60",
          "-report_slow_units=60",
          "-rss_limit_mb=4096",
          "-artifact_prefix=" + turn.artifacts,
          folders.Corpus(turn.record.instruction),
          SeedsFor(turn.record.instruction, folders)};
}

/// Waits for the end of a program, which gets a signal when the user interrupts
/// or `seconds` are over, and is killed if it goes on; its status.
int WaitForEnd(diff::Process& process, double seconds, bool& late) {
  auto status =
      process.Wait(seconds + kGraceSeconds, [] { return !Interrupted(); });
  if (!status) {
    late = !Interrupted();
    process.Send(SIGINT);
    status = process.Wait(kSecondsToEnd);
  }
  return diff::ExitStatus(status ? *status : process.Kill());
}

/// Runs the program once, for what is left of its time; its exit status.
int RunOnce(const FuzzFolders& folders, Turn& turn, bool& late) {
  std::error_code error;
  for (const char* suffix : {"", ".bins", ".counters", ".findings"}) {
    fs::remove(turn.stats + suffix, error);
  }
  turn.program.words = WordsOf(folders, turn);
  ++turn.runs;
  auto process = diff::Process::Start(turn.program);
  if (process) return WaitForEnd(*process, SecondsLeft(turn), late);
  turn.record.error = turn.program.program + " can't be started";
  return 0;
}

/// Adds what the run that has just ended after `seconds` left.
void AddRun(double seconds, Turn& turn) {
  reports::FuzzerRecord& record = turn.record;
  const auto read = ReadStats(turn.stats);
  if (!read) record.error = read.error();
  make::FuzzStats stats = read.value_or(make::FuzzStats());
  stats.seconds = seconds;
  JoinInto<make::FuzzStats>(stats, record);
  record.build = stats.build;
  for (const auto& [signature, count] : ReadCounts(turn.stats + ".findings")) {
    turn.counts[signature] += count;
  }
  turn.bins.merge(ReadBins(turn.stats + ".bins"));
  Merge(ReadOwnCoverage(turn.stats + ".counters"), turn.own);
}

void RunTurn(const FuzzFolders& folders, Turn& turn) {
  reports::FuzzerRecord& record = turn.record;
  while (true) {
    const std::size_t before = FilesBeginningWith(turn.artifacts).size();
    const auto start = Clock::now();
    bool late = false;
    const int status = RunOnce(folders, turn, late);
    AddRun(std::chrono::duration<double>(Clock::now() - start).count(), turn);
    if (late) {
      fmt::print(stderr,
                 "lanediff: {} was stopped after {:.0f} s, {:.0f} s were its "
                 "share; it had run {} cases\n",
                 fs::path(turn.program.program).filename().string(),
                 record.seconds, turn.seconds, record.cases);
    }
    if (!record.error.empty() || status == 0 || late || Interrupted()) return;
    if (status == kCantWrite) {
      turn.unwritable = true;
      record.error = fmt::format("can't write to {}; see {}", folders.out(),
                                 turn.program.log);
      return;
    }
    if (FilesBeginningWith(turn.artifacts).size() == before) {
      record.error =
          fmt::format("ended with status {} and left no input; see {}", status,
                      turn.program.log);
      return;
    }
    ++record.crashes;
    if (turn.runs == kMostRuns || record.seconds + 1 > turn.seconds) return;
  }
}

}  // namespace

std::vector<Turn> MakeTurns(const FuzzSetup& setup, Shard shard,
                            std::uint64_t seed, std::size_t jobs) {
  const auto& [options, fuzzers, folders] = setup;
  const std::size_t programs = fuzzers.instructions.size();
  const std::size_t count = std::max(jobs, programs);
  std::vector<Turn> turns(count);
  for (std::size_t i = 0; i < count; ++i) {
    Turn& turn = turns[i];
    turn.record.instruction = fuzzers.instructions[i % programs];
    // libFuzzer's seeds have 32 bits and 0 means none. A turn may be started
    // again, so turns are some seeds apart, and shards between them.
    turn.record.seed =
        1 + (seed + (i * shard.count + shard.index) * kMostRuns) % 0xfffffff0;
    turn.seconds = static_cast<double>(options.seconds) *
                   static_cast<double>(jobs) / static_cast<double>(count);
    const std::string name = fmt::format("{}-{}", turn.record.instruction, i);
    turn.stats = folders.Logs(name + ".stats");
    // What is before the "@" is the instruction.
    turn.artifacts =
        folders.Artifacts(fmt::format("{}@{}-", turn.record.instruction, i));
    turn.program.program = fuzzers.Program(turn.record.instruction);
    turn.program.log = folders.Logs(name + ".log");
    turn.program.environment =
        ChildEnvironment({"LANEDIFF_FUZZ_FINDINGS=" + folders.Raw(),
                          "LANEDIFF_FUZZ_STATS=" + turn.stats,
                          "LANEDIFF_FUZZ_TARGET=" + options.target.name,
                          "LANEDIFF_FUZZ_EDITION=" + options.edition,
                          "LANEDIFF_PLUGIN_HOST=" + SelfProgram(options)});
    std::error_code error;
    fs::remove(turn.program.log, error);
    const std::string own = folders.Corpus(turn.record.instruction);
    fs::create_directories(own, error);
    if (turn.record.instruction != "case_json") DropOtherVersions(own);
  }
  return turns;
}

void RunTurns(const FuzzSetup& setup, std::vector<Turn>& turns,
              std::size_t jobs) {
  const auto start = Clock::now();
  Progress progress(static_cast<std::uint64_t>(setup.options.seconds),
                    "seconds of fuzzing");
  std::int64_t shown = 0;
  const auto watch = [&] {
    const auto passed = std::min<std::int64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start)
            .count(),
        setup.options.seconds);
    if (passed == std::exchange(shown, passed)) return;
    progress.Step(static_cast<std::uint64_t>(passed),
                  FilesIn(setup.folders.Raw(), ".json").size());
  };
  diff::ParallelFor(
      turns.size(), {.jobs = jobs, .stop = Interrupted, .watch = watch},
      [&](std::size_t i, std::size_t) {
        // What a turn throws ends that turn only.
        const auto thrown = Thrown([&] { RunTurn(setup.folders, turns[i]); });
        if (!thrown) return;
        turns[i].record.error = "lanediff itself failed: " + *thrown;
      });
}

}  // namespace lanediff::cli
