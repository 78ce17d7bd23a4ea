#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "make/fuzz_stats.h"

namespace lanediff::cli {

/// What the file written by fuzz/stats.h says; zeros where there is none.
make::FuzzStats ReadStats(const std::string& path);

/// How often each signature was found, from lines "count signature".
std::map<std::string, std::uint64_t> ReadCounts(const std::string& path);

/// The lines of the file: names of bins.
std::set<std::string> ReadBins(const std::string& path);

}  // namespace lanediff::cli
