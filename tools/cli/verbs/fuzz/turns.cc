#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <utility>

#include "differential/ordered_parallel_for.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/fuzz_input.h"
#include "differential/testcase/record_join.h"
#include "differential/testcase/record_json.h"
#include "tools/cli/common.h"
#include "tools/cli/progress.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {

namespace {

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
          folders.In("fuzz-corpus/" + turn.record.instruction),
          folders.Own(SeedsFor(turn.record.instruction))};
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

/// What a run left in the files of fuzz/stats.h and fuzz/guidance.h beside
/// `stats`.
FuzzResult ReadResult(const std::string& stats) {
  FuzzResult result;
  std::uint64_t number = 0;
  std::string text;
  std::ifstream findings(stats + ".findings");
  while (findings >> number >> text) result.counts[text] += number;
  std::ifstream bins(stats + ".bins");
  while (std::getline(bins, text)) result.bins.insert(text);
  std::ifstream counters(stats + ".counters");
  if (counters >> number) result.counters = number;
  while (counters >> number) result.places.insert(number);
  return result;
}

/// Adds what the run that has just ended after `seconds` left.
void AddRun(double seconds, Turn& turn) {
  reports::FuzzerRecord& record = turn.record;
  make::FuzzStats stats;
  if (const auto text = ReadFile(turn.stats)) {
    if (auto read = ReadDocument<make::FuzzStats>(*text)) {
      stats = *std::move(read);
    } else {
      record.error = turn.stats + ": " + LineOf(read.error());
    }
  }
  stats.seconds = seconds;
  JoinInto<make::FuzzStats>(stats, record);
  record.build = stats.build;
  turn.result.Merge(ReadResult(turn.stats));
}

void RunTurn(const FuzzFolders& folders, Turn& turn) {
  reports::FuzzerRecord& record = turn.record;
  while (true) {
    const std::size_t before = FilesIn(turn.artifacts).size();
    const auto start = Clock::now();
    bool late = false;
    const int status = RunOnce(folders, turn, late);
    AddRun(SecondsSince(start), turn);
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
    if (FilesIn(turn.artifacts).size() == before) {
      record.error =
          fmt::format("ended with status {} and left no input; see {}", status,
                      turn.program.log);
      return;
    }
    ++record.crashes;
    if (turn.runs == kMostRuns || record.seconds + 1 > turn.seconds) return;
  }
}

/// Removes the inputs in `folder`, kept by an earlier run, that are not of this
/// version: their bytes would mean other cases now. libFuzzer names inputs by
/// their SHA-1. Prints how many there were.
void DropOtherVersions(const std::string& folder) {
  std::size_t dropped = 0;
  for (const std::string& path : FilesIn(folder + "/")) {
    std::error_code ignored;
    const std::string name = fs::path(path).filename().string();
    if (name.size() != 40 ||
        name.find_first_not_of("0123456789abcdef") != std::string::npos ||
        !fs::is_regular_file(fs::symlink_status(path, ignored))) {
      continue;
    }
    const int version = std::ifstream(path, std::ios::binary).get();
    if (version == EOF || IsFuzzInputVersion(version)) continue;
    dropped += fs::remove(path, ignored);
  }
  if (dropped > 0) {
    fmt::print(
        stderr,
        "lanediff: {}: {} inputs of another version than {} to {} removed\n",
        folder, dropped, kFuzzInputVersion2024, kFuzzInputWithAllSteps);
  }
}

}  // namespace

void FuzzResult::Merge(FuzzResult&& more) {
  for (const auto& [signature, count] : more.counts) {
    counts[signature] += count;
  }
  bins.merge(more.bins);
  counters = std::max(counters, more.counters);
  places.merge(more.places);
}

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
    turn.stats = folders.Own("logs/" + name + ".stats");
    // What is before the "@" is the instruction.
    turn.artifacts = folders.Own(
        fmt::format("artifacts/{}@{}-", turn.record.instruction, i));
    turn.program.program = fuzzers.Program(turn.record.instruction);
    turn.program.log = folders.Own("logs/" + name + ".log");
    turn.program.environment =
        ChildEnvironment({"LANEDIFF_FUZZ_FINDINGS=" + folders.Own("raw/"),
                          "LANEDIFF_FUZZ_STATS=" + turn.stats,
                          "LANEDIFF_FUZZ_TARGET=" + options.target.name,
                          "LANEDIFF_FUZZ_EDITION=" + options.edition,
                          "LANEDIFF_PLUGIN_HOST=" + SelfProgram()});
    std::error_code error;
    fs::remove(turn.program.log, error);
    const std::string own =
        folders.In("fuzz-corpus/" + turn.record.instruction);
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
                  FilesIn(setup.folders.Own("raw/"), ".json").size());
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
