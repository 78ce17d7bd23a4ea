#include "tools/cli/fuzz_stats.h"

#include <algorithm>
#include <fstream>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_lines.h"

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

std::optional<OwnCoverage> ReadOwnCoverage(const std::string& path) {
  OwnCoverage own;
  std::ifstream file(path);
  if (!(file >> own.counters)) return std::nullopt;
  for (std::uint64_t place = 0; file >> place;) own.reached.insert(place);
  return own;
}

void Merge(std::optional<OwnCoverage> more, std::optional<OwnCoverage>& all) {
  if (!more) return;
  if (!all) all.emplace();
  all->counters = std::max(all->counters, more->counters);
  all->reached.merge(more->reached);
}

std::set<std::string> ReadBins(const std::string& path) {
  std::set<std::string> bins;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) bins.insert(line);
  return bins;
}

}  // namespace lanediff::cli
