#pragma once

#include <string>

#include "differential/records/fuzz_stats.h"

namespace lanediff::fuzz {

/// What this fuzz program did so far. Written to the file that
/// LANEDIFF_FUZZ_STATS names, and beside it the bins it reached, the target's
/// own counters that it reached, and how often each signature was found: every
/// second and at the end.
using Stats = make::FuzzStats;

/// The one record of this process. The first call starts the clock.
Stats& GlobalStats();

/// Call after each case.
void NoteCaseDone();
/// Call instead of a case that the target does not claim.
void NoteBeyond();

/// Writes all records now.
void WriteStats();

/// Status of a fuzz program that can't write its results; one line states why.
/// It ends at once: what it found would be lost.
inline constexpr int kCantWrite = 74;

/// `suffix` of the file that LANEDIFF_FUZZ_STATS names, such as ".bins"; empty
/// where the variable is not set, and nothing is to be written.
std::string RecordPath(const char* suffix);

/// Replaces the file by `text`, so that a reader sees the old one or the new
/// one; does nothing for an empty path.
void WriteRecord(const std::string& path, const std::string& text);

/// Prints `why` in one line and ends the process with `kCantWrite`.
[[noreturn]] void EndUnwritten(const std::string& why);

}  // namespace lanediff::fuzz
