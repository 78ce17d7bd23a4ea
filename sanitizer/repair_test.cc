// Repairs that were tried: what they change, and that they are legal.

#include "sanitizer/repair.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;

/// The repair of the program's first rejected step, which must be legal in it.
std::string RepairOf(const Case& c) {
  const std::vector<Diagnosis> diagnoses = Diagnose(c, Lint(c));
  if (diagnoses.empty()) return "nothing is rejected";
  if (!diagnoses[0].repair) return std::string(kNoRepair);
  const Repair& repair = *diagnoses[0].repair;
  EXPECT_LE(repair.changes.size(), kMostChanges);
  const Verdict after = Lint(Repaired(c, diagnoses[0].step, repair));
  const std::size_t step = diagnoses[0].step + repair.before.size();
  EXPECT_TRUE(!after.rejected || after.rejected->step > step) << repair.text;
  return repair.text;
}

/// `program` with another value in a slot of its last step.
Case CaseWith(std::string_view program, std::string_view field,
              const SlotValue& value) {
  Case c = CaseOf(program);
  c.program.back() = With(c.program.back(), field, value);
  return c;
}

std::int64_t I(std::int64_t value) { return value; }

TEST(Repair, StrideInBytes) {
  EXPECT_EQ(RepairOf(CaseWith("MINR 8192 0 4096 4", "src0RepStride", I(256))),
            "src0RepStride is in DataBlocks of 32 bytes: you wrote 256; 8 "
            "makes the call legal and reads what 256 bytes would");
}

TEST(Repair, StridesInElements) {
  Case c = CaseWith("MINR 8192 0 4096 4", "src0RepStride", I(128));
  c.program[0] = With(c.program[0], "src1RepStride", I(128));
  EXPECT_EQ(RepairOf(c),
            "src0RepStride is in DataBlocks of 32 bytes: you wrote 128; 8 "
            "makes the call legal and reads what 128 elements would; "
            "src1RepStride is in DataBlocks of 32 bytes: you wrote 128; 8 "
            "makes the call legal and reads what 128 elements would");
}

TEST(Repair, LanesRepeatsAndCounts) {
  EXPECT_EQ(RepairOf(CaseWith("MINR 8192 0 4096 4", "mask", I(200))),
            "mask counts lanes of one iteration, of which half has 128: you "
            "wrote 200; 128 makes the call legal");
  EXPECT_EQ(RepairOf(CaseOf("MINR 65536 0 0 256")),
            "repeatTimes 255 instead of 256 makes the call legal; the other 1 "
            "needs a second call");
  EXPECT_EQ(RepairOf(CaseWith("MIN 8192 0 4096 2000", "count", I(2000))),
            "count is in elements: you wrote 2000; 1000 makes the call legal "
            "and covers what 2000 bytes would");
  EXPECT_EQ(RepairOf(CaseWith("MIN 8192 0 4096 2000", "count", I(1008))),
            "the windows hold 1000 elements: you wrote 1008, which is that "
            "rounded up to whole 32 bytes; 1000 makes the call legal");
}

TEST(Repair, GapsAndLengthsOfCopies) {
  EXPECT_EQ(RepairOf(CaseWith("INGAP 0 0 4 2 1", "dstGap", I(3))),
            "dstGap runs from the tail of a block to the head of the next: you "
            "wrote 3; 1 makes the call legal and is 3 from head to head");
  EXPECT_EQ(RepairOf(CaseWith("INGAP 0 0 4 2 1", "blockLen", I(64))),
            "blockLen is in DataBlocks of 32 bytes: you wrote 64; 2 makes the "
            "call legal and reads what 64 bytes would");
}

TEST(Repair, OfSeveralReadingsTheOneThatFillsItsWindows) {
  // 64 DataBlocks would be legal as well, and half of the window.
  const std::string in_elements =
      "blockLen is in DataBlocks of 32 bytes: you wrote 2048; 128 makes the "
      "call legal and reads what 2048 elements would";
  EXPECT_EQ(RepairOf(CaseWith("INGAP 0 0 1 128 0", "blockLen", I(2048))),
            in_elements);
  EXPECT_EQ(RepairOf(CaseWith("INGAP 0 0 1 64 0", "blockLen", I(2048))),
            "blockLen is in DataBlocks of 32 bytes: you wrote 2048; 64 makes "
            "the call legal and reads what 2048 bytes would");
  // Windows are larger than what was meant, and a later call needs it all.
  Case c = CaseOf("INGAP 0 0 1 128 0; |ALL; MIN 65536 0 2048 2048");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  c.program[0] = With(c.program[0], "blockLen", I(2048));
  for (const char* window : {"dst.bytes", "src.bytes"}) {
    c.program[0] = With(c.program[0], window, I(32768));
  }
  EXPECT_EQ(RepairOf(c), in_elements);
}

TEST(Repair, ALengthInBytesBesideAGapFromHeadToHead) {
  Case c = CaseOf("INGAP 0 0 3 2 0; |ALL; MIN 65536 0 0 192");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  c.program[0] = With(c.program[0], "blockLen", I(64));
  c.program[0] = With(c.program[0], "dstGap", I(2));
  EXPECT_EQ(RepairOf(c),
            "blockLen 2 instead of 64 and dstGap 0 instead of 2 make the call "
            "legal");
}

