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

}  // namespace lanediff::cli
