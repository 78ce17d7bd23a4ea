#pragma once

#include <cstddef>
#include <string_view>

#include "differential/compare/finding.h"
#include "differential/testcase/case.h"

/// What a fuzz program found, for `lanediff fuzz` to confirm, shrink and
/// report: "raw" cases in the folder that LANEDIFF_FUZZ_FINDINGS names. Where
/// the variable is not set findings are not collected, and a finding is a
/// crash: the only result that OSS-Fuzz and other drivers of fuzz programs
/// detect.
namespace lanediff::fuzz {

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
