#include "sanitizer/lint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sanitizer/alone.h"
#include "sanitizer/program_text.h"
#include "sanitizer/repair.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;
using test::FoundIn;

TEST(Lint, WithoutSyncThereIsNoRacecheck) {
  Case c = CaseOf("IN 0 0 256; MIN 1024 0 0 256");
  EXPECT_TRUE(Lint(c).racecheck);
  c.lint.sync.reset();
  EXPECT_FALSE(Lint(c).racecheck);
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

TEST(Alone, ARejectedStepBreaksTheSameRules) {
  const Case c = CaseOf("IN 0 0 256; MINR 1024 0 0 256; MIN 4096 0 0 256");
  const Verdict verdict = Lint(c);
  ASSERT_TRUE(verdict.rejected);
  const auto alone = ShowAlone(c, *verdict.rejected);
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->c.program.size(), 1u);
  EXPECT_EQ(alone->step, 0u);
  EXPECT_EQ(Lint(alone->c).rejected->rules, verdict.rejected->rules);
}

TEST(FixProgram, WhatDoesNotFitOneCallIsDoneByMore) {
  Case c = CaseOf("IN 0 0 256; |ALL; MINR 0 0 0 600");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = true;
  c.program[0] = isa::SetMaskNorm{};
  for (const char* window : {"dst", "src0", "src1"}) {
    c.program[2] = With(c.program[2], std::string(window) + ".bytes",
                        std::int64_t{153600});
  }
  const FixedProgram fixed = FixProgram(c);
  EXPECT_EQ(FoundIn(fixed.c), "none");
  ASSERT_EQ(fixed.c.program.size(), 5u);
  EXPECT_TRUE(fixed.left.empty());
  EXPECT_EQ(fixed.done[0],
            "step 2 Min: repeatTimes 255 instead of 600 makes the call legal; "
            "2 calls behind it do the other 345");
  std::int64_t at = 0;
  for (std::size_t step = 2; step < 5; ++step) {
    EXPECT_EQ(IntegerOf(fixed.c.program[step], "src1.at"), at);
    const auto repeats = IntegerOf(fixed.c.program[step], "repeatTimes");
    at += repeats.value_or(0) * 256;
  }
  EXPECT_EQ(at, 600 * 256) << "nothing is done twice or not at all";
}

TEST(FixProgram, IterationsThatNoCallCanDoAreLeft) {
  // The window has space for two: a third call would read beyond it.
  Case c = CaseOf("MINR 0 0 0 2");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->size = 512;
  c.program[0] = With(c.program[0], "repeatTimes", std::int64_t{3});
  const FixedProgram fixed = FixProgram(c);
  EXPECT_EQ(FoundIn(fixed.c), "none");
  EXPECT_EQ(fixed.c.program.size(), 1u);
  EXPECT_EQ(fixed.left, std::vector<std::string>{
                            "step 0 Min: 1 iteration less than were written"});
}

TEST(FixProgram, ExpectationsAreOfTheProgramThatWas) {
  Case c = CaseOf("MIN 8192 0 4096 256");
  c.expect.emplace();
  EXPECT_FALSE(FixProgram(c).c.expect);
}

TEST(FixProgram, PlacesOfCallsGoWhereStepsAreAdded) {
  Case c = CaseOf("MINR 65536 0 0 256");
  c.sources.resize(1);
  const FixedProgram fixed = FixProgram(c);
  EXPECT_EQ(fixed.c.program.size(), 2u);
  EXPECT_TRUE(fixed.c.sources.empty());
}

}  // namespace
}  // namespace lanediff::lint
