#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/bench/row.h"

/// Times rows with Google Benchmark.
/// Results as a table and as JSON.
namespace lanediff::bench {

/// What the figures were measured on.
struct Machine {
  std::string processor;            ///< as it names itself
  int cores = 0;                    ///< that this system has
  std::vector<std::string> caches;  ///< "L1 Data 32 KiB", …
  std::string compiler;             ///< name and version
  bool avx2 = false;                ///< AVX2 and F16C: the yardsticks' needs
  std::string emulator;             ///< whose kernels: "plain" or a target
  std::string version;              ///< of the measured lanediff; may be empty
};

/// This one, with kernels of that name and the program `lanediff`.
Machine ThisMachine(std::string emulator, const std::string& lanediff);

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

/// The word of a status: "met", "missed", "shown", "skipped", "WRONG".
std::string_view Word(Result::Status status);

/// Three lines on the machine.
std::string MachineText(const Machine& machine);
/// The line above the table's rows.
std::string HeadingText();
/// One line.
std::string RowText(const Result& result);
/// One line: how many rows became what.
std::string SummaryText(std::span<const Result> results);

/// The table as a page has it: version and machine, then a row for each result.
std::string Markdown(const Machine& machine, std::span<const Result> results);

/// The format lanediff-bench/1, which the program's --help describes.
std::string ToJson(const Machine& machine, std::span<const Result> results);

}  // namespace lanediff::bench
