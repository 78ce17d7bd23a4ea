#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "differential/records/fuzz_stats.h"

namespace lanediff::cli {

/// The counts in the file written by fuzz/stats.h; zeros where there is none.
make::FuzzStats ReadStats(const std::string& path);

/// How often each signature was found, from lines "count signature".
std::map<std::string, std::uint64_t> ReadCounts(const std::string& path);

/// What a program reached of the target's own code.
struct OwnCoverage {
  std::uint64_t counters = 0;  ///< that the target has
  std::set<std::uint64_t> reached;
};

/// From the file written by fuzz/own_coverage.h; nothing where there is none,
/// as the target is no plugin.
std::optional<OwnCoverage> ReadOwnCoverage(const std::string& path);

/// Adds `more` to `all`; both are of one target.
void Merge(std::optional<OwnCoverage> more, std::optional<OwnCoverage>& all);

/// The lines of the file: names of bins.
std::set<std::string> ReadBins(const std::string& path);

}  // namespace lanediff::cli
