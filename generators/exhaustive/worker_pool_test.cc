#include "generators/exhaustive/worker_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "generators/exhaustive/testing.h"

namespace lanediff::make::exhaust {
namespace {

TEST(Parts, AreDisjointAndComplete) {
  for (std::uint64_t count : {1, 2, 3, 7, 100}) {
    std::vector<std::uint64_t> calls;
    for (std::uint64_t index = 0; index < count; ++index) {
      const Part part{.from = 5, .to = 58, .index = index, .count = count};
      for (std::uint64_t i = 0; i < part.size(); ++i) {
        calls.push_back(part.CallAt(i));
        EXPECT_EQ(calls.back() % count, index);
      }
    }
    std::ranges::sort(calls);
    ASSERT_EQ(calls.size(), 53u) << count;
    for (std::uint64_t i = 0; i < calls.size(); ++i) {
      EXPECT_EQ(calls[i], 5 + i);
    }
  }
  EXPECT_EQ((Part{.from = 9, .to = 9}.size()), 0u);
}

TEST(Parts, TogetherFindWhatTheWholeFinds) {
  emulator::Seams seams;
  auto& row = emulator::RowOf<isa::Min>(seams.elementwise);
  row.half_kernel = row.int16_kernel;
  const auto seamed = SeamTarget(seams);
  const diff::Target& target = *seamed;
  const auto& space = *FindSpace("params-min");
  // Mask 17, two iterations.
  const Part whole{.from = 213000, .to = 216000};
  const Tally all = RunPart(space, target, whole, 2);
  EXPECT_GT(all.disagree, 0u);
  Tally sum;
  for (std::uint64_t index = 0; index < 3; ++index) {
    Part part = whole;
    part.index = index;
    part.count = 3;
    const Tally tally = RunPart(space, target, part);
    sum.calls += tally.calls;
    sum.points += tally.points;
    sum.disagree += tally.disagree;
  }
  EXPECT_EQ(sum.calls, all.calls);
  EXPECT_EQ(sum.points, all.points);
  EXPECT_EQ(sum.disagree, all.disagree);
}

TEST(Versions, DifferFromSpaceToSpace) {
  std::set<std::string> versions;
  for (const auto& space : Spaces()) versions.insert(VersionOf(*space));
  EXPECT_EQ(versions.size(), Spaces().size());
}

}  // namespace
}  // namespace lanediff::make::exhaust
