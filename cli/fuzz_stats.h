#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "diff/pace.h"

namespace lanediff::cli {

/// What the file written by fuzz/stats.h says; zeros where there is none.
struct FuzzStats {
  double seconds = 0;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;
  std::uint64_t nodes = 0;
  std::uint64_t operations = 0;
  std::uint64_t long_repeats = 0;
  std::uint64_t findings = 0;
  std::string build;
  diff::Pace pace;
};
FuzzStats ReadStats(const std::string& path);

/// How often each signature was found, from lines "count signature".
std::map<std::string, std::uint64_t> ReadCounts(const std::string& path);

/// The lines of the file: names of bins.
std::set<std::string> ReadBins(const std::string& path);

}  // namespace lanediff::cli
