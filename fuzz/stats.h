#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "differential/compare/finding.h"
#include "differential/records/fuzz_stats.h"
#include "differential/testcase/case.h"

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

// ---- Findings ---------------------------------------------------------------

// What a fuzz program found, for `lanediff fuzz` to confirm, shrink and report:
// "raw" cases in the folder that LANEDIFF_FUZZ_FINDINGS names. Where the
// variable is not set findings are not collected, and a finding is a crash: the
// only result that OSS-Fuzz and other drivers of fuzz programs detect.

/// Counts `finding`, made in `c` of `size` encoded bytes. The smallest case of
/// each signature is on disk when this returns. Ends the process, with status
/// 0, where going on would bring nothing new: after `kMostRepeated` findings of
/// known signatures in a row, or `kMostSignatures`. Where findings are not
/// collected it is printed, and `MustCrash()` from now on.
void KeepRaw(const Case& c, std::size_t size, const diff::Finding& finding);

inline constexpr int kMostRepeated = 1000;
inline constexpr std::size_t kMostSignatures = 100;

/// Whether LLVMFuzzerTestOneInput has to trap. It does so itself, not by way of
/// abort(), and has no line of its own in the sources ([[gnu::nodebug]]): of
/// such a stack ClusterFuzz ignores every frame, and knows the crash by its
/// signature alone.
bool MustCrash();

/// Prints the line by which ClusterFuzz knows a crash of the type ASSERT and
/// its state. Crashes whose states have "FuzzerHash=" are one where the states
/// are equal; others already where they look alike, as most signatures do. It
/// compares 80 characters, enough to distinguish the longest signatures.
void PrintAssertion(std::string_view signature);

/// Writes how often each signature was found, lines "count signature", beside
/// the stats.
void WriteCounts();

}  // namespace lanediff::fuzz
