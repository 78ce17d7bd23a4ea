#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulator/emulator.h"

/// What a row of the table is, before anything is measured.
namespace lanediff::bench {

/// The kind of a row's figure, and the required value.
struct Requirement {
  enum class Figure : std::uint8_t {
    kRatio,    ///< the yardstick's time divided by the work's; at least
    kRate,     ///< units a second; at least
    kSeconds,  ///< of one run; at most
    kBeside,   ///< seconds of one run less those of the yardstick; at most
  };

  Figure figure = Figure::kRatio;
  double value = 0;  ///< 0: shown, nothing is required

  bool at_least() const {
    return figure == Figure::kRatio || figure == Figure::kRate;
  }
};

constexpr Requirement RatioAtLeast(double value) {
  return {Requirement::Figure::kRatio, value};
}
constexpr Requirement RateAtLeast(double value) {
  return {Requirement::Figure::kRate, value};
}
constexpr Requirement SecondsAtMost(double value) {
  return {Requirement::Figure::kSeconds, value};
}
constexpr Requirement BesideAtMost(double value) {
  return {Requirement::Figure::kBeside, value};
}

/// What all rows are measured with.
struct Setting {
  emulator::Seams seams = emulator::FastestSeams();
  std::string lanediff;  ///< the program
  std::string corpus;    ///< folder of cases
  std::string fuzzers;   ///< folder of fuzz programs
  std::string targets;   ///< folder of our emulator as a plugin and a program
  std::string examples;  ///< folder of targets that people copy
  std::string scratch;   ///< folder for what rows write; exists, is empty
  bool quick = false;
};

/// A row made ready: memories set up, data in place.
struct Prepared {
  /// One run of what is measured.
  std::function<void()> work = {};
  /// One run of what it is held against; empty where there is nothing.
  std::function<void()> yardstick = {};
  /// Runs both once and returns what is wrong with their results; empty if
  /// they are right.
  std::function<std::string()> check = {};
  /// How many units one run of the work is worth, for rates.
  double units = 1;
  /// Why the row can't be measured here; empty if it can.
  std::string skipped = {};
};

/// How a row is timed.
enum class Clock : std::uint8_t {
  kProcessor,  ///< processor time of this thread: others on the machine matter
               ///< less
  kWall,       ///< wall time, one run at a time: for other programs
};

/// One line of the table. The required figures stand where rows are added and
/// nowhere else; 0 requires nothing.
struct Row {
  std::string name;  ///< instruction.work.variant, for --filter
  std::string what;
  std::string yardstick;  ///< empty where there is none
  Requirement required;
  std::function<Prepared(const Setting& setting)> prepare;
  std::string unit = {};  ///< of rates
  Clock clock = Clock::kProcessor;
};

/// Rows of each kind, in the order of the table.
using Rows = std::vector<Row>;
/// The emulator's calls, through Emulator::Execute.
void AddEmulatorRows(Rows& rows);
/// Legality alone, by the emulator.
void AddLegalityRows(Rows& rows);
/// The oracle: nodes, calls, products, legality.
void AddOracleRows(Rows& rows);
/// The legality of calls by the oracle, the last of its rows.
void AddOracleLegalityRows(Rows& rows);
/// CompareCase of a small case, and lint.
void AddHarnessRows(Rows& rows);
/// Kernels on the host.
void AddKernelRows(Rows& rows);
/// Other programs, from start to end.
void AddProgramRows(Rows& rows);

}  // namespace lanediff::bench
