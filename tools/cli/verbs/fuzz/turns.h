#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/record.h"
#include "tools/cli/fuzz_stats.h"
#include "tools/cli/process.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {

/// One fuzz program's turn, and what it left.
struct Turn {
  reports::FuzzerRecord record;
  Process process;
  std::string stats;      ///< file of fuzz/stats.h
  std::string artifacts;  ///< begins the paths of inputs that ended it
  double seconds = 0;     ///< that it may take
  unsigned runs = 0;
  bool unwritable = false;  ///< it could not write what it has to leave
  /// How often each signature was found.
  std::map<std::string, std::uint64_t> counts;
  std::set<std::string> bins;      ///< reached, by name
  std::optional<OwnCoverage> own;  ///< of a plugin
};

/// A turn for each program, and more where there are more processors.
std::vector<Turn> MakeTurns(const FuzzSetup& setup, Shard shard,
                            std::uint64_t seed, std::size_t jobs);

/// Lets `jobs` threads take the turns until all are done. A program that an
/// input ended is started again with another seed, a few times at most. One
/// that does not end in its time (libFuzzer looks at the clock only after it
/// has read all inputs) is stopped, with a line on stderr.
void RunTurns(const FuzzSetup& setup, std::vector<Turn>& turns,
              std::size_t jobs);

}  // namespace lanediff::cli
