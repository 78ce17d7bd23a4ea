#pragma once

#include <cstdint>

#include "diff/pace.h"

namespace lanediff::fuzz {

/// What a fuzz program did so far. Written as lines "name value" to the file
/// that LANEDIFF_FUZZ_STATS names, and beside it the bins it reached and how
/// often each signature was found: every second and at the end.
struct Stats {
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;
  std::uint64_t nodes = 0;         ///< arithmetic nodes of legal cases
  std::uint64_t operations = 0;    ///< nodes and elements written, legal cases
  std::uint64_t long_repeats = 0;  ///< legal cases with 64 iterations or more
  diff::Pace pace;
  std::uint64_t findings = 0;  ///< cases that disagreed
};

/// The one record of this process. The first call starts the clock.
Stats& GlobalStats();

/// Call after each case.
void NoteCaseDone();

/// Writes all records now.
void WriteStats();

}  // namespace lanediff::fuzz
