#include "isa/intervals.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>
#include <vector>

namespace lanediff::isa {
namespace {

constexpr std::int64_t kBytes = 64;

/// A byte's value; 0: none.
using List = std::array<int, kBytes>;

Interval AnyInterval(std::mt19937& random) {
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random()) % limit;
  };
  const std::int64_t begin = below(kBytes);
  return {begin, begin + below(kBytes + 1 - begin)};
}

template <class F>
void ForBytes(const Interval& bytes, List& list, const F& change) {
  for (auto i = bytes.begin; i < bytes.end; ++i) {
    change(list[static_cast<std::size_t>(i)]);
  }
}

/// The maximal runs of one value in `bytes`, byte by byte.
std::vector<std::pair<Interval, int>> RunsOf(const List& list,
                                             const Interval& bytes) {
  std::vector<std::pair<Interval, int>> runs;
  for (std::int64_t i = bytes.begin; i < bytes.end; ++i) {
    const int value = list[static_cast<std::size_t>(i)];
    if (value == 0) continue;
    if (runs.empty() || runs.back().first.end != i ||
        runs.back().second != value) {
      runs.push_back({{i, i}, value});
    }
    ++runs.back().first.end;
  }
  return runs;
}

IntervalSet SetOf(const List& list, const Interval& bytes) {
  IntervalSet set;
  for (const auto& [run, value] : RunsOf(list, bytes)) set.Append(run);
  return set;
}

TEST(IntervalSet, KeepsMaximalIntervals) {
  IntervalSet set;
  for (int at : {8, 0, 16}) set.Insert({at, at + 4});
  EXPECT_EQ(set, IntervalSet({{0, 4}, {8, 12}, {16, 20}}));
  set.Insert({4, 8});
  EXPECT_EQ(set, IntervalSet({{0, 12}, {16, 20}}));
  set.Insert({2, 30});
  EXPECT_EQ(set, IntervalSet({{0, 30}}));
  set.Insert({5, 5});
  set.Erase({7, 7});
  EXPECT_EQ(set, IntervalSet({{0, 30}}));
  EXPECT_FALSE(set.Intersects({7, 7}));
}

TEST(IntervalSet, MakesOneOrderOfAny) {
  IntervalSet set;
  for (const Interval& bytes : std::vector<Interval>{
           {20, 30}, {0, 4}, {8, 8}, {25, 26}, {4, 6}, {40, 50}}) {
    set.Append(bytes);
  }
  set.Tidy();
  EXPECT_EQ(set, IntervalSet({{0, 6}, {20, 30}, {40, 50}}));
  EXPECT_EQ(set.bytes(), 26);
}

TEST(IntervalSet, DoesWhatAListOfBytesDoes) {
  std::mt19937 random(1);
  constexpr Interval kAll{0, kBytes};
  IntervalSet set;
  List list{};
  IntervalSet other;
  List other_list{};
  for (int turn = 0; turn < 2000; ++turn) {
    const Interval bytes = AnyInterval(random);
    const bool add = random() % 2 != 0;
    add ? set.Insert(bytes) : set.Erase(bytes);
    ForBytes(bytes, list, [&](int& byte) { byte = add ? 1 : 0; });
    if (turn % 3 == 0) {
      std::swap(set, other);
      std::swap(list, other_list);
    }
    ASSERT_EQ(set, SetOf(list, kAll));
    const Interval part = AnyInterval(random);
    ASSERT_EQ(set.In(part), SetOf(list, part));
    ASSERT_EQ(set.Intersects(part), !SetOf(list, part).empty());
    List common{};
    List rest{};
    for (std::size_t i = 0; i < list.size(); ++i) {
      common[i] = list[i] & other_list[i];
      rest[i] = list[i] & (1 - other_list[i]);
    }
    ASSERT_EQ(Common(set, other), SetOf(common, kAll));
    ASSERT_EQ(Without(set, other), SetOf(rest, kAll));
  }
}

TEST(IntervalMap, DoesWhatAListOfBytesDoes) {
  std::mt19937 random(2);
  IntervalMap<int> map;
  List list{};
  for (int turn = 0; turn < 5000; ++turn) {
    const Interval bytes = AnyInterval(random);
    const int value = 1 + static_cast<int>(random() % 3);
    switch (random() % 4) {
      case 0:
        map.Set(bytes, value);
        ForBytes(bytes, list, [&](int& byte) { byte = value; });
        break;
      case 1:
        map.SetMissing(bytes, value);
        ForBytes(bytes, list, [&](int& byte) {
          if (byte == 0) byte = value;
        });
        break;
      case 2:
        map.Erase(bytes);
        ForBytes(bytes, list, [&](int& byte) { byte = 0; });
        break;
      default:
        map.ForEachValue(bytes, [](int& one) { one = one % 3 + 1; });
        ForBytes(bytes, list, [](int& byte) {
          if (byte != 0) byte = byte % 3 + 1;
        });
    }
    const auto all = RunsOf(list, {0, kBytes});
    std::vector<std::pair<Interval, int>> found;
    map.ForEach(
        [&](const Interval& run, int one) { found.emplace_back(run, one); });
    ASSERT_EQ(found, all);
    ASSERT_EQ(map.empty(), all.empty());
    const Interval part = AnyInterval(random);
    found.clear();
    map.ForEach(part, [&](const Interval& run, int one) {
      found.emplace_back(run, one);
    });
    const auto runs = RunsOf(list, part);
    ASSERT_EQ(found, runs);
    const auto first = map.FirstIn(part);
    ASSERT_EQ(first.has_value(), !runs.empty());
    if (first) {
      ASSERT_EQ(*first, runs.front());
    }
  }
}

}  // namespace
}  // namespace lanediff::isa
