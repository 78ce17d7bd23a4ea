#pragma once

#include <string>

#include "reports/shard.h"
#include "tools/cli/shard.h"
#include "tools/cli/target_options.h"

namespace lanediff::cli {

/// What every shard says of itself, without a result and options.
reports::ShardRecord NewShard(const std::string& verb, const Shard& shard,
                              const std::string& out);

/// The options that every verb with shards and targets has.
void AddTargets(const TargetOptions& target, const std::string& reference,
                reports::ShardRecord& record);

/// Leaves `record` in its folder, which is made if it isn't there, and says so
/// on stderr; false, with a message, if it can't be written.
bool LeaveShard(const reports::ShardRecord& record);

/// What to say of --baseline beside a shard.
inline constexpr const char* kShardBaseline =
    "--baseline: a shard can't tell what has changed; give it to lanediff "
    "merge";

}  // namespace lanediff::cli
