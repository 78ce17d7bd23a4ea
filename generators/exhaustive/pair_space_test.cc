#include "generators/exhaustive/pair_space.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "differential/compare/compare.h"
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
  // Sums, products and larger or smaller values; of five calls on integers.
  ASSERT_EQ(spaces.size(), 2 * 2 + 2 + 2 * 3 + 3 * 4u);
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

}  // namespace
}  // namespace lanediff::make::exhaust
