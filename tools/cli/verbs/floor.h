#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <vector>

#include "reports/mutant_record.h"
#include "tools/cli/shard.h"

/// How many planted defects each checker may miss when it hunts alone
/// (emulator/mutants/floors.txt). A number there may only become smaller.
namespace lanediff::cli {

struct Floor {
  std::string file;
  std::uint64_t seed = 0;                     ///< of the hunts that it is of
  std::uint64_t cases = 0;                    ///< their budget
  std::map<std::string, std::size_t> missed;  ///< by checker, at most
};

/// Reads "seed N cases N", then lines "SHARD CHECKER MISSED", of which those of
/// `shard` count ("0/1": all mutants); "#" begins a comment. The error is one
/// line.
std::expected<Floor, std::string> ReadFloor(const std::string& file,
                                            const Shard& shard);

/// What a run is beside its floor.
struct FloorResult {
  std::vector<std::string> lines;  ///< one for each checker
  bool fell = false;
  std::size_t unfinished = 0;  ///< hunts without a result
};
FloorResult CompareWithFloor(const Floor& floor,
                             const reports::MutantsRecord& record);

}  // namespace lanediff::cli