TEST(Repair, OperandsThatOverlapMoveApartRatherThanSpread) {
  EXPECT_EQ(RepairOf(CaseOf("MINR 256 0 8192 4")),
            "dst.at 0 instead of 256 makes the call legal");
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 1024; MINR 256 0 8192 4; OUT 8192 1024 "
                            "1024")),
            "dst.at 1024 instead of 256 makes the call legal");
  EXPECT_EQ(RepairOf(CaseOf("IN 0 0 1024; MINR 256 0 8192 4; OUT 8192 0 "
                            "1024")),
            "dst.at 0 instead of 256 makes the call legal");
}

TEST(Repair, WindowGrowsWhereThereIsSpace) {
  EXPECT_EQ(RepairOf(CaseWith("MINR 8192 0 4096 8", "src1.bytes", I(2000))),
            "src1.bytes 2048 instead of 2000 makes the call legal");
  // Another tensor begins behind it.
  EXPECT_EQ(RepairOf(CaseWith("MINR 8192 0 2048 8", "src0.bytes", I(2000))),
            "src0.bytes 2048 instead of 2000 makes the call legal");
  EXPECT_EQ(RepairOf(CaseWith("MIN 8192 4096 2048 1024; MINR 16384 0 2048 16",
                              "src0.bytes", I(2048))),
            "repeatTimes 8 instead of 16 makes the call legal; the other 8 "
            "need a second call");
}

TEST(Repair, PlacesTypesAndBarriers) {
  EXPECT_EQ(RepairOf(CaseWith("MINR 8192 0 4096 1", "src0.at", I(100))),
            "src0.at 96 instead of 100 makes the call legal");
  EXPECT_EQ(RepairOf(CaseWith("RRS 1024 0 64", "dtype", isa::DType::kInt16)),
            "dtype half instead of int16 makes the call legal");
  Case c = CaseOf("IN 0 0 256; IN 0 0 256");
  c.lint.sync.reset();
  EXPECT_EQ(RepairOf(c), "PipeBarrier MTE2 before step 1 makes the call legal");
}

TEST(Repair, TwoMistakesAreTwoFields) {
  Case c = CaseWith("MINR 8192 0 4096 1", "src0.at", I(100));
  c.program[0] = With(c.program[0], "dstBlkStride", I(0));
  EXPECT_EQ(RepairOf(c),
            "src0.at 96 instead of 100 and dstBlkStride 1 instead of 0 make "
            "the call legal");
}

TEST(Repair, RejectsNoLaterStep) {
  // 32 is nearer, but then the second copy would write there again.
  Case c = CaseOf("IN 40 0 256; IN 0 0 64");
  c.lint.sync.reset();
  EXPECT_EQ(RepairOf(c), "dst.at 64 instead of 40 makes the call legal");
}

TEST(Repair, AStrideThatIsMeantIsNotReadAsBytes) {
  // 64 bytes are no likely distance of iterations of 256 bytes.
  EXPECT_EQ(RepairOf(CaseWith("MINR 8192 0 4096 4", "src0RepStride", I(64)))
                .find("DataBlocks"),
            std::string::npos);
}

TEST(Repair, IsNoCallThatDoesNothing) {
  Case c = CaseOf("MINR 64 0 65536 255");
  EXPECT_EQ(RepairOf(c), "dst.at 0 instead of 64 makes the call legal");
  EXPECT_EQ(RepairOf(CaseOf("MINR 256 0 131072 255")),
            "dst.at 0 instead of 256 makes the call legal");
  // A repeat of 0 would be one field alone.
  EXPECT_EQ(RepairOf(CaseOf("MINR 64 0 131072 256")),
            "dst.at 0 instead of 64 and repeatTimes 255 instead of 256 make "
            "the call legal; the other 1 needs a second call");
  // Less of it is nearer than none.
  EXPECT_EQ(
      RepairOf(CaseWith("MINR 8192 0 65536 1", "dtype", isa::DType::kInt8))
          .find(" 0 instead"),
      std::string::npos);
}

TEST(Repair, WhereThereIsNone) {
  Case c = CaseOf("MIN 8192 0 4096 256");
  c.product = isa::Product::kAtlas200_300_500;
  EXPECT_EQ(RepairOf(c), kNoRepair);
}

TEST(Repair, RepeatsBeyondTheirRangeAreLoweredToWhatFits) {
  for (const std::int64_t written : {255, 256, 300, 4096}) {
    EXPECT_EQ(
        RepairOf(CaseWith("MINR 65536 0 32768 16", "repeatTimes", written)),
        fmt::format("repeatTimes 16 instead of {} makes the call legal; "
                    "the other {} need a second call",
                    written, written - 16));
  }
}

TEST(Repair, ANumberInOtherUnitsBesideAnotherMistake) {
  Case c = CaseWith("MINR 8192 0 4096 4", "src0RepStride", I(256));
  c.program[0] = With(c.program[0], "dst.at", I(8200));
  EXPECT_EQ(RepairOf(c),
            "dst.at 8192 instead of 8200 and src0RepStride 8 instead of 256 "
            "make the call legal");
  c.program[0] = With(c.program[0], "src1RepStride", I(256));
  EXPECT_EQ(RepairOf(c),
            "dst.at 8192 instead of 8200 and src0RepStride 8 instead of 256 "
            "and src1RepStride 8 instead of 256 make the call legal");
}

TEST(Repair, OfANegativeRepeatIsNoCallThatDoesNothing) {
  EXPECT_EQ(RepairOf(CaseWith("MINR 8192 0 4096 4", "repeatTimes", I(-1))),
            "repeatTimes 1 instead of -1 makes the call legal");
}

}  // namespace
}  // namespace lanediff::lint
