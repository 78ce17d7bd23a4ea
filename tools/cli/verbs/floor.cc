#include "tools/cli/verbs/floor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/json.h"
#include "tools/cli/verbs/hunt.h"

namespace lanediff::cli {

using reports::CheckerRecord;
using reports::MutantRecord;

std::expected<Floor, std::string> ReadFloor(const std::string& file,
                                            const Shard& shard) {
  const auto text = ReadFile(file);
  if (!text) return std::unexpected(file + ": " + text.error());
  Floor floor{.file = file, .missed = {}};
  const std::string own = fmt::format("{}/{}", shard.index, shard.count);
  std::istringstream lines(*text);
  std::string line;
  bool has_options = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto fail = [&](const std::string& why) {
      return std::unexpected(fmt::format("{}:{}: {}", file, number, why));
    };
    std::istringstream words(line);
    std::string first;
    std::string second;
    std::string rest;
    if (!has_options) {
      if (!(words >> first >> floor.seed >> second >> floor.cases) ||
          first != "seed" || second != "cases" || words >> rest) {
        return fail("expected \"seed N cases N\"");
      }
      has_options = true;
      continue;
    }
    std::size_t missed = 0;
    if (!(words >> first >> second >> missed) || words >> rest) {
      return fail("expected \"SHARD CHECKER MISSED\"");
    }
    if (std::ranges::find(kCheckers, second) == std::end(kCheckers)) {
      return fail(fmt::format("found checker \"{}\"; expected one of {}",
                              Quote(second, 80), fmt::join(kCheckers, ", ")));
    }
    if (first == own && !floor.missed.emplace(second, missed).second) {
      return fail("expected each checker of a shard once");
    }
  }
  if (floor.missed.empty()) {
    return std::unexpected(
        fmt::format("{}: expected lines of shard {}, found none", file, own));
  }
  return floor;
}

FloorResult CompareWithFloor(const Floor& floor,
                             const reports::MutantsRecord& record) {
  FloorResult result;
  if (record.mutants.empty()) return result;
  for (std::size_t i = 0; i < record.mutants.front().checkers.size(); ++i) {
    std::size_t missed = 0;
    std::size_t unfinished = 0;
    for (const MutantRecord& mutant : record.mutants) {
      const CheckerRecord& one = mutant.checkers[i];
      if (one.found()) continue;
      const bool ended = !one.capped && one.error.empty() && !one.left_out;
      ++(ended ? missed : unfinished);
    }
    const std::string& checker = record.mutants.front().checkers[i].checker;
    std::string line = fmt::format("{} alone: {} of {} found", checker,
                                   record.mutants.size() - missed - unfinished,
                                   record.mutants.size());
    const auto most = floor.missed.find(checker);
    if (most == floor.missed.end()) {
      line += fmt::format("; no floor in {}", floor.file);
    } else if (missed > most->second) {
      result.fell = true;
      line += fmt::format("; expected at most {} missed, found {}",
                          most->second, missed);
    } else if (missed < most->second && unfinished == 0) {
      line += fmt::format("; the floor rises: {} allows {} missed, found {}",
                          floor.file, most->second, missed);
    }
    result.lines.push_back(std::move(line));
    result.unfinished += unfinished;
  }
  return result;
}

}  // namespace lanediff::cli
