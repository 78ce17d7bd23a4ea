#include "differential/memory/byte_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lanediff::diff {
namespace {

using Runs = std::vector<ByteSet::Run>;

TEST(ByteSet, KeepsMaximalRuns) {
  ByteSet set;
  for (int at : {8, 0, 16}) set.Add(at, at + 4);
  EXPECT_EQ(set.Runs(), (Runs{{0, 4}, {8, 12}, {16, 20}}));
  set.Add(4, 8);
  EXPECT_EQ(set.Runs(), (Runs{{0, 12}, {16, 20}}));
  set.Add(2, 30);
  EXPECT_EQ(set.Runs(), (Runs{{0, 30}}));
  set.Add(5, 5);
  set.Remove(7, 7);
  EXPECT_EQ(set.Runs(), (Runs{{0, 30}}));
}

TEST(ByteSet, DoesWhatAListOfBytesDoes) {
  std::mt19937 random(1);
  ByteSet set;
  std::vector<bool> list(64);
  for (int turn = 0; turn < 2000; ++turn) {
    const std::int64_t begin = random() % 64;
    const std::int64_t end = begin + random() % (65 - begin);
    const bool add = random() % 2 != 0;
    add ? set.Add(begin, end) : set.Remove(begin, end);
    for (auto i = begin; i < end; ++i) list[static_cast<std::size_t>(i)] = add;
    Runs runs;
    for (std::int64_t i = 0; i < 64; ++i) {
      if (!list[static_cast<std::size_t>(i)]) continue;
      if (runs.empty() || runs.back().end != i) runs.push_back({i, i});
      ++runs.back().end;
    }
    ASSERT_EQ(set.Runs(), runs);
    Runs cut;
    for (const auto& run : runs) {
      const ByteSet::Run part{std::max<std::int64_t>(run.begin, 10),
                              std::min<std::int64_t>(run.end, 50)};
      if (part.begin < part.end) cut.push_back(part);
    }
    ASSERT_EQ(set.RunsIn(10, 50), cut);
    ASSERT_EQ(set.empty(), runs.empty());
  }
}

}  // namespace
}  // namespace lanediff::diff
