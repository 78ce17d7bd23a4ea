// Repairs of hazards that lack no call: tried, and the hazard is gone.

#include "sanitizer/hazard_repair.h"

#include <gtest/gtest.h>

#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;
using test::FoundIn;

/// The repair of the first hazard that is for one; `left` is what is found
/// with it.
std::string RepairOf(const Case& c, std::string* left = nullptr) {
  const Verdict verdict = Lint(c);
  const auto repairs = FindHazardRepairs(c, verdict);
  if (repairs.empty()) return "nothing to repair";
  const auto& [number, repair] = *repairs.begin();
  if (!repair) return "none";
  const Case repaired = Repaired(c, *repair);
  EXPECT_NE(Lint(repaired).hazards == verdict.hazards,
            !repair->follows_from.has_value());
  if (left != nullptr) *left = FoundIn(repaired);
  return repair->text;
}

Case Unwritten(std::string_view program) {
  Case c = CaseOf(program);
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  return c;
}

TEST(HazardRepair, AFlagBeyondTheIdsTakesTheLowestFreeOneAtBothEnds) {
  std::string left;
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 256; +MTE2_V 9; +MTE2_V 7; -MTE2_V 7; "
                            "-MTE2_V 9; MIN 1024 0 0 256"),
                     &left),
            "id 0 instead of 9 in steps 1, 4");
  EXPECT_EQ(left, "none");
  Case training = CaseOf("IN 0 0 256; +MTE2_V 4; -MTE2_V 4; MIN 1024 0 0 256");
  training.product = isa::Product::kAtlasTraining;
  EXPECT_EQ(RepairOf(training, &left), "id 0 instead of 4 in steps 1, 2");
  EXPECT_EQ(left, "none");
  EXPECT_EQ(RepairOf(CaseOf("+MTE2_V -1; -MTE2_V -1")),
            "id 0 instead of -1 in steps 0, 1");
  // 6 and 7 are reserved: only where no other one is free.
  const std::string six = "6×[+MTE2_V {i}; -MTE2_V {i}]; +MTE2_V 8; -MTE2_V 8";
  EXPECT_EQ(RepairOf(CaseOf(six)), "id 6 instead of 8 in steps 12, 13");
  EXPECT_EQ(RepairOf(CaseOf("2×[+MTE2_V {5*i}; -MTE2_V {5*i}]; +MTE2_V 8; "
                            "-MTE2_V 8")),
            "id 1 instead of 8 in steps 4, 5");
}

TEST(HazardRepair, AnEventThatTheProductLacksBecomesTheOneThatHelpsMost) {
  std::string left;
  EXPECT_EQ(
      RepairOf(CaseOf("IN 0 0 256; +M_V 0; -M_V 0; MIN 1024 0 0 256"), &left),
      "event MTE2_V instead of M_V in steps 1, 2");
  EXPECT_EQ(left, "none");
}

TEST(HazardRepair, ABarrierThatTheProductLacksBecomesOneOfAll) {
  std::string left;
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 256; |S; MIN 1024 0 0 256"), &left),
            "pipe ALL instead of S");
  EXPECT_EQ(left, "none");
}

TEST(HazardRepair, WhereTheProductHasNoSuchCallThereIsNone) {
  Case c = CaseOf("+MTE2_V 0; -MTE2_V 0");
  c.product = isa::Product::kAtlas200_300_500;
  EXPECT_EQ(RepairOf(c), "none");
  Case barrier = CaseOf("|V");
  barrier.product = isa::Product::kAtlas200_300_500;
  EXPECT_EQ(RepairOf(barrier), "none");
}

TEST(HazardRepair, UnwrittenBytesAreNotReadOrAreWritten) {
  std::string left;
  EXPECT_EQ(RepairOf(Unwritten("IN 0 0 128; |ALL; MIN 1024 0 0 256"), &left),
            "count 64 instead of 128 reads only what is written");
  EXPECT_EQ(left, "none");
  EXPECT_EQ(RepairOf(Unwritten("OUT 8192 0 256"), &left),
            "a region over UB bytes 0 to 255, or a copy there before step 0, "
            "makes them written");
  EXPECT_EQ(left, "none");
}

TEST(HazardRepair, WhatTrowprodLeavesInTmpHasNone) {
  EXPECT_EQ(RepairOf(CaseOf("PROD 0 512 1024; |ALL; GET 1024")), "none");
}

/// Of each hazard that has one, "RULE@step text", a line each.
std::string RepairsOf(const Case& c) {
  const Verdict verdict = Lint(c);
  std::string text;
  for (const auto& [number, repair] : FindHazardRepairs(c, verdict)) {
    const Hazard& hazard = verdict.hazards[number];
    text += std::string(hazard.rule.text()) + "@" +
            std::to_string(hazard.later.step) + " " +
            (repair ? repair->text : "none") + "\n";
  }
  return text;
}

constexpr std::string_view kCopyOut =
    "IN 0 0 256; |ALL; MIN 1024 0 0 256; +V_MTE3 0; -V_MTE3 0; OUT 8192 1024 "
    "256";

Case WithFlag(std::size_t step, isa::Event event, std::int64_t id) {
  Case c = CaseOf(kCopyOut);
  if (step == 3) c.program[3] = isa::SetFlag{event, id};
  if (step == 4) c.program[4] = isa::WaitFlag{event, id};
  return c;
}

