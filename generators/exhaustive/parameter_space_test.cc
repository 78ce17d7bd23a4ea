#include "generators/exhaustive/parameter_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/testcase/case_writer.h"
#include "generators/exhaustive/testing.h"

namespace lanediff::make::exhaust {
namespace {

TEST(ParameterSpaces, NoCaseStandsTwice) {
  for (const auto& space : Spaces()) {
    if (space->point_word() != "cases") continue;
    SCOPED_TRACE(space->name());
    EXPECT_LT(space->calls(), 4'000'000u);
    EXPECT_EQ(space->points(), space->calls());
    std::set<std::string> texts;
    std::uint64_t taken = 0;
    const std::uint64_t apart = space->calls() / 2000;
    for (std::uint64_t call = 0; call < space->calls(); call += apart) {
      for (std::uint64_t i = call; i < std::min(call + 2, space->calls());
           ++i, ++taken) {
        Case c = space->CaseAt(i);
        for (auto& image : c.memory) {
          if (image) image->regions.clear();  // all the same, and long
        }
        texts.insert(WriteCase(c));
      }
    }
    EXPECT_EQ(texts.size(), taken);
  }
}

TEST(ParameterSpaces, HoldLegalAndIllegalCallsThatAgree) {
  for (const auto& space : Spaces()) {
    if (space->point_word() != "cases") continue;
    SCOPED_TRACE(space->name());
    int legal = 0;
    int illegal = 0;
    // Steps of an odd number meet all values of an axis of two.
    const std::uint64_t apart = space->calls() / 3000 | 1;
    for (std::uint64_t call = 0; call < space->calls(); call += apart) {
      const diff::Comparison result =
          diff::CompareCase(space->CaseAt(call), Emulator(), Oracle());
      EXPECT_TRUE(result.findings.empty()) << call;
      EXPECT_FALSE(result.unsupported) << call;
      ++(result.rejected ? illegal : legal);
    }
    EXPECT_GT(legal, 5);
    EXPECT_GT(illegal, 5);
  }
}

TEST(ParameterSpaces, AGridIsWrittenInMixedRadix) {
  using Call = isa::VecTrans;
  using D = Draft<Call>;
  const Grid<Call> grid{
      "test",
      {Numbers<Call>("a", {5, 7},
                     [](D& d, std::int64_t v) { d.call.repeat_times = v; }),
       Numbers<Call>("b", {1, 2, 3},
                     [](D& d, std::int64_t v) { d.call.src.at = v; })}};
  ASSERT_EQ(grid.size(), 6u);
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (std::uint64_t n = 0; n < grid.size(); ++n) {
    D draft;
    grid.Set(n, draft);
    all.emplace_back(draft.call.repeat_times, draft.call.src.at);
  }
  const std::vector<std::pair<std::int64_t, std::int64_t>> wanted = {
      {5, 1}, {5, 2}, {5, 3}, {7, 1}, {7, 2}, {7, 3}};
  EXPECT_EQ(all, wanted);
  EXPECT_EQ(grid.Text(), "test (6 cases): a {5 7} x b {1 2 3}");
}

}  // namespace
}  // namespace lanediff::make::exhaust
