#pragma once

#include <cstddef>

#include "case/case.h"
#include "diff/finding.h"

/// What a fuzz program found, as it leaves it for `lanediff fuzz` to confirm,
/// shrink and tell: "raw" cases in the folder that LANEDIFF_FUZZ_FINDINGS names
/// (default ./findings).
namespace lanediff::fuzz {

/// Counts `finding`, made in `c` of `size` encoded bytes. The smallest case of
/// each signature is on disk when this returns. Ends the process, with status
/// 0, where going on would bring nothing new: after `kMostRepeated` findings of
/// known signatures in a row, or `kMostSignatures`.
void KeepRaw(const Case& c, std::size_t size, const diff::Finding& finding);

inline constexpr int kMostRepeated = 1000;
inline constexpr std::size_t kMostSignatures = 100;

/// Writes how often each signature was found, lines "count signature", beside
/// the stats.
void WriteCounts();

}  // namespace lanediff::fuzz
