// The corpus against the mutants: what it finds, and what is left to others.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diff/case_reader.h"
#include "diff/check.h"
#include "diff/target.h"
#include "mutants/mutant.h"

namespace lanediff::diff {
namespace {

namespace fs = std::filesystem;

/// Mutants that agree with the oracle on every case of the corpus. Properties,
/// sweeps and fuzzing have to find them; a case that finds one takes it off.
const std::set<std::string_view> kNotFoundByCorpus = {
    "rrs-src-rep-stride-8-bit",
    "min-dst-rep-stride-256-accepted",
    "min-src1-align-16",
    "min-overlap-count-first-iteration",
    "min-src0-blk-stride-zero-as-one",
    "min-count-16-bit",
    "min-count-first-255-iterations",
    "min-float-subnormals-flushed",
    "min-float-through-half",
    "dc-barrier-first-block-only",
    "dc-src-gap-65536-accepted",
    "dc-dst-gap-negative-accepted",
    "dc-count-16-bit",
    "dc-ub-to-l1-on-mte3",
    "trp-larger-tmp-accepted",
    "trp-rows-8-bit",
    "trp-tmp-from-the-left",
    "trp-subnormals-flushed",
    "trp-by-logarithms",
    "trp-vecin-accepted"};

std::vector<Case> CasesIn(std::string_view room) {
  std::vector<Case> cases;
  const fs::path folder = fs::path(LANEDIFF_SOURCE_DIR) / "corpus" / room;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    auto c = ReadCaseFile(entry.path().string());
    EXPECT_TRUE(c) << entry.path() << ": " << c.error();
    if (c) cases.push_back(std::move(*c));
  }
  return cases;
}

/// Whether `lanediff check` on `cases` would end in a disagreement.
bool Disagrees(const std::vector<Case>& cases, const Target& target) {
  const Target& oracle = **FindTarget("oracle");
  return std::ranges::any_of(cases, [&](const Case& c) {
    return !CheckCase(c, target, oracle).findings.empty();
  });
}

class CorpusAgainst : public testing::TestWithParam<std::string_view> {};

TEST_P(CorpusAgainst, MutantsOfARoom) {
  const std::vector<Case> own = CasesIn(GetParam());
  const std::vector<Case> programs = CasesIn("program");
  const Target& emulator = **FindTarget("emulator");
  EXPECT_FALSE(Disagrees(own, emulator) || Disagrees(programs, emulator));
  int mutants = 0;
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    if (mutant.room != GetParam()) continue;
    ++mutants;
    const auto target = FindTarget("mutant:" + std::string(mutant.name));
    ASSERT_TRUE(target) << target.error();
    EXPECT_EQ(Disagrees(own, **target) || Disagrees(programs, **target),
              !kNotFoundByCorpus.contains(mutant.name))
        << mutant.name << " " << mutant.rule.text() << ": " << mutant.defect;
  }
  EXPECT_GE(mutants, 10);
}

INSTANTIATE_TEST_SUITE_P(Rooms, CorpusAgainst,
                         testing::Values(isa::RepeatReduceSum::kRoom,
                                         isa::Min::kRoom, isa::DataCopy::kRoom,
                                         isa::Trowprod::kRoom,
                                         isa::VecTrans::kRoom),
                         [](const auto& room) {
                           return std::string(room.param);
                         });

TEST(MutantTargets, AreNamedOnTheCommandLine) {
  const auto target = FindTarget("mutant:rrs-left-fold");
  ASSERT_TRUE(target) << target.error();
  EXPECT_EQ((*target)->name(), "mutant:rrs-left-fold");
  EXPECT_EQ(*FindTarget("mutant:rrs-left-fold"), *target);
}

TEST(MutantTargets, UnknownOnesGiveOneLine) {
  EXPECT_EQ(FindTarget("mutant:rrs").error(),
            "no mutant \"rrs\"; \"lanediff list mutants\" names them");
  EXPECT_EQ(FindTarget("mutant").error(),
            "no target \"mutant\"; emulator, oracle, mutant:NAME are there");
}

}  // namespace
}  // namespace lanediff::diff
