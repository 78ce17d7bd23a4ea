// Programs repaired as a whole.

#include "sanitizer/fix_program.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;
using test::FoundIn;

TEST(FixProgram, SixMistakesOfAKernelOfThreeCalls) {
  Case c = CaseOf(
      "IN 0 0 1024; MINR 4096 0 0 4; MINR 8192 4096 4096 4; OUT 8192 8192 "
      "1024");
  // Bytes instead of DataBlocks, an odd place, too many lanes; no flag at all.
  c.program[1] = With(c.program[1], "src0RepStride", std::int64_t{256});
  c.program[2] = With(c.program[2], "mask", std::int64_t{200});
  c.program[3] = With(c.program[3], "src.at", std::int64_t{8200});
  const FixedProgram fixed = FixProgram(c);
  EXPECT_EQ(FoundIn(fixed.c), "none");
  EXPECT_EQ(fixed.done.size(), 6u);
  EXPECT_EQ(fixed.done[0],
            "step 1 Min: src0RepStride is in DataBlocks of 32 bytes: you wrote "
            "256; 8 makes the call legal and reads what 256 bytes would");
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
            "the other 345 need a second call; 2 calls put in behind it");
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

TEST(FixProgram, FlagsAreEachPutInOnce) {
  const FixedProgram fixed = FixProgram(
      CaseOf("IN 0 0 256; MIN 1024 0 0 256; OUT 8192 1024 256; IN 0 256 256; "
             "MIN 1024 0 0 256; OUT 8448 1024 256"));
  EXPECT_EQ(FoundIn(fixed.c), "none");
}

TEST(FixProgram, FlagsAndModesThatAreLeft) {
  EXPECT_EQ(FoundIn(FixProgram(CaseOf("+MTE2_V 0; COUNT")).c), "none");
  EXPECT_EQ(FoundIn(FixProgram(CaseOf("-MTE2_V 0; MIN 0 512 1024 256")).c),
            "none");
}

TEST(FixProgram, WhatCantBeRepairedStays) {
  Case c = CaseOf("MIN 8192 0 4096 256");
  c.product = isa::Product::kAtlas200_300_500;
  const FixedProgram fixed = FixProgram(c);
  EXPECT_EQ(fixed.c.program, c.program);
  EXPECT_TRUE(fixed.done.empty());
}

TEST(FixProgram, ExpectationsAreOfTheProgramThatWas) {
  Case c = CaseOf("MIN 8192 0 4096 256");
  c.expect.emplace();
  EXPECT_FALSE(FixProgram(c).c.expect);
}

TEST(FixProgram, WhatFollowsFromAMaskIsNotRepairedItself) {
  Case c = CaseOf(
      "IN 0 0 256; |ALL; MINB 1024 0 0 0xffff; MINF 2048 0 0; |ALL; OUT 8192 "
      "2048 256");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  const FixedProgram fixed = FixProgram(c);
  EXPECT_EQ(FoundIn(fixed.c), "none");
  ASSERT_EQ(fixed.done.size(), 1u);
  EXPECT_TRUE(fixed.done[0].starts_with("STATE-MASK-LEFTOVER"))
      << fixed.done[0];
  EXPECT_EQ(fixed.c.program.back(), c.program.back());
}

TEST(FixProgram, CountsAreLoweredLast) {
  Case c = CaseOf("IN 0 0 128; MIN 1024 0 0 256");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  const FixedProgram fixed = FixProgram(c);
  EXPECT_EQ(FoundIn(fixed.c), "none");
  ASSERT_EQ(fixed.done.size(), 2u);
  EXPECT_NE(fixed.done[1].find("reads only what is written"),
            std::string::npos);
}

}  // namespace
}  // namespace lanediff::lint
