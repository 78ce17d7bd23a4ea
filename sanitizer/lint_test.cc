#include "sanitizer/lint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sanitizer/program_text.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;
using test::FoundIn;

TEST(Lint, RegisterOfTheEarlierStepDecidesWhichLanesItTouched) {
  // The first call writes lanes 0 to 3 alone; the copy after it reads 4 to 67.
  Case c = CaseOf("MINF 1024 0 512; OUT 8192 1024 256");
  c.program.insert(c.program.begin(),
                   isa::SetVectorMask{.high = 0, .low = 0xf});
  EXPECT_EQ(FoundIn(c), "RAW 1→2 UB 1024+8/8 ×1 V_MTE3 0");
}

TEST(Lint, WithoutSyncEachStepEndsBeforeTheNext) {
  Case c = CaseOf("IN 0 0 256; MIN 1024 0 0 256");
  c.lint.sync.reset();
  EXPECT_EQ(FoundIn(c), "none");
  EXPECT_FALSE(Lint(c).racecheck);
  Case copies = CaseOf("IN 0 0 256; IN 0 0 256");
  copies.lint.sync.reset();
  EXPECT_EQ(FoundIn(copies), " rejected 1");
}

TEST(Lint, WhatFollowsARejectedStepIsReportedApart) {
  // MINR with a repeat of 256 breaks a range; the flags after it are looked at.
  const Case c = CaseOf(
      "IN 0 0 256; MINR 1024 0 0 256; MIN 1024 0 0 256; +V_MTE3 9; +V_MTE3 1");
  const Verdict verdict = Lint(c);
  EXPECT_TRUE(verdict.hazards.empty());
  ASSERT_TRUE(verdict.rejected);
  EXPECT_EQ(verdict.rejected->step, 1u);
  ASSERT_TRUE(verdict.after);
  ASSERT_EQ(verdict.after->hazards.size(), 2u);
  EXPECT_EQ(verdict.after->hazards[0].rule.text(), "SYNC-RAW");
  EXPECT_EQ(verdict.after->hazards[0].earlier->step, 0u);
  EXPECT_EQ(verdict.after->hazards[1].rule.text(), "SYNC-FLAG-ID");
  EXPECT_EQ(verdict.after->at_end.size(), 1u);
}

TEST(Lint, WhatIsOpenBehindARejectedStepIsReportedAndNotJudged) {
  // Set before the rejected step as well as after it.
  const Verdict verdict = Lint(CaseOf(
      "+V_MTE3 0; MINR 1024 0 0 256; COUNT; +V_MTE3 1; -V_MTE3 1; +V_S 2"));
  ASSERT_TRUE(verdict.after);
  EXPECT_TRUE(verdict.after->hazards.empty());
  std::vector<std::string> open;
  for (const Hazard& h : verdict.after->at_end) {
    open.push_back(std::string(h.rule.text()) + std::to_string(h.later.step));
    EXPECT_EQ(h.fix.size(), 1u) << "what is missing is reported";
  }
  EXPECT_EQ(open, (std::vector<std::string>{"SYNC-FLAG-UNWAITED0",
                                            "STATE-COUNTER-LEFT2",
                                            "SYNC-FLAG-UNWAITED5"}));
  const Verdict ended = Lint(CaseOf("+V_MTE3 0; COUNT"));
  EXPECT_EQ(ended.hazards.size(), 2u) << "where it ends they are hazards";
  EXPECT_FALSE(ended.after);
}

TEST(Lint, ChainOfFlagsOverThreePipesOrders) {
  EXPECT_EQ(
      FoundIn(CaseOf("IN 0 0 256; +MTE2_V 0; -MTE2_V 0; +V_MTE3 0; "
                     "-V_MTE3 0; +MTE3_MTE2 0; -MTE3_MTE2 0; IN 0 0 256")),
      "none");
  EXPECT_EQ(FoundIn(CaseOf("IN 0 0 256; +MTE2_V 0; -MTE2_V 0; +V_MTE3 0; "
                           "-V_MTE3 0; +MTE3_MTE2 0; IN 0 0 256")),
            "FLAG-UNWAITED 5; WAW 0→6 UB 0+256/256 ×1 |MTE2");
}

