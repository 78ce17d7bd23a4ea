#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/records/shard.h"

namespace lanediff::cli {

using make::Shard;

/// The shard that `option` spells as "i/n", n below 2^32. Where it is empty,
/// the one that a runner set in the environment: GTEST_SHARD_INDEX and
/// GTEST_TOTAL_SHARDS, else JOB_COMPLETION_INDEX, which Kubernetes sets, and
/// JOB_COMPLETIONS, which it leaves to the user to set. Where nothing is set,
/// the whole. One of two variables without the other is an error, for a part
/// that takes itself for the whole is worse. The error is one line that names
/// the option or the variable.
std::expected<Shard, std::string> FindShard(const std::string& option);

/// Whether an environment variable is one of these.
bool IsShardVariable(std::string_view name);

}  // namespace lanediff::cli
