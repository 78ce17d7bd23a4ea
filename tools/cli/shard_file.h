#pragma once

#include <string>

#include "reports/shard.h"
#include "tools/cli/shard.h"
#include "tools/cli/target_options.h"

namespace lanediff::cli {

/// The record of a shard, without a result and options.
reports::ShardRecord NewShard(const std::string& verb, const Shard& shard,
                              const std::string& out);

/// The options that every verb with shards and targets has.
void AddTargets(const TargetOptions& target, const std::string& reference,
                reports::ShardRecord& record);

/// Writes `record` to its folder, which is made if it isn't there, and prints a
/// line on stderr; false, with a message, if it can't be written.
bool LeaveShard(const reports::ShardRecord& record);

/// The message on --baseline beside a shard.
inline constexpr const char* kShardBaseline =
    "--baseline: not for one shard; give it to lanediff merge";

}  // namespace lanediff::cli
