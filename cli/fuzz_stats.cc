#include "cli/fuzz_stats.h"

#include <fstream>

#include "case/case_reader.h"
#include "case/record_lines.h"

namespace lanediff::cli {

make::FuzzStats ReadStats(const std::string& path) {
  return ReadRecordLines<make::FuzzStats>(ReadFile(path).value_or(""));
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
