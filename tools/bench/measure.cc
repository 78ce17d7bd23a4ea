#include "tools/bench/measure.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

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
  result.status = row.required.value == 0           ? Result::Status::kShown
                  : row.required.Met(result.figure) ? Result::Status::kMet
                                                    : Result::Status::kMissed;
  return result;
}

}  // namespace lanediff::bench
