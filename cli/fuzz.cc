// Runs the fuzz programs side by side: each gets its share of the time, starts
// from the corpus, and is started again after a finding until its time is up.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <expected>
#include <filesystem>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "cli/common.h"
#include "cli/fuzz_stats.h"
#include "cli/process.h"
#include "cli/shard.h"
#include "diff/case_reader.h"
#include "diff/case_writer.h"
#include "diff/check.h"
#include "diff/fuzz_input.h"
#include "reports/printers.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kPrefix = "lanediff-fuzz-";
/// A program that has found this much is not started again: it would find the
/// same bug for the rest of its time.
constexpr unsigned kFindingsPerRun = 5;
/// Longer inputs than this are not tried; a call of 255 repeats needs half of
/// it.
constexpr std::string_view kMaxLength = "-max_len=262144";

/// One program's turn.
struct Turn {
  reports::FuzzerRecord record;
  Process process;
  std::string stats;   ///< file
  double seconds = 0;  ///< that it may take
  unsigned runs = 0;
};

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

struct Fuzzers {
  std::string folder;
  std::vector<std::string> instructions;
};

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

/// Every case of the corpus as fuzzer bytes; case files themselves for the
/// fuzzer that reads them.
std::expected<void, std::string> MakeSeeds(const FuzzOptions& options,
                                           const fs::path& seeds) {
  std::error_code error;
  fs::remove_all(seeds, error);
  fs::create_directories(seeds / "bytes", error);
  fs::create_directories(seeds / "json", error);
  if (error) {
    return std::unexpected(
        fmt::format("{}: can't be made: {}", seeds.string(), error.message()));
  }
  if (!fs::exists(options.corpus, error)) {
    return std::unexpected("--corpus: no folder " + options.corpus);
  }
  std::size_t number = 0;
  for (const CasePath& path : FindCases({options.corpus})) {
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

/// The cases in the folder of findings.
std::set<std::string> FindingsIn(const fs::path& out) {
  std::set<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(out / "findings", error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".json") {
      paths.insert(entry->path().string());
    }
  }
  return paths;
}

/// The turns of all programs.
std::vector<Turn> MakeTurns(const FuzzOptions& options, const Fuzzers& fuzzers,
                            Shard shard, std::uint64_t seed, std::size_t jobs) {
  const std::size_t programs = fuzzers.instructions.size();
  const std::size_t count = std::max(jobs, programs);
  std::vector<Turn> turns(count);
  for (std::size_t i = 0; i < count; ++i) {
    Turn& turn = turns[i];
    turn.record.instruction = fuzzers.instructions[i % programs];
    // libFuzzer's seeds have 32 bits and 0 means none. A turn may be started
    // again, so turns are some seeds apart, and shards between them.
    turn.record.seed =
        1 +
        (seed + (i * shard.count + shard.index) * kFindingsPerRun) % 0xfffffff0;
    turn.seconds = static_cast<double>(options.seconds) *
                   static_cast<double>(jobs) / static_cast<double>(count);
    const fs::path logs = fs::path(options.out) / "logs";
    const std::string name = fmt::format("{}-{}", turn.record.instruction, i);
    turn.stats = (logs / (name + ".stats")).string();
    turn.process.program =
        fuzzers.folder + "/" + std::string(kPrefix) + turn.record.instruction;
    turn.process.log = (logs / (name + ".log")).string();
    turn.process.environment = {
        "LANEDIFF_FUZZ_FINDINGS=" +
            (fs::path(options.out) / "findings").string(),
        "LANEDIFF_FUZZ_STATS=" + turn.stats,
        "LANEDIFF_FUZZ_TARGET=" + options.target};
    std::error_code error;
    fs::remove(turn.process.log, error);
  }
  return turns;
}

/// Runs the program once, for what is left of its time; its exit status.
int RunOnce(const FuzzOptions& options, Turn& turn) {
  const fs::path out = options.out;
  const fs::path own = out / "fuzz-corpus" / turn.record.instruction;
  const bool json = turn.record.instruction == "case_json";
  std::error_code error;
  fs::create_directories(own, error);
  fs::remove(turn.stats, error);
  turn.process.arguments = {
      fmt::format("-max_total_time={:.0f}",
                  std::max(1.0, turn.seconds - turn.record.seconds)),
      fmt::format("-seed={}", turn.record.seed + turn.runs++),
      std::string(kMaxLength),
      "-len_control=0",
      "-mutate_depth=1",
      "-reload=0",
      "-timeout=60",
      "-rss_limit_mb=4096",
      "-artifact_prefix=" + (out / "artifacts" / "").string(),
      own.string(),
      (out / "seeds" / (json ? "json" : "bytes")).string()};
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

/// Runs the program until its time is up, again after each finding.
void RunTurn(const FuzzOptions& options, Turn& turn) {
  reports::FuzzerRecord& record = turn.record;
  while (true) {
    const auto start = Clock::now();
    const int status = RunOnce(options, turn);
    record.seconds +=
        std::chrono::duration<double>(Clock::now() - start).count();
    const FuzzStats stats = ReadStats(turn.stats);
    record.cases += stats.cases;
    record.legal += stats.legal;
    record.nodes += stats.nodes;
    record.operations += stats.operations;
    record.long_repeats += stats.long_repeats;
    record.oracle_seconds += stats.oracle_seconds;
    record.findings += stats.findings;
    if (!record.error.empty() || status == 0 || Interrupted()) return;
    if (stats.findings == 0) {
      record.error = fmt::format(
          "ended with status {} but no finding; see {} and the inputs in {}",
          status, turn.process.log,
          (fs::path(options.out) / "artifacts").string());
      return;
    }
    if (turn.runs == kFindingsPerRun || record.seconds + 1 > turn.seconds)
      return;
  }
}

/// Lets `jobs` threads take turns until all are done.
void RunTurns(const FuzzOptions& options, std::vector<Turn>& turns,
              std::size_t jobs) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> idle = 0;
  {
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
      fmt::print(stderr, "fuzzing: {:.0f} of {} s, {} findings saved\n",
                 std::chrono::duration<double>(told - start).count(),
                 options.seconds, FindingsIn(options.out).size());
    }
  }
}

