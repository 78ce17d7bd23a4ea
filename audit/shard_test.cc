#include "audit/shard.h"

#include <gtest/gtest.h>

namespace lanediff::audit {
namespace {

TEST(AuditShard, IsReadBackAndATallyOfAnotherProgramIsNone) {
  ProcessPoolResult pool;
  pool.tally.cases = 7;
  pool.crashed = 2;
  pool.stopped = "the target ended";
  reports::AuditShard shard = ShardOf(pool);
  const auto back = PoolResultOf(shard);
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_EQ(back->tally.Serialized(), pool.tally.Serialized());
  EXPECT_EQ(back->crashed, 2u);
  EXPECT_EQ(back->stopped, "the target ended");
  shard.tally = *ParseJson("[\"x\"]");
  const auto read = PoolResultOf(shard);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().substr(0, 23), "/audit/tally: no tally:");
}

}  // namespace
}  // namespace lanediff::audit
