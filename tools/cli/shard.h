#pragma once

#include <string>
#include <vector>

#include "differential/records/shard.h"
#include "reports/shard.h"
#include "tools/cli/options.h"

namespace lanediff::cli {

using make::Shard;

/// The shard that `option` spells as "i/n", n below 2^32. Where it is empty,
/// the one that a runner set in the environment: GTEST_SHARD_INDEX and
/// GTEST_TOTAL_SHARDS, else JOB_COMPLETION_INDEX, which Kubernetes sets, and
/// JOB_COMPLETIONS, which it leaves to the user to set. Where nothing is set,
/// the whole. One of two variables without the other is an error, for a part
/// that takes itself for the whole is worse, and an `Exit` that names the
/// option or the variable.
Shard FindShard(const std::string& option);

/// The environment of a program that is started: ours with `changed` in place
/// of those of the same name, and without these variables.
std::vector<std::string> ChildEnvironment(
    std::vector<std::string> changed = {});

/// The record of a shard, without a result and options.
reports::ShardRecord NewShard(const std::string& verb, const Shard& shard,
                              const std::string& out);

/// The options that every verb with shards and targets has.
void AddTargets(const TargetOptions& target, const std::string& reference,
                reports::ShardRecord& record);

/// Writes `record` to its folder, which is made if it isn't there, and prints a
/// line on stderr; false, with a message, if it can't be written.
bool LeaveShard(const reports::ShardRecord& record);

/// The shard of `option`, of a verb with --baseline, which is not for one
/// shard. Ends the verb where there is an error.
Shard ShardFor(const std::string& option, const std::string& baseline);

}  // namespace lanediff::cli
