#pragma once

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

}  // namespace lanediff::fuzz
