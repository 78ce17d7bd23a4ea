#include "cli/fuzz_stats.h"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string_view>

namespace lanediff::cli {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

Values ReadValues(const std::string& path) {
  Values values;
  std::ifstream file(path);
  for (std::string name, value; file >> name >> value;) values[name] = value;
  return values;
}

double Number(const Values& values, std::string_view name) {
  const auto value = values.find(name);
  return value == values.end() ? 0
                               : std::strtod(value->second.c_str(), nullptr);
}

std::uint64_t Count(const Values& values, std::string_view name) {
  return static_cast<std::uint64_t>(Number(values, name));
}

diff::PacePart PartOf(const Values& values, const std::string& kind) {
  return {.cases = Count(values, kind + "_cases"),
          .seconds = Number(values, kind + "_seconds"),
          .reference_seconds = Number(values, kind + "_reference_seconds"),
          .target_seconds = Number(values, kind + "_target_seconds")};
}

}  // namespace

FuzzStats ReadStats(const std::string& path) {
  const Values values = ReadValues(path);
  const auto build = values.find("build");
  return {.seconds = Number(values, "seconds"),
          .cases = Count(values, "cases"),
          .legal = Count(values, "legal"),
          .nodes = Count(values, "nodes"),
          .operations = Count(values, "operations"),
          .long_repeats = Count(values, "long_repeats"),
          .findings = Count(values, "findings"),
          .build = build == values.end() ? "" : build->second,
          .pace = {.legal = PartOf(values, "legal"),
                   .illegal = PartOf(values, "illegal")}};
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