TEST(HazardRepair, AFlagNamedOtherwiseThanItsOtherEndTakesItsName) {
  using enum isa::Event;
  std::string left;
  const Case swapped = WithFlag(4, kMte3V, 0);
  EXPECT_EQ(RepairsOf(swapped),
            "SYNC-FLAG-UNWAITED@3 event V_MTE3 instead of MTE3_V in step 4\n"
            "SYNC-FLAG-UNSET@4 goes with the repair of SYNC-FLAG-UNWAITED at "
            "step 3\n"
            "SYNC-RAW@5 goes with the repair of SYNC-FLAG-UNWAITED at step "
            "3\n");
  RepairOf(swapped, &left);
  EXPECT_EQ(left, "none");
  EXPECT_EQ(RepairOf(WithFlag(3, kMte3V, 0), &left),
            "event V_MTE3 instead of MTE3_V in step 3");
  EXPECT_EQ(left, "none");
  EXPECT_EQ(RepairOf(WithFlag(4, kVMte3, 1), &left),
            "id 0 instead of 1 in step 4");
  EXPECT_EQ(left, "none");
  EXPECT_EQ(RepairOf(WithFlag(4, kMte2V, 3), &left),
            "event V_MTE3 instead of MTE2_V and id 0 instead of 3 in step 4");
  EXPECT_EQ(left, "none");
}

TEST(HazardRepair, TheSecondOfTwoBuffersTakesItsOwnId) {
  std::string left;
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 256; +MTE2_V 0; IN 512 512 256; +MTE2_V 0; "
                            "-MTE2_V 0; MIN 1024 0 0 256; -MTE2_V 1; |V; "
                            "MIN 1024 512 512 256"),
                     &left),
            "id 1 instead of 0 in step 3");
  EXPECT_EQ(left, "none");
}

TEST(HazardRepair, APairThatOrdersNothingTakesTheEventThatDoes) {
  std::string left;
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 256; +V_MTE2 0; -V_MTE2 0; MIN 1024 0 0 "
                            "256"),
                     &left),
            "event MTE2_V instead of V_MTE2 in steps 1 and 2");
  EXPECT_EQ(left, "none");
  // This one is needed where it stands: it orders the copy behind step 0.
  EXPECT_EQ(RepairOf(CaseOf("MIN 1024 0 0 256; IN 512 512 256; +V_MTE2 0; "
                            "-V_MTE2 0; IN 0 0 256; MIN 2048 512 512 256")),
            "nothing to repair");
}

TEST(HazardRepair, ABarrierOfAnotherPipeTakesTheOneThatOrders) {
  std::string left;
  EXPECT_EQ(
      RepairOf(CaseOf("MIN 1024 0 512 256; |MTE2; MIN 2048 1024 0 256"), &left),
      "pipe V instead of MTE2 in step 1");
  EXPECT_EQ(left, "none");
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 256; |V; MIN 1024 0 0 256"), &left),
            "pipe ALL instead of V in step 1");
  EXPECT_EQ(left, "none");
  // It orders the two calls of V; of ALL it orders all three.
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 256; MIN 1024 512 512 256; |V; MIN 1024 "
                            "0 0 256")),
            "nothing to repair");
}

TEST(HazardRepair, ARaceFollowsFromAFlagWithoutItsWait) {
  EXPECT_EQ(RepairsOf(CaseOf("IN 0 0 256; +MTE2_V 0; IN 256 256 256; +MTE2_V "
                             "1; -MTE2_V 0; MIN 1024 0 256 256")),
            "SYNC-RAW@5 follows from SYNC-FLAG-UNWAITED at step 3, whose flag "
            "orders these\n");
}

TEST(HazardRepair, RacesAndStateLackCalls) {
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 256; MIN 1024 0 0 256; COUNT")),
            "nothing to repair");
}

TEST(HazardRepair, OfManyIterationsAllBytesAreReported) {
  std::string left;
  EXPECT_EQ(RepairOf(Unwritten("MINR 8192 0 0 8")),
            "a region over UB bytes 0 to 2047, or a copy there before step 0, "
            "makes them written");
  Case apart = Unwritten("MINR 65536 0 0 8");
  for (const std::string name : {"src0", "src1"}) {
    isa::Step& step = apart.program[0];
    step = With(step, name + "RepStride", std::int64_t{16});
    step = With(step, name + ".bytes", std::int64_t{4096});
  }
  EXPECT_EQ(RepairOf(apart),
            "a region over UB bytes 0 to 255, UB bytes 512 to 767, UB bytes "
            "1024 to 1279, UB bytes 1536 to 1791 and 4 more runs up to byte "
            "3839, or a copy there before step 0, makes them written");
}

TEST(HazardRepair, BytesThatAMaskLeftOutFollowFromIt) {
  EXPECT_EQ(RepairOf(Unwritten("IN 0 0 256; |ALL; MINB 1024 0 0 0xffff; MINF "
                               "2048 0 0; |ALL; OUT 8192 2048 256")),
            "follows from STATE-MASK-LEFTOVER at step 3, whose call writes "
            "these bytes");
}

}  // namespace
}  // namespace lanediff::lint
