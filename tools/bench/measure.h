#pragma once

#include <cstdint>
#include <string>

#include "tools/bench/row.h"

/// Times rows with Google Benchmark.
namespace lanediff::bench {

/// Seconds of one run on one side of a row.
struct Timing {
  double best = 0;
  double median = 0;
};

/// What became of a row.
struct Result {
  enum class Status : std::uint8_t {
    kMet,
    kMissed,
    kShown,    ///< measured, nothing is required
    kSkipped,  ///< `why` names what is missing
    kWrong,    ///< `why` names the wrong result; nothing was timed
  };

  const Row* row = nullptr;
  Status status = Status::kShown;
  Timing work;
  Timing yardstick;   ///< zero where there is none
  double figure = 0;  ///< of the best times; what is held against `required`
  double median_figure = 0;  ///< the same of the median times
  std::string why;
};

/// How long rows are timed.
struct Effort {
  int repetitions = 9;        ///< of each side
  double min_seconds = 0.02;  ///< of each repetition
  int program_runs = 3;       ///< of other programs, on each side
};

/// Prepares `row`, checks its results once and times both sides in turn, in an
/// order that chance mixes again: what else the machine does hits both.
Result Measure(const Row& row, const Setting& setting, const Effort& effort);

/// Before the first `Measure`.
void InitializeMeasuring();

}  // namespace lanediff::bench
