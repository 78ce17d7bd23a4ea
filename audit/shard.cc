#include "audit/shard.h"

#include "differential/testcase/json_cursor.h"

namespace lanediff::audit {

reports::AuditShard ShardOf(const ProcessPoolResult& pool) {
  return {.crashed = pool.crashed,
          .hung = pool.hung,
          .stopped = pool.stopped,
          .sample = pool.sample,
          .tally = pool.tally.ToJson()};
}

std::expected<ProcessPoolResult, std::string> PoolResultOf(
    const reports::AuditShard& shard) {
  try {
    return ProcessPoolResult{.tally = Tally::From(Cursor(shard.tally)),
                             .crashed = shard.crashed,
                             .hung = shard.hung,
                             .stopped = shard.stopped,
                             .sample = shard.sample};
  } catch (const CaseError& error) {
    return std::unexpected("/audit/tally: no tally: " + LineOf(error));
  }
}

}  // namespace lanediff::audit
