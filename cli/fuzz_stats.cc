#include "cli/fuzz_stats.h"

#include <fstream>

namespace lanediff::cli {

FuzzStats ReadStats(const std::string& path) {
  FuzzStats stats;
  std::ifstream file(path);
  std::string name;
  double value = 0;
  while (file >> name >> value) {
    if (name == "seconds") stats.seconds = value;
    if (name == "cases") stats.cases = static_cast<std::uint64_t>(value);
    if (name == "legal") stats.legal = static_cast<std::uint64_t>(value);
    if (name == "nodes") stats.nodes = static_cast<std::uint64_t>(value);
    if (name == "operations") {
      stats.operations = static_cast<std::uint64_t>(value);
    }
    if (name == "long_repeats") {
      stats.long_repeats = static_cast<std::uint64_t>(value);
    }
    if (name == "oracle_seconds") stats.oracle_seconds = value;
    if (name == "findings") stats.findings = static_cast<std::uint64_t>(value);
  }
  return stats;
}

std::map<std::string, std::uint64_t> ReadCounts(const std::string& path) {
  std::map<std::string, std::uint64_t> counts;
  std::ifstream file(path);
  std::uint64_t count = 0;
  std::string signature;
  while (file >> count >> signature) counts[signature] += count;
  return counts;
}

std::set<std::string> ReadBins(const std::string& path) {
  std::set<std::string> bins;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) bins.insert(line);
  return bins;
}

}  // namespace lanediff::cli