/// Replays what was found, so that it stands in the summary like any case.
void AddFindings(const FuzzOptions& options,
                 const std::set<std::string>& before,
                 const diff::Target& target, reports::RunRecord& run) {
  const diff::Target& oracle = **diff::FindTarget("oracle");
  for (const std::string& path : FindingsIn(options.out)) {
    if (before.contains(path)) continue;
    reports::CaseRecord record;
    record.path = path;
    record.reproduce = "lanediff check " + ShellWord(path);
    if (options.target != "emulator") {
      record.reproduce += " --target " + ShellWord(options.target);
    }
    record.verdict = reports::Verdict::kMalformed;
    if (const auto c = diff::ReadCaseFile(path)) {
      diff::Comparison result = diff::CheckCase(*c, target, oracle);
      record.id = c->id;
      record.findings = std::move(result.findings);
      record.steps = result.steps;
      record.verdict = record.findings.empty() ? reports::Verdict::kAgree
                                               : reports::Verdict::kDisagree;
      if (record.findings.empty()) {
        record.error = "found by a fuzz program, but agrees when replayed";
      }
    } else {
      record.error = c.error();
    }
    fmt::print("{}", reports::CaseText(record));
    run.Add(std::move(record));
  }
}

std::expected<void, std::string> MakeFolders(const fs::path& out) {
  for (const char* name : {"findings", "logs", "artifacts", "fuzz-corpus"}) {
    std::error_code error;
    fs::create_directories(out / name, error);
    if (error) {
      return std::unexpected(fmt::format("--out: {}: can't be made: {}",
                                         (out / name).string(),
                                         error.message()));
    }
  }
  return {};
}

}  // namespace

int RunFuzz(const FuzzOptions& options) {
  const auto target = diff::FindTarget(options.target);
  if (!target) return FailUsage("--target: " + target.error());
  const auto fuzzers = FindFuzzers(options);
  if (!fuzzers) return FailUsage(fuzzers.error());
  const auto shard = FindShard(options.shard);
  if (!shard) {
    return FailUsage(kShardUsage);
  }
  if (const auto made = MakeFolders(options.out); !made) {
    return FailUsage(made.error());
  }
  const fs::path seeds = fs::path(options.out) / "seeds";
  if (const auto made = MakeSeeds(options, seeds); !made) {
    return FailUsage(made.error());
  }
  const std::uint64_t seed =
      options.seed != 0 ? options.seed : std::random_device{}();
  const std::size_t jobs =
      options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                       : std::max(1u, std::thread::hardware_concurrency());
  fmt::print(stderr, "fuzzing {} with {} for {} s, {} at once, seed {}\n",
             options.target, fmt::join(fuzzers->instructions, ", "),
             options.seconds, jobs, seed);

  WatchInterrupt();
  reports::RunRecord run;
  run.verb = "fuzz";
  run.target = options.target;
  run.reference = "oracle";
  const std::set<std::string> before = FindingsIn(options.out);
  std::vector<Turn> turns = MakeTurns(options, *fuzzers, *shard, seed, jobs);
  RunTurns(options, turns, jobs);

  std::uint64_t cases = 0;
  std::uint64_t findings = 0;
  bool failed = false;
  for (Turn& turn : turns) {
    cases += turn.record.cases;
    findings += turn.record.findings;
    failed |= !turn.record.error.empty();
    fmt::print("{}", reports::FuzzerText(turn.record));
    run.fuzzers.push_back(std::move(turn.record));
  }
  AddFindings(options, before, **target, run);
  if (Interrupted()) {
    fmt::print(stderr, "lanediff: interrupted; {} findings are kept in {}\n",
               run.cases.size(), (fs::path(options.out) / "findings").string());
  }
  fmt::print("fuzz: {} cases, {} findings, {} new files in {}\n", cases,
             findings, run.cases.size(),
             (fs::path(options.out) / "findings").string());
  const bool written = WriteReports(run, options.files);
  if (findings > 0) return kDisagreement;
  if (failed) return kTargetFailed;
  if (!written) return kUsage;
  return cases > 0 ? kAgree : FailUsage("nothing was compared");
}

}  // namespace lanediff::cli
