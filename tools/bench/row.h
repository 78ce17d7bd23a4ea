#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

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

  bool Met(double measured) const {
    return figure == Figure::kRatio || figure == Figure::kRate
               ? measured >= value
               : measured <= value;
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

/// One line of the table.
struct Row {
  std::string_view name;  ///< instruction.work.variant, for --filter
  std::string_view what;
  std::string_view yardstick;  ///< empty where there is none
  std::string_view unit;       ///< of rates
  Requirement required;
  Prepared (*prepare)(const Setting& setting);
  Clock clock = Clock::kProcessor;
};

/// Every row of the table, in its order.
std::span<const Row> Rows();

}  // namespace lanediff::bench
