#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "differential/records/exhaust_state.h"
#include "differential/records/shard.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// Joins what all shards of one run left into what the run would have left
/// without shards: each is added once, in the order of their index. The caller
/// adds stale known issues. Elapsed times are added up. `Finish` needs one
/// shard or more, and is called once. Errors are one line.
namespace lanediff::reports {

using Added = std::expected<void, std::string>;

/// What runs have in common.
class RunJoin {
 protected:
  /// Whether it is the first.
  bool Begin(const RunRecord& part);
  RunRecord End();

  RunRecord run_;

 private:
  std::set<std::string> vectors_;
  std::set<std::string> editions_;
};

/// Every case in its place; an error where one is given twice, is missing or
/// is another shard's. Holds all cases, as the joined run does.
class CheckJoin : RunJoin {
 public:
  Added Add(RunRecord part, const make::Shard& shard);
  std::expected<RunRecord, std::string> Finish();

 private:
  std::uint64_t shards_ = 1;
};

/// Sums by instruction, rule and signature; of each instruction's cases that
/// disagreed those that a sweep keeps.
class SweepJoin : RunJoin {
 public:
  Added Add(RunRecord part, const make::Shard& shard);
  RunRecord Finish();

 private:
  std::vector<SweepRecord> sums_;
  std::vector<std::vector<CaseRecord>> cases_;  ///< kept, by instruction
};

/// All fuzz programs, bins reached by any of them, findings united by their
/// signature, with the sum of their counts and the smallest case.
class FuzzJoin : RunJoin {
 public:
  using IsSmaller = std::function<bool(const CaseRecord&, const CaseRecord&)>;
  explicit FuzzJoin(IsSmaller smaller) : smaller_(std::move(smaller)) {}
  void Add(RunRecord part);
  RunRecord Finish();

 private:
  using ById = std::map<std::string, CaseRecord>;
  void AddFound(CaseRecord&& record, ById& found);

  IsSmaller smaller_;
  ById found_;
  ById unconfirmed_;
  std::map<std::string, CoverageRecord> coverage_;
};

/// Every mutant in its place.
class MutantsJoin {
 public:
  void Add(MutantsRecord part) { parts_.push_back(std::move(part)); }
  std::expected<MutantsRecord, std::string> Finish();

 private:
  std::vector<MutantsRecord> parts_;  ///< a mutant is in one of them
};

/// Of one space: sums, and the first findings by call.
class StateJoin {
 public:
  Added Add(make::exhaust::State part, const make::Shard& shard);
  make::exhaust::State Finish() { return *std::move(all_); }

 private:
  std::optional<make::exhaust::State> all_;
};

}  // namespace lanediff::reports
