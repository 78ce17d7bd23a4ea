#pragma once

#include <expected>
#include <string>

#include "audit/process_pool.h"
#include "reports/shard.h"

namespace lanediff::audit {

/// What a shard of an audit leaves of `pool`.
reports::AuditShard ShardOf(const ProcessPoolResult& pool);

/// Back again. The error is one line: the document's tally is none.
std::expected<ProcessPoolResult, std::string> PoolResultOf(
    const reports::AuditShard& shard);

}  // namespace lanediff::audit
