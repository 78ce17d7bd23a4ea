#include "emulator/vector/target.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanediff::emulator {
namespace {

TEST(VectorTarget, TheBestIsTheWidestThatIsTestedAndRuns) {
  const auto runnable = RunnableTargets();
  ASSERT_FALSE(runnable.empty());
  EXPECT_EQ(runnable.front(), VectorTarget::kScalar);
  EXPECT_TRUE(std::ranges::is_sorted(runnable));
  EXPECT_TRUE(IsTested(BestTarget()));
  for (const VectorTarget target : runnable) {
    if (!IsTested(target)) continue;
    EXPECT_GE(BestTarget(), target) << NameOf(target);
  }
}

#if defined(__x86_64__)
TEST(VectorTarget, Avx512IsChosenWhereTheProcessorHasIt) {
  if (!__builtin_cpu_supports("avx512f") ||
      !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512bw")) {
    GTEST_SKIP() << "this processor lacks " << NeedsOf(VectorTarget::kAvx3);
  }
  EXPECT_EQ(BestTarget(), VectorTarget::kAvx3);
}
#endif

}  // namespace
}  // namespace lanediff::emulator