TEST(Lint, UnwrittenBytesMayTravelUntilTheyLeave) {
  Case c =
      CaseOf("IN 0 0 128; |ALL; MIN 1024 0 0 256; |ALL; OUT 8192 1024 256");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  EXPECT_EQ(FoundIn(c),
            "INIT-READ 2 src0 UB 128+128/128 ×1; "
            "INIT-READ 2 src1 UB 128+128/128 ×1");
  c.lint.propagate = true;
  EXPECT_EQ(FoundIn(c), "INIT-READ 2→4 UB 1152+128/128 ×1");
  Case part =
      CaseOf("IN 0 0 128; |ALL; MIN 1024 0 0 256; |ALL; OUT 8192 1024 128");
  part.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  part.lint.propagate = true;
  EXPECT_EQ(FoundIn(part), "none");
}

TEST(Lint, ASumOfOneUnwrittenLaneIsUnwritten) {
  Case c = CaseOf(
      "IN 0 0 128; |ALL; RRS 1024 0 65; GET 1024; RRS 1024 0 64; "
      "GET 1024");
  c.lint.sync->automatic = true;
  c.lint.propagate = true;
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  EXPECT_EQ(FoundIn(c), "INIT-READ 2→3 UB 1024+2/2 ×1");
}

/// Of each memory the first 13 bytes alone are written.
void LeaveThirteenBytes(Case& c) {
  for (const isa::Memory memory : {isa::Memory::kGm, isa::Memory::kUb}) {
    auto& image = c.memory[static_cast<std::size_t>(memory)];
    image->initialised = false;
    image->regions = {Region{.at = 0, .dtype = {}, .bytes = {}}};
    image->regions[0].bytes.resize(13);
  }
  c.lint.sync.reset();
  c.lint.propagate = true;
}

TEST(Lint, UnwrittenBytesAreCopiedByBytesNotByElements) {
  Case copied = CaseOf("IN 2048 0 32; OUT 8192 2048 32");
  LeaveThirteenBytes(copied);
  EXPECT_EQ(FoundIn(copied), "INIT-READ 0→1 UB 2061+19/19 ×1");
  // Element 6, the second byte of which is unwritten, becomes row 6.
  Case turned = CaseOf("VT 2048 0 1; OUT 8192 2240 32");
  LeaveThirteenBytes(turned);
  EXPECT_EQ(FoundIn(turned), "INIT-READ 0→1 UB 2241+31/31 ×1");
}

TEST(Lint, GroupsAreThoseOfTheSanitizers) {
  const auto group = [](std::string_view rule) {
    return isa::Name(GroupOf(isa::RuleId(rule)));
  };
  EXPECT_EQ(group("MIN-BOUNDS"), "memcheck");
  EXPECT_EQ(group("RRS-SRC-ALIGN"), "memcheck");
  EXPECT_EQ(group("MIN-OVERLAP-SOURCES"), "memcheck");
  EXPECT_EQ(group("SCALAR-BOUNDS"), "memcheck");
  EXPECT_EQ(group("DC-BARRIER"), "racecheck");
  EXPECT_EQ(group("SYNC-WAR"), "racecheck");
  EXPECT_EQ(group("INIT-READ"), "initcheck");
  EXPECT_EQ(group("SYNC-BARRIER-PIPE"), "synccheck");
  EXPECT_EQ(group("STATE-MODE-UNKNOWN"), "maskcheck");
  EXPECT_EQ(group("STATE-MASK-PRODUCT"), "legality");
  EXPECT_EQ(group("MIN-REPEAT"), "legality");
}

}  // namespace
}  // namespace lanediff::lint
