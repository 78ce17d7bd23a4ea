#include "cli/fuzz/turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/common.h"
#include "cli/fuzz/folders.h"
#include "cli/fuzz/seeds.h"
#include "cli/fuzz_stats.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A program that inputs ended this often is not started again.
constexpr unsigned kMostRuns = 6;
/// Status of fuzz/record.h: it can't write what it has to leave.
constexpr int kCantWrite = 74;
/// Longer inputs than this are not tried; a call of 255 repeats needs half of
/// it.
constexpr std::string_view kMaxLength = "-max_len=262144";

std::vector<std::string> ArgumentsOf(const FuzzOptions& options,
                                     const Turn& turn) {
  const fs::path out = options.out;
  const bool json = turn.record.instruction == "case_json";
  return {fmt::format("-max_total_time={:.0f}",
                      std::max(1.0, turn.seconds - turn.record.seconds)),
          fmt::format("-seed={}", turn.record.seed + turn.runs),
          std::string(kMaxLength),
          "-len_control=0",
          "-mutate_depth=1",
          "-reload=0",
          "-timeout=60",
          "-report_slow_units=60",
          "-rss_limit_mb=4096",
          "-artifact_prefix=" + turn.artifacts,
          (out / "fuzz-corpus" / turn.record.instruction).string(),
          (out / "seeds" / (json ? "json" : "bytes")).string()};
}

/// Runs the program once, for what is left of its time; its exit status.
int RunOnce(const FuzzOptions& options, Turn& turn) {
  std::error_code error;
  for (const char* suffix : {"", ".bins", ".findings"}) {
    fs::remove(turn.stats + suffix, error);
  }
  turn.process.arguments = ArgumentsOf(options, turn);
  ++turn.runs;
  if (!Start(turn.process)) {
    turn.record.error = turn.process.program + " can't be started";
    return 0;
  }
  int status = 0;
  bool stopped = false;
  while (!HasEnded(turn.process, status)) {
    if (Interrupted() && !stopped) {
      Stop(turn.process);
      stopped = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return status;
}

/// Adds what the run that has just ended left.
void AddRun(Turn& turn) {
  reports::FuzzerRecord& record = turn.record;
  const FuzzStats stats = ReadStats(turn.stats);
  record.cases += stats.cases;
  record.legal += stats.legal;
  record.nodes += stats.nodes;
  record.operations += stats.operations;
  record.long_repeats += stats.long_repeats;
  record.build = stats.build;
  record.pace += stats.pace;
  record.findings += stats.findings;
  for (const auto& [signature, count] : ReadCounts(turn.stats + ".findings")) {
    turn.counts[signature] += count;
  }
  turn.bins.merge(ReadBins(turn.stats + ".bins"));
}

void RunTurn(const FuzzOptions& options, Turn& turn) {
  reports::FuzzerRecord& record = turn.record;
  while (true) {
    const std::size_t before = FilesBeginningWith(turn.artifacts).size();
    const auto start = Clock::now();
    const int status = RunOnce(options, turn);
    record.seconds +=
        std::chrono::duration<double>(Clock::now() - start).count();
    AddRun(turn);
    if (!record.error.empty() || status == 0 || Interrupted()) return;
    if (status == kCantWrite) {
      turn.unwritable = true;
      record.error = fmt::format("can't write to {}; see {}", options.out,
                                 turn.process.log);
      return;
    }
    if (FilesBeginningWith(turn.artifacts).size() == before) {
      record.error =
          fmt::format("ended with status {} and left no input; see {}", status,
                      turn.process.log);
      return;
    }
    ++record.crashes;
    if (turn.runs == kMostRuns || record.seconds + 1 > turn.seconds) return;
  }
}

}  // namespace

std::vector<Turn> MakeTurns(const FuzzOptions& options, const Fuzzers& fuzzers,
                            Shard shard, std::uint64_t seed, std::size_t jobs) {
  const std::size_t programs = fuzzers.instructions.size();
  const std::size_t count = std::max(jobs, programs);
  const fs::path out = options.out;
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
    turn.stats = (out / "logs" / (name + ".stats")).string();
    // What is before the "@" is the instruction.
    turn.artifacts =
        (out / "artifacts" / fmt::format("{}@{}-", turn.record.instruction, i))
            .string();
    turn.process.program = fuzzers.Program(turn.record.instruction);
    turn.process.log = (out / "logs" / (name + ".log")).string();
    turn.process.environment = {
        "LANEDIFF_FUZZ_FINDINGS=" + (out / "raw").string(),
        "LANEDIFF_FUZZ_STATS=" + turn.stats,
        "LANEDIFF_FUZZ_TARGET=" + options.target};
    std::error_code error;
    fs::remove(turn.process.log, error);
    const fs::path own = out / "fuzz-corpus" / turn.record.instruction;
    fs::create_directories(own, error);
    if (turn.record.instruction != "case_json") DropOtherVersions(own.string());
  }
  return turns;
}

void RunTurns(const FuzzOptions& options, std::vector<Turn>& turns,
              std::size_t jobs) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> idle = 0;
  std::vector<std::jthread> workers;
  for (std::size_t j = 0; j < jobs; ++j) {
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < turns.size() && !Interrupted();
           i = next++) {
        RunTurn(options, turns[i]);
      }
      ++idle;
    });
  }
  const auto start = Clock::now();
  auto told = start;
  while (idle < jobs) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (Clock::now() - told < std::chrono::seconds(10)) continue;
    told = Clock::now();
    fmt::print(
        stderr, "fuzzing: {:.0f} of {} s, {} raw findings\n",
        std::chrono::duration<double>(told - start).count(), options.seconds,
        FilesIn((fs::path(options.out) / "raw").string(), ".json").size());
  }
}

}  // namespace lanediff::cli
