// Programs cut down to one finding.

#include "sanitizer/alone.h"

#include <gtest/gtest.h>

#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;
using test::FoundIn;

/// The smallest program of hazard `number`, and how many findings are with it.
AloneCase AloneOf(const Case& c, std::size_t number) {
  const Verdict verdict = Lint(c);
  const auto alone = ShowAlone(c, verdict.hazards.at(number));
  EXPECT_TRUE(alone);
  if (!alone) return {};
  EXPECT_EQ(Lint(alone->c).hazards.size(), 1 + alone->others);
  return *alone;
}

TEST(Alone, ARaceIsItsTwoOperations) {
  const Case c = CaseOf(
      "SET 9000; IN 0 0 256; MIN 4096 512 512 256; MIN 1024 0 0 256; OUT 8192 "
      "1024 256; +MTE2_V 3");
  const AloneCase alone = AloneOf(c, 0);
  EXPECT_EQ(FoundIn(alone.c), "RAW 0→1 UB 0+256/256 ×1 MTE2_V 0");
  EXPECT_EQ(alone.others, 0u);
  EXPECT_EQ(alone.c.program.size(), 2u);
  EXPECT_EQ(alone.c.program[1], c.program[3]);
  EXPECT_LT(alone.c.memory[0]->size, c.memory[0]->size) << "memories are cut";
}

TEST(Alone, WhatAHazardNeedsStays) {
  // The set flag decides: without it the second one is no mistake.
  const AloneCase twice =
      AloneOf(CaseOf("IN 0 0 256; +MTE2_V 0; MIN 1024 512 512 256; +MTE2_V 0; "
                     "-MTE2_V 0"),
              0);
  EXPECT_EQ(FoundIn(twice.c), "FLAG-TWICE 1 (0)");
  EXPECT_EQ(twice.c.program.size(), 3u) << "the wait stays, or it is unwaited";
  Case unknown = CaseOf("IN 0 0 256; |ALL; RRSF 1024 0");
  unknown.lint.start_unknown = true;
  const AloneCase masked = AloneOf(unknown, 0);
  EXPECT_EQ(masked.c.program.size(), 1u);
  EXPECT_TRUE(masked.c.lint.start_unknown);
  EXPECT_FALSE(masked.c.lint.sync);
}

TEST(Alone, OfPropagatedBytesTheWayStays) {
  Case c = CaseOf(
      "IN 0 0 128; |ALL; IN 4096 0 256; MIN 1024 0 0 256; |ALL; OUT 8192 1024 "
      "256");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  c.lint.propagate = true;
  const Verdict verdict = Lint(c);
  ASSERT_EQ(verdict.hazards.size(), 1u);
  const AloneCase alone = AloneOf(c, 0);
  EXPECT_LE(alone.c.program.size(), 3u);
  EXPECT_EQ(Lint(alone.c).hazards[0].rule, verdict.hazards[0].rule);
  EXPECT_TRUE(Lint(alone.c).hazards[0].earlier);
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

TEST(Alone, ALongProgramIsCutAtOnce) {
  const Case c = CaseOf("3000×[MIN 1024 0 0 256; |V]; IN 0 0 256");
  const AloneCase alone = AloneOf(c, 0);
  EXPECT_EQ(alone.c.program.size(), 2u);
  EXPECT_EQ(alone.others, 0u);
}

TEST(Alone, WhatWroteTheBytesGoesIfTheyMayCountAsWritten) {
  Case c = CaseOf(
      "IN 0 0 256; |ALL; MIN 1024 0 0 256; |ALL; RRS 2048 1024 128; GET 2048");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  ASSERT_EQ(FoundIn(c).substr(0, 5), "RAW 4") << FoundIn(c);
  EXPECT_EQ(AloneOf(c, 0).c.program.size(), 2u);
}

TEST(Alone, FlagsGoWithBothEnds) {
  const AloneCase alone = AloneOf(
      CaseOf("+MTE2_V 0; +V_S 1; SET 4096; -V_S 1; +MTE2_V 0; -MTE2_V 0"), 0);
  EXPECT_EQ(FoundIn(alone.c), "FLAG-TWICE 1 (0)");
  EXPECT_EQ(alone.c.program.size(), 3u);
}

TEST(Alone, NoOtherFindingCountsMoreThanFewerSteps) {
  const AloneCase alone =
      AloneOf(CaseOf("IN 0 0 256; +MTE2_V 0; IN 512 512 256; +MTE2_V 0; "
                     "-MTE2_V 0; -MTE2_V 0; MIN 1024 0 512 256"),
              0);
  EXPECT_EQ(FoundIn(alone.c), "FLAG-TWICE 1 (0)");
  EXPECT_EQ(alone.others, 0u);
  EXPECT_EQ(alone.c.program.size(), 3u);
  // Without the first copy src0 would be unwritten as well.
  Case c = CaseOf("IN 0 0 256; |ALL; MIN 1024 0 512 256");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  EXPECT_EQ(AloneOf(c, 0).others, 0u);
}

}  // namespace
}  // namespace lanediff::lint
