#include "audit/shard.h"

#include <stdexcept>

namespace lanediff::audit {

reports::AuditShard ShardOf(const ProcessPoolResult& pool) {
  const auto tally = pool.tally.Serialized();
  return {.crashed = pool.crashed,
          .hung = pool.hung,
          .stopped = pool.stopped,
          .sample = pool.sample,
          .tally = {std::string(tally.begin(), tally.end())}};
}

std::expected<ProcessPoolResult, std::string> PoolResultOf(
    const reports::AuditShard& shard) {
  try {
    const std::string& text = shard.tally.text;
    return ProcessPoolResult{.tally = Tally::Parse(std::vector<std::uint8_t>(
                                 text.begin(), text.end())),
                             .crashed = shard.crashed,
                             .hung = shard.hung,
                             .stopped = shard.stopped,
                             .sample = shard.sample};
  } catch (const std::runtime_error& error) {
    return std::unexpected("/audit/tally: no tally: " +
                           std::string(error.what()));
  }
}

}  // namespace lanediff::audit
