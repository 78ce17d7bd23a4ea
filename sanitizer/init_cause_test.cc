// Why bytes that are read were not written.

#include "sanitizer/init_cause.h"

#include <gtest/gtest.h>

#include <string>

#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;

/// The causes of all INIT-READs, each behind the step that reads.
std::string CausesOf(Case c) {
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  Verdict verdict = Lint(c);
  FindCauses(c, verdict);
  std::string text;
  const auto add = [&](const std::vector<Hazard>& hazards) {
    for (const Hazard& hazard : hazards) {
      if (hazard.rule.text() != "INIT-READ") continue;
      text += (text.empty() ? "" : "; ") + std::to_string(hazard.later.step) +
              " " + std::string(hazard.later.operand) + ": " +
              (hazard.cause ? hazard.cause->text : "none");
    }
  };
  add(verdict.hazards);
  if (verdict.after) add(verdict.after->hazards);
  return text;
}

TEST(InitCause, ACallWithFewerLanesThanAreReadIsNamed) {
  Case c = CaseOf("IN 0 0 512; MINR 1024 0 0 2; MINR 2048 1024 0 2");
  c.program[1] = With(c.program[1], "mask", std::int64_t{120});
  EXPECT_EQ(CausesOf(c),
            "2 src0: step 1 Min writes 240 of the 256 bytes that this "
            "iteration reads; its mask has 120 lanes");
}

TEST(InitCause, TheStepThatLeftTheRegisterIsNamed) {
  Case c = CaseOf("IN 0 0 256; MINF 1024 0 0; RRS 2048 1024 128");
  c.program.insert(c.program.begin(),
                   isa::SetVectorMask{.high = 0, .low = 0xffff});
  EXPECT_EQ(CausesOf(c),
            "3 src: step 2 Min writes 32 of the 256 bytes that this iteration "
            "reads; it has 16 lanes under the mask of step 0");
}

TEST(InitCause, TheOneThatWritesMostAndOfEqualsTheLast) {
  EXPECT_EQ(CausesOf(CaseOf("IN 0 0 128; IN 0 0 64; IN 64 64 128; IN 4096 0 "
                            "128; MIN 1024 0 0 256")),
            "4 src0: step 2 DataCopy writes 128 of the 256 bytes that this "
            "iteration reads; 4 src1: step 2 DataCopy writes 128 of the 256 "
            "bytes that this iteration reads");
  EXPECT_EQ(CausesOf(CaseOf("IN 0 0 128; GET 512")), "1 src: none");
}

TEST(InitCause, WhatARejectedStepWouldWriteFollowsFromIt) {
  // The window of step 1 ends at 1280: what its many repeats would write
  // behind it does not count.
  Case c = CaseOf("IN 0 0 256; MINR 1024 0 0 1; GET 1024; GET 2048");
  c.program[1] = With(c.program[1], "repeatTimes", std::int64_t{256});
  EXPECT_EQ(CausesOf(c),
            "2 src: follows from step 1 Min, which is rejected; 3 src: none");
}

}  // namespace
}  // namespace lanediff::lint
