#include "audit/shard.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>

namespace lanediff::audit {

reports::AuditShard ShardOf(const ProcessPoolResult& pool) {
  const auto tally = nlohmann::json::from_cbor(pool.tally.Serialized());
  return {.crashed = pool.crashed,
          .hung = pool.hung,
          .stopped = pool.stopped,
          .sample = pool.sample,
          .tally = {tally.dump(-1, ' ', false,
                               nlohmann::json::error_handler_t::replace)}};
}

std::expected<ProcessPoolResult, std::string> PoolResultOf(
    const reports::AuditShard& shard) {
  try {
    return ProcessPoolResult{.tally = Tally::Parse(nlohmann::json::to_cbor(
                                 nlohmann::json::parse(shard.tally.text))),
                             .crashed = shard.crashed,
                             .hung = shard.hung,
                             .stopped = shard.stopped,
                             .sample = shard.sample};
  } catch (const std::exception& error) {
    return std::unexpected(
        fmt::format("/audit/tally: no tally: {}", error.what()));
  }
}

}  // namespace lanediff::audit
