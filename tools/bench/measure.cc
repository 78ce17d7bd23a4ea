#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "differential/subprocess/spawn.h"
#include "tools/bench/report.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

constexpr const char* kWork = "work";
constexpr const char* kYardstick = "yardstick";

/// Collects the seconds of every repetition of both sides.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(Clock clock) : clock_(clock) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double seconds = clock_ == Clock::kWall ? run.real_accumulated_time
                                                    : run.cpu_accumulated_time;
      auto& side = run.run_name.function_name == kWork ? work_ : yardstick_;
      side.push_back(seconds / static_cast<double>(run.iterations));
    }
  }

  Timing work() { return Summary(work_); }
  Timing yardstick() { return Summary(yardstick_); }

 private:
  static Timing Summary(std::vector<double>& seconds) {
    if (seconds.empty()) return {};
    std::ranges::sort(seconds);
    return {.best = seconds.front(), .median = seconds[seconds.size() / 2]};
  }

  Clock clock_;
  std::vector<double> work_;
  std::vector<double> yardstick_;
};

void Register(const char* name, const std::function<void()>& run, Clock clock,
              const Effort& effort) {
  auto* const side =
      benchmark::RegisterBenchmark(name, [&run](benchmark::State& state) {
        for (auto _ : state) {
          run();
          benchmark::ClobberMemory();
        }
      });
  if (clock == Clock::kWall) {
    side->UseRealTime()->Iterations(1)->Repetitions(effort.program_runs);
  } else {
    side->MinTime(effort.min_seconds)->Repetitions(effort.repetitions);
  }
}

double Figure(const Row& row, double work, double yardstick, double units) {
  switch (row.required.figure) {
    case Requirement::Figure::kRatio:
      return yardstick / work;
    case Requirement::Figure::kRate:
      return units / work;
    case Requirement::Figure::kSeconds:
      return work;
    case Requirement::Figure::kBeside:
      return work - yardstick;
  }
  std::unreachable();
}

void Time(const Prepared& prepared, const Effort& effort, Result& result) {
  const Row& row = *result.row;
  Register(kWork, prepared.work, row.clock, effort);
  if (prepared.yardstick) {
    Register(kYardstick, prepared.yardstick, row.clock, effort);
  }
  Collector collector(row.clock);
  benchmark::RunSpecifiedBenchmarks(&collector, "all");
  benchmark::ClearRegisteredBenchmarks();
  result.work = collector.work();
  result.yardstick = collector.yardstick();
}

}  // namespace

void InitializeMeasuring() {
  std::string program = "lanediff-bench";
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  std::array<char*, 3> arguments = {program.data(), interleave.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments.data());
}

Result Measure(const Row& row, const Setting& setting, const Effort& effort) {
  Result result;
  result.row = &row;
  const Prepared prepared = row.prepare(setting);
  if (!prepared.skipped.empty()) {
    result.status = Result::Status::kSkipped;
    result.why = prepared.skipped;
    return result;
  }
  result.why = prepared.check();
  if (!result.why.empty()) {
    result.status = Result::Status::kWrong;
    return result;
  }
  Time(prepared, effort, result);
  result.figure =
      Figure(row, result.work.best, result.yardstick.best, prepared.units);
  result.median_figure =
      Figure(row, result.work.median, result.yardstick.median, prepared.units);
  const double beyond = result.figure - row.required.value;
  const bool met = row.required.at_least() ? beyond >= 0 : beyond <= 0;
  result.status = row.required.value == 0 ? Result::Status::kShown
                  : met                   ? Result::Status::kMet
                                          : Result::Status::kMissed;
  return result;
}

namespace {

std::string Processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown processor";
}

std::string Compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

/// The word behind "lanediff" that `program` --version prints: version and
/// commit.
std::string Version(const std::string& program) {
  if (program.empty()) return "";
  constexpr std::string_view kName = "lanediff ";
  const auto [status, output] =
      diff::RunToEnd({.words = {program, "--version"}});
  if (status != 0 || !output.starts_with(kName)) return "";
  const std::size_t end = output.find_first_of(" \n", kName.size());
  return output.substr(kName.size(), end - kName.size());
}

}  // namespace

Machine ThisMachine(std::string emulator, const std::string& lanediff) {
  Machine machine;
  machine.processor = Processor();
  machine.cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const auto& cache : benchmark::CPUInfo::Get().caches) {
    machine.caches.push_back(fmt::format("L{} {} {} KiB", cache.level,
                                         cache.type, cache.size / 1024));
  }
  machine.compiler = Compiler();
  machine.avx2 = HasAvx2();
  machine.emulator = std::move(emulator);
  machine.version = Version(lanediff);
  return machine;
}

}  // namespace lanediff::bench
