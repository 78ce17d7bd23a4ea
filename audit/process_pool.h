#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "audit/tally.h"
#include "differential/records/shard.h"
#include "differential/targets/target.h"
#include "generators/boundary/sample.h"
#include "reports/audit_record.h"
#include "reports/shard.h"

/// Examines many cases in several processes. A target that dies, hangs or
/// writes over what its process is to answer costs one case, which is reported;
/// the others of its chunk are run again. Too little memory costs one case,
/// too, and is reported as such.
namespace lanediff::audit {

/// Numbers of one instruction: those from `from` to before `to` that are in its
/// part.
struct Chunk {
  std::string_view slug;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  /// So many cases, about, for those who wait.
  std::uint64_t cases = 0;
  /// Of `parts` into which all numbers fall as if by chance, those from `first`
  /// to before `end`: what is done first is of all of the instruction.
  std::uint64_t parts = 1;
  std::uint64_t first = 0;
  std::uint64_t end = 1;

  bool Holds(std::uint64_t number) const;
};

/// Which cases are run, and how.
struct RunOptions {
  isa::Edition edition = isa::kNewestEdition;
  make::Shard shard;     ///< holds the numbers of each instruction that are run
  std::size_t jobs = 1;  ///< processes, at least 1
  double hang_seconds = 10;  ///< that a process may stand still
};

struct ProcessPoolOptions : RunOptions {
  std::vector<isa::Product> products;
  /// By instruction, what is run of it; empty: all.
  std::map<std::string_view, make::Sample> sample;
  /// The ids of the only cases that are run; absent: all are.
  std::optional<std::set<std::string>> only;
  /// The target is given up after this many crashes and hangs, the run after as
  /// many cases for which there was too little memory.
  std::size_t most_failures = 100;
  /// Called often with how many cases are done, about; false ends the run.
  std::function<bool(std::uint64_t)> goes_on = [](std::uint64_t) {
    return true;
  };
};

struct ProcessPoolResult {
  Tally tally;
  /// Cases in which the target ended or answered what can't be read, and
  /// processes that ended before their first case.
  std::uint64_t crashed = 0;
  std::uint64_t hung = 0;
  bool interrupted = false;
  /// Why the target was given up, or no process was to be had; else empty.
  std::string stopped;
  /// Of how many cases they are a sample, where they are one.
  std::optional<make::SampleSize> sample = {};
};

/// Adds what another run examined, of other cases.
void Join(const ProcessPoolResult& more, ProcessPoolResult& sum);

/// What a shard of an audit leaves of `pool`.
reports::AuditShard ShardOf(const ProcessPoolResult& pool);
/// Back again. The error is one line: the document's tally is none.
std::expected<ProcessPoolResult, std::string> PoolResultOf(
    const reports::AuditShard& shard);

/// Examines all cases of `chunks` on `target`. The tally does not depend on the
/// number of processes.
ProcessPoolResult RunProcessPool(const diff::Target& target,
                                 std::vector<Chunk> chunks,
                                 const ProcessPoolOptions& options);

/// All numbers of `slugs` in chunks, of which what `options` have run is worth
/// a process. The first are small, and of each instruction in turn: a run that
/// ends early has looked at all of them.
std::vector<Chunk> ChunksOf(const std::vector<std::string_view>& slugs,
                            const ProcessPoolOptions& options);

}  // namespace lanediff::audit
