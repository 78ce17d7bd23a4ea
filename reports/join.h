#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "make/exhaust/state.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// Joins what all shards of one run left, in the order of their index, into
/// what the run would have left without shards. Sums, and no judgement: known
/// issues that are stale are the caller's to add. Elapsed times are added up.
/// Each takes one record or more. The error is one line.
namespace lanediff::reports {

/// Every case in its place; an error where one is told of twice, is missing or
/// is another shard's.
std::expected<RunRecord, std::string> JoinChecks(std::vector<RunRecord> parts);

/// Sums by room, rule and signature; of each room's cases that disagreed those
/// that a sweep keeps.
std::expected<RunRecord, std::string> JoinSweeps(std::vector<RunRecord> parts);

/// All fuzz programs, bins reached by any of them, findings united by their
/// signature: told as often as all shards together found it, with the case
/// that is the smallest.
using IsSmallerCase = std::function<bool(const CaseRecord&, const CaseRecord&)>;
RunRecord JoinFuzzing(std::vector<RunRecord> parts,
                      const IsSmallerCase& smaller);

/// Every mutant in its place.
std::expected<MutantsRecord, std::string> JoinMutants(
    std::vector<MutantsRecord> parts);

/// Of one space: sums, and the first findings by call.
std::expected<make::exhaust::State, std::string> JoinStates(
    std::vector<make::exhaust::State> parts);

}  // namespace lanediff::reports
