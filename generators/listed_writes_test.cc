// A step writes only what the oracle lists as its writes: comparing
// relies on it (differential/compare/compare.cc).

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "differential/memory/memory_set.h"
#include "generators/random.h"
#include "generators/random/generate.h"
#include "oracle/oracle.h"

namespace lanediff::make {
namespace {

/// Sets the bytes of the writes that are listed to those of `from`.
void TakeBack(const std::vector<isa::Access>& accesses,
              const diff::MemorySet& from, diff::MemorySet& to) {
  for (const isa::Access& access : accesses) {
    if (!access.write) continue;
    for (std::int64_t i = 0; i < access.bytes; ++i) {
      const auto at = static_cast<std::size_t>(access.at + i);
      to[access.memory][at] = from[access.memory][at];
    }
  }
}

TEST(ListedWrites, AreAllThatTheOracleWrites) {
  for (const Generator& generator : Generators()) {
    Random random(3);
    int steps = 0;
    int changed = 0;
    for (int i = 0; i < 2000; ++i) {
      const Case c = Generate(generator.slug, random).c;
      diff::MemorySet memory(c);
      oracle::Oracle oracle(c.profile(), memory.view());
      for (const isa::Step& step : c.program) {
        const diff::MemorySet before = memory;
        const isa::StepResult result = oracle.Execute(step);
        diff::MemorySet after = memory;
        changed += after == before ? 0 : 1;
        TakeBack(oracle.accesses(), before, after);
        ASSERT_EQ(after, before) << generator.slug << " case " << i;
        ++steps;
        if (result.status != isa::StepResult::Status::kExecuted) break;
      }
    }
    EXPECT_GE(steps, 2000) << generator.slug;
    EXPECT_GT(changed, 500) << generator.slug;
  }
}

}  // namespace
}  // namespace lanediff::make
