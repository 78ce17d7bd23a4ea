#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/history/database.h"
#include "tools/history/scope.h"

/// The runs of a campaign, as history looks at them.
namespace lanediff::campaign {

/// What of one part counts for its run's sums: of an interrupted shard only the
/// try that came farthest, and none once it is whole; but what they saw was
/// seen.
struct RunPart {
  std::int64_t id = 0;
  std::uint64_t shard = 0;
  std::string unfinished = {};
  bool counts = false;
  std::uint64_t cases = 0;
  std::uint64_t steps = 0;
  std::uint64_t compared_bytes = 0;
  std::uint64_t nodes = 0;
  double seconds = 0;
};

/// What one run saw of one finding.
struct Seen {
  std::uint64_t times = 0;
  std::string known = {};       ///< why it is accepted; empty: it is not
  std::uint64_t case_hash = 0;  ///< of the smallest case
  std::uint64_t steps = 0;      ///< likewise
  std::uint64_t nodes = 0;      ///< likewise
  std::size_t place = 0;        ///< likewise: that of its part in the run
};

/// "3 of 8 shards; missing: 1/8, 4/8, ...; not whole: 2/8" of those of `count`
/// that are there, whole or not; empty if all are, and whole.
std::string ShardsText(const std::map<std::uint64_t, bool>& there,
                       std::uint64_t count);

struct Run {
  std::string identity = {};
  std::string date = {};
  std::string verb = {};
  std::string target = {};
  std::string reference = {};
  std::string version = {};
  std::string commit = {};
  std::string label = {};
  Scope scope = {};
  std::uint64_t shards = 1;
  bool sharded = false;
  bool joined = false;  ///< maybe of halves of two runs: proves nothing
  std::vector<RunPart> parts = {};
  std::map<std::string, std::uint64_t> looked = {};    ///< cases by instruction
  std::map<std::string, std::uint64_t> left_out = {};  ///< likewise, of `Part`
  std::map<std::int64_t, Seen> seen = {};              ///< by finding
  /// Of check and mutants: of the cases that ever showed something those that
  /// this run compared.
  std::set<std::uint64_t> compared = {};

  std::uint64_t There() const;     ///< whole shards
  std::string Unfinished() const;  ///< why it is not complete; empty: it is
  template <class Number>
  Number Sum(Number RunPart::* number) const {
    Number sum = 0;
    for (const RunPart& part : parts) {
      if (part.counts) sum += part.*number;
    }
    return sum;
  }
};

/// By date, then by what they are: never by the order of adding. Shards that
/// ended on two days, around midnight, are one run where the days complement
/// each other; where they don't, whole runs beside them prove nothing either. A
/// merged run beside its own shards counts once: of the same day, or of the
/// evening on which they began, with the same sums, findings and scope.
std::vector<Run> LoadRuns(Database& database);

}  // namespace lanediff::campaign
