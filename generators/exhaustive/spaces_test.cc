#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/testcase/case_writer.h"
#include "generators/exhaustive/pair_space.h"
#include "generators/exhaustive/parameter_space.h"
#include "generators/exhaustive/testing.h"

namespace lanediff::make::exhaust {
namespace {

using isa::Memory;

std::vector<const PairSpace*> AllPairSpaces() {
  std::vector<const PairSpace*> found;
  for (const auto& space : Spaces()) {
    if (const auto* pairs = dynamic_cast<const PairSpace*>(space.get())) {
      found.push_back(pairs);
    }
  }
  return found;
}

TEST(PairSpaces, AreOfTwoToThe32) {
  const auto spaces = AllPairSpaces();
  for (const auto& [slug, count] : {std::pair("repeat_reduce_sum", 2),
                                    {"trowprod", 2},
                                    {"min", 3},
                                    {"max", 3},
                                    {"add", 4},
                                    {"sub", 4},
                                    {"mul", 4}}) {
    EXPECT_EQ(std::ranges::count(spaces, slug, &PairSpace::slug), count);
  }
  std::set<std::string_view> names;
  for (const PairSpace* space : spaces) {
    names.insert(space->name());
    EXPECT_EQ(space->points(), std::uint64_t{1} << 32);
    EXPECT_EQ(FindSpace(space->name()), space);
    const std::uint64_t last = space->calls() - 1;
    EXPECT_EQ(last * space->PointsIn(0) + space->PointsIn(last),
              space->points())
        << space->name();
  }
  EXPECT_EQ(names.size(), spaces.size());
}

TEST(PairSpaces, EachPairIsInOneCall) {
  for (const PairSpace* space : AllPairSpaces()) {
    SCOPED_TRACE(space->name());
    const std::uint64_t last = space->calls() - 1;
    for (std::uint64_t call : {std::uint64_t{0}, last / 2, last}) {
      const std::vector<std::uint64_t> pairs = PairsOf(space->CaseAt(call));
      ASSERT_EQ(pairs.size(), space->PointsIn(call));
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        ASSERT_EQ(pairs[i], call * space->PointsIn(0) + i);
      }
    }
    EXPECT_EQ(PairsOf(space->CaseAt(last)).back(), 0xffffffffu);
    EXPECT_EQ(PairsOf(space->CaseOf(0x12345678, 1)),
              std::vector<std::uint64_t>{0x12345678});
  }
}

TEST(PairSpaces, EveryCallIsLegalAndAgrees) {
  for (const PairSpace* space : AllPairSpaces()) {
    SCOPED_TRACE(space->name());
    for (std::uint64_t call : {std::uint64_t{0}, space->calls() - 1}) {
      const diff::Comparison result =
          diff::CompareCase(space->CaseAt(call), Emulator(), Oracle());
      EXPECT_TRUE(result.findings.empty());
      EXPECT_FALSE(result.rejected);
      EXPECT_EQ(result.written_elements,
                static_cast<std::int64_t>(space->PointsIn(call)));
    }
    // The lean loop, over the short last call and back.
    const auto walker = space->Open(Emulator(), Oracle(), isa::kNewestEdition);
    Tally tally;
    walker->Run(0, tally);
    walker->Run(space->calls() - 1, tally);
    walker->Run(0, tally);
    EXPECT_EQ(tally.calls, 3u);
    EXPECT_EQ(tally.points,
              2 * space->PointsIn(0) + space->PointsIn(space->calls() - 1));
    EXPECT_EQ(tally.disagree, 0u);
  }
}

TEST(PairSpaces, SaturationModesDiffer) {
  const auto outcome = [](std::string_view name) {
    const auto* space = dynamic_cast<const PairSpace*>(FindSpace(name));
    const Case c = space->CaseOf(0x7bff7bff, 1);  // 65504 and 65504
    diff::MemorySet memory(c);
    const auto session = Oracle().Open(c.profile(), memory.view());
    for (const isa::Step& step : c.program) session->Execute(step);
    return memory[Memory::kUb][0] | memory[Memory::kUb][1] << 8;
  };
  EXPECT_EQ(outcome("sum-half-saturating"), 0x7bff);
  EXPECT_EQ(outcome("sum-half-ieee"), 0x7c00);
  EXPECT_EQ(outcome("product-half-saturating"), 0x7bff);
  EXPECT_EQ(outcome("product-half-ieee"), 0x7c00);
  // 31743 and 31743 as integers.
  EXPECT_EQ(outcome("add-int16-saturating"), 0x7fff);
  EXPECT_EQ(outcome("add-int16-wrapping"), 0xf7fe);
}

std::vector<const Space*> ParameterSpaces() {
  std::vector<const Space*> found;
  for (const auto& space : Spaces()) {
    if (space->point_word() == "cases") found.push_back(space.get());
  }
  return found;
}

TEST(ParameterSpaces, NoCaseStandsTwice) {
  for (const Space* space : ParameterSpaces()) {
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
  for (const Space* space : ParameterSpaces()) {
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
  const isa::Signature& row = *isa::FindSignature("vec_trans");
  Grid grid{"test", {}};
  AddIntegers(grid, row, {{isa::Param::kRepeatTimes, {5, 7}}});
  grid.axes.push_back(SrcAt({1, 2, 3}));
  ASSERT_EQ(grid.size(), 6u);
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (std::uint64_t n = 0; n < grid.size(); ++n) {
    Draft draft;
    draft.call = isa::CallOf(row);
    grid.Set(n, draft);
    all.emplace_back(draft.call[isa::Param::kRepeatTimes],
                     draft.call.src(0).at);
  }
  const std::vector<std::pair<std::int64_t, std::int64_t>> wanted = {
      {5, 1}, {5, 2}, {5, 3}, {7, 1}, {7, 2}, {7, 3}};
  EXPECT_EQ(all, wanted);
  EXPECT_EQ(grid.Text(), "test (6 cases): repeat_times {5 7} x src.at {1 2 3}");
}

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

TEST(Versions, DifferFromSpaceToSpace) {
  std::set<std::string> versions;
  for (const auto& space : Spaces()) versions.insert(VersionOf(*space));
  EXPECT_EQ(versions.size(), Spaces().size());
}

}  // namespace
}  // namespace lanediff::make::exhaust
