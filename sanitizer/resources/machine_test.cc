// Rules of kernels, each on both sides of its boundary, by lint as a run or
// `check` has it.

#include "sanitizer/resources/machine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "isa/catalogue.h"
#include "sanitizer/lint.h"
#include "sanitizer/resources/program_testing.h"

namespace lanediff::machine {
namespace {

using test::Found;
using test::Program;

using Rules = std::vector<std::string>;

/// TPipe 0 and a queue 1 of two blocks of 256 bytes.
const std::string kQueue =
    "TPipe tpipe=0; InitBuffer tpipe=0 buffer=1 src=VECIN depth=2 num=2 "
    "len=256;";

TEST(UbCapacity, BuffersAndTensorsEndInsideTheirMemory) {
  EXPECT_EQ(Found("TPipe tpipe=0; InitBuffer tpipe=0 buffer=0 src=VECIN "
                  "depth=1 num=2 len=98304"),
            Rules());
  EXPECT_EQ(Found("TPipe tpipe=0; InitBuffer tpipe=0 buffer=0 src=VECIN "
                  "depth=1 num=2 len=98304; "
                  "InitBuffer tpipe=0 buffer=1 src=VECCALC num=1 len=1"),
            Rules{"2 KRN-UB-CAPACITY"});
  EXPECT_EQ(Found("TPipe tpipe=0; InitBuffer tpipe=0 buffer=0 src=VECIN "
                  "depth=1 num=1 len=32 at=196576"),
            Rules());
  EXPECT_EQ(Found("TPipe tpipe=0; InitBuffer tpipe=0 buffer=0 src=VECIN "
                  "depth=1 num=1 len=1 at=196577"),
            Rules{"1 KRN-UB-CAPACITY"});
  EXPECT_EQ(Found("LocalTensor position=VECIN at=0 bytes=196608"), Rules());
  EXPECT_EQ(Found("LocalTensor position=VECIN at=1 bytes=196608"),
            Rules{"0 KRN-UB-CAPACITY"});
  EXPECT_EQ(Found("LocalTensor position=A1 at=0 bytes=196609"), Rules());
}

TEST(UbCapacity, AResetTPipeStartsAgainAtZero) {
  const std::string full =
      "TPipe tpipe=0; InitBuffer tpipe=0 buffer=0 src=VECCALC num=1 "
      "len=196608;";
  const std::string more =
      "InitBuffer tpipe=0 buffer=1 src=VECCALC num=1 len=32";
  EXPECT_EQ(Found(full + more), Rules{"2 KRN-UB-CAPACITY"});
  EXPECT_EQ(Found(full + "Reset tpipe=0;" + more), Rules());
}

TEST(Buffers, AreAtMostSixtyFour) {
  const std::string many =
      "TPipe tpipe=0; InitBuffer tpipe=0 buffer=0 src=VECIN depth=1 num=63 "
      "len=32; InitBuffer tpipe=0 buffer=1 src=VECCALC num=1 len=32;";
  EXPECT_EQ(Found(many), Rules());
  EXPECT_EQ(
      Found(many + "InitBuffer tpipe=0 buffer=2 src=VECCALC num=1 len=32"),
      Rules{"3 KRN-BUFFERS"});
}

std::string Allocated(int count, std::string_view src) {
  std::string text = fmt::format(
      "TPipe tpipe=0; InitBuffer tpipe=0 buffer=0 src={} depth=1 num=9 len=32;",
      src);
  for (int i = 0; i < count; ++i) text += "AllocTensor buffer=0;";
  return text;
}

TEST(Buffers, OfOnePositionAreHandedOutEightAtATime) {
  EXPECT_EQ(Found(Allocated(8, "VECIN")), Rules{"9 note KRN-QUEUE-LEFT x8"});
  EXPECT_EQ(Found(Allocated(9, "VECIN")),
            (Rules{"10 KRN-BUFFERS", "10 note KRN-QUEUE-LEFT x9"}));
  EXPECT_EQ(Found(Allocated(4, "VECIN"), isa::Product::kAtlasTraining),
            Rules{"5 note KRN-QUEUE-LEFT x4"});
  EXPECT_EQ(Found(Allocated(5, "VECIN"), isa::Product::kAtlasTraining),
            (Rules{"6 KRN-BUFFERS", "6 note KRN-QUEUE-LEFT x5"}));
}

TEST(TPipe, IsOneAtATime) {
  EXPECT_EQ(Found("TPipe tpipe=0; Destroy tpipe=0; TPipe tpipe=1"), Rules());
  EXPECT_EQ(Found("TPipe tpipe=0; TPipe tpipe=1"), Rules{"1 KRN-TPIPE"});
}

TEST(TPipe, ThatReplacesAnotherIsTheLastStepOfTheBlock) {
  EXPECT_EQ(Found(kQueue + "AllocTensor buffer=1; TPipe tpipe=1"),
            (Rules{"3 KRN-TPIPE", "3 note KRN-QUEUE-LEFT"}));
}

TEST(TPipe, AllocatorsAreOneOfAMemory) {
  EXPECT_EQ(Found("LocalMemAllocator memory=UB; LocalMemAllocator memory=L1"),
            Rules());
  EXPECT_EQ(Found("LocalMemAllocator memory=UB; LocalMemAllocator memory=UB"),
            Rules{"1 KRN-TPIPE"});
  EXPECT_EQ(Found("TPipe tpipe=0; LocalTensor position=VECIN at=0 bytes=32"),
            Rules{"1 note KRN-TPIPE"});
}

const std::string kFree0 = "FreeTensor buffer=1 at=0;";

TEST(Queue, HandsOutIdleBlocks) {
  EXPECT_EQ(
      Found(kQueue + "AllocTensor buffer=1; AllocTensor buffer=1;" + kFree0 +
            "AllocTensor buffer=1;" + kFree0 + "FreeTensor buffer=1 at=256"),
      Rules());
  EXPECT_EQ(Found(kQueue +
                  "AllocTensor buffer=1; AllocTensor buffer=1;"
                  "AllocTensor buffer=1;" +
                  kFree0 + kFree0),
            Rules{"4 KRN-QUEUE"})
      << "and the block stops there";
}

TEST(Queue, QueuesNoMoreThanItsDepth) {
  const std::string shallow =
      "TPipe tpipe=0; InitBuffer tpipe=0 buffer=1 src=VECIN depth=1 num=2 "
      "len=256; AllocTensor buffer=1; EnQue buffer=1 at=0;";
  EXPECT_EQ(Found(shallow +
                  "DeQue buffer=1; AllocTensor buffer=1;"
                  "EnQue buffer=1 at=256; DeQue buffer=1;" +
                  kFree0 + "FreeTensor buffer=1 at=256"),
            Rules());
  EXPECT_EQ(Found(shallow + "AllocTensor buffer=1; EnQue buffer=1 at=256"),
            Rules{"5 KRN-QUEUE"});
}

TEST(Queue, IsNotTakenFromWhenEmpty) {
  const std::string put = kQueue + "AllocTensor buffer=1; EnQue buffer=1 at=0;";
  EXPECT_EQ(Found(put + "DeQue buffer=1;" + kFree0), Rules());
  EXPECT_EQ(Found(put + "DeQue buffer=1;" + kFree0 + "DeQue buffer=1"),
            Rules{"6 KRN-QUEUE"});
}

TEST(Queue, GetsBackWhatItHandedOut) {
  const std::string out = kQueue + "AllocTensor buffer=1;";
  EXPECT_EQ(Found(out + kFree0), Rules());
  EXPECT_EQ(Found(out + kFree0 + kFree0), Rules{"4 KRN-QUEUE"});
  EXPECT_EQ(Found(out + kFree0 + "FreeTensor buffer=1 at=256"),
            Rules{"4 KRN-QUEUE"});
  EXPECT_EQ(Found(out + kFree0 + "FreeTensor buffer=1 at=32"),
            Rules{"4 KRN-QUEUE"});
  EXPECT_EQ(Found(out + kFree0 + "EnQue buffer=1 at=0"), Rules{"4 KRN-QUEUE"});
  EXPECT_EQ(Found(out +
                  "EnQue buffer=1 at=0; EnQue buffer=1 at=0; "
                  "DeQue buffer=1;" +
                  kFree0),
            Rules{"4 KRN-QUEUE"});
  EXPECT_EQ(
      Found(out + "EnQue buffer=1 at=0;" + kFree0 + "DeQue buffer=1;" + kFree0),
      Rules{"4 KRN-QUEUE"});
}

TEST(QueueLeft, IsNotedAtTheTPipesEnd) {
  EXPECT_EQ(Found(kQueue + "AllocTensor buffer=1; Destroy tpipe=0"),
            Rules{"3 note KRN-QUEUE-LEFT"});
  EXPECT_EQ(Found(kQueue + "AllocTensor buffer=1; EnQue buffer=1 at=0"),
            Rules{"3 note KRN-QUEUE-LEFT"});
  EXPECT_EQ(
      Found(kQueue + "AllocTensor buffer=1;" + kFree0 + "Destroy tpipe=0"),
      Rules());
}

TEST(Freed, BlocksAreLeftAlone) {
  const std::string out = kQueue + "AllocTensor buffer=1;";
  EXPECT_EQ(Found(out + "Carried Adds V w=0+32;" + kFree0), Rules());
  EXPECT_EQ(Found(out + kFree0 + "Carried Adds V w=0+32"),
            Rules{"4 KRN-FREED"});
  EXPECT_EQ(Found(out + kFree0 + "Carried Adds V r=224+32 w=1024+32"),
            Rules{"4 KRN-FREED"});
  EXPECT_EQ(Found(out + kFree0 + "Carried Adds V w=256+32"), Rules());
  EXPECT_EQ(Found(out + kFree0 +
                  "AllocTensor buffer=1; AllocTensor buffer=1;"
                  "Carried Adds V w=0+32;" +
                  kFree0 + "FreeTensor buffer=1 at=256"),
            Rules());
}

TEST(Tensor, WithoutMemoryIsFound) {
  EXPECT_EQ(Found("NoTensor call=Adds operand=src"), Rules{"0 KRN-TENSOR"});
}

TEST(Declared, BytesBeyondAreNoted) {
  EXPECT_EQ(Found("Declared operand=dst bytes=64; Carried Adds V w=32+64"),
            Rules());
  EXPECT_EQ(Found("Declared operand=dst bytes=63; Carried Adds V w=32+64"),
            Rules{"1 note KRN-DECLARED"});
  EXPECT_EQ(Found("Declared operand=dst bytes=63; Carried Adds V r=32+64;"
                  "Carried Adds V w=32+64"),
            Rules())
      << "it speaks of the next step alone";
}

TEST(GmExtent, IsCounted) {
  EXPECT_EQ(Found("UnknownExtent operand=src; Carried DataCopyPad MTE2 "
                  "r=GM0+32 w=0+32"),
            Rules{"1 note KRN-GM-EXTENT"});
}

TEST(GmConflict, BlocksTouchBytesOfTheirOwn) {
  const auto two = [](std::string_view between, std::string_view other) {
    return Found(
        fmt::format("Launch blocks=2; Block block=0; TPipe tpipe=0;"
                    "Carried DataCopyPad MTE3 r=0+32 w=GM64+32; {}"
                    "Block block=1; TPipe tpipe=0; {}",
                    between, other));
  };
  EXPECT_EQ(two("", "Carried DataCopyPad MTE3 r=0+32 w=GM96+32"), Rules());
  EXPECT_EQ(two("", "Carried DataCopyPad MTE3 r=0+32 w=GM32+32"), Rules());
  EXPECT_EQ(two("", "Carried DataCopyPad MTE3 r=0+32 w=GM32+33"),
            Rules{"6 KRN-GM-CONFLICT"});
  EXPECT_EQ(two("", "Carried DataCopyPad MTE2 r=GM95+1 w=0+1"),
            Rules{"6 KRN-GM-CONFLICT"});
  EXPECT_EQ(two("SyncAll;", "SyncAll; Carried DataCopyPad MTE2 r=GM95+1 w=0+1"),
            Rules());
  EXPECT_EQ(two("", "Block block=0; Carried DataCopyPad MTE2 r=GM64+32 w=0+32"),
            Rules());
}

TEST(GmConflict, ReadersAndOneAtomicOperationDontConflict) {
  const auto both = [](std::string_view step, std::string_view second) {
    return Found(
        fmt::format("Launch blocks=2; Block block=0; TPipe tpipe=0; {0}"
                    "SetAtomic operation=none; Block block=1; TPipe tpipe=0;"
                    "{1} SetAtomic operation=none",
                    step, second));
  };
  const std::string read = "Carried DataCopyPad MTE2 r=GM0+32 w=0+32;";
  EXPECT_EQ(both(read, read), Rules());
  const std::string write = "Carried DataCopyPad MTE3 r=0+32 w=GM0+32;";
  const std::string add = "SetAtomic operation=add;" + write;
  EXPECT_EQ(both(add, add), Rules());
  EXPECT_EQ(both(add, "SetAtomic operation=max;" + write),
            Rules{"9 KRN-GM-CONFLICT"});
  EXPECT_EQ(both(add, write), Rules{"8 KRN-GM-CONFLICT"});
  const std::string sum =
      "SetAtomic operation=add;"
      "Carried DataCopyPad MTE3 r=0+32 r=dst:GM0+32 w=GM0+32;";
  EXPECT_EQ(both(sum, sum), Rules());
  EXPECT_EQ(both(sum, read), Rules{"8 KRN-GM-CONFLICT"});
}

TEST(SyncAll, IsCalledEquallyOften) {
  EXPECT_EQ(Found("Launch blocks=2; Block block=0; SyncAll; Block block=1; "
                  "SyncAll"),
            Rules());
  EXPECT_EQ(Found("Launch blocks=2; Block block=0; SyncAll; Block block=1; "
                  "SyncAll; SyncAll"),
            Rules{"5 KRN-SYNCALL"});
  EXPECT_EQ(Found("Launch blocks=2; Block block=0; SyncAll usedCores=1 "
                  "gmBytes=32 ubBytes=32 gmZero=1; Block block=1; "
                  "SetAtomic operation=none"),
            Rules());
}

TEST(SyncAll, HasItsWorkspaces) {
  const auto soft = [](int gm, int ub, int zero) {
    return Found(
        fmt::format("Launch blocks=2; Block block=0; SyncAll "
                    "usedCores=2 gmBytes={} ubBytes={} gmZero={}",
                    gm, ub, zero));
  };
  EXPECT_EQ(soft(64, 64, 1), Rules());
  EXPECT_EQ(soft(63, 64, 1), Rules{"2 KRN-SYNCALL"});
  EXPECT_EQ(soft(64, 63, 1), Rules{"2 KRN-SYNCALL"});
  EXPECT_EQ(soft(64, 64, 0), Rules{"2 KRN-SYNCALL"});
}

TEST(SyncAll, WithoutUsedCoresNeedsSpaceForAllBlocksOfTheLaunch) {
  const auto soft = [](std::string_view launch, std::string_view arguments) {
    return Found(fmt::format("{}Block block=0; SyncAll {}", launch, arguments));
  };
  EXPECT_EQ(soft("Launch blocks=2;", "gmBytes=64 ubBytes=64"), Rules());
  EXPECT_EQ(soft("Launch blocks=2;", "gmBytes=63 ubBytes=64"),
            Rules{"2 KRN-SYNCALL"});
  EXPECT_EQ(soft("", "gmBytes=32 ubBytes=32"), Rules());
  EXPECT_EQ(soft("", "gmBytes=32 ubBytes=31"), Rules{"1 KRN-SYNCALL"});
  EXPECT_EQ(soft("Launch blocks=2;", "usedCores=0 gmBytes=0 ubBytes=0"),
            Rules());
}

TEST(Launch, StepsBeforeTheFirstBlockAreOfBlockZero) {
  const std::string copy = "Carried DataCopyPad MTE3 r=0+32 w=GM0+32";
  EXPECT_EQ(
      Found("Launch blocks=2; SetAtomic operation=none; Block block=0;" + copy),
      Rules());
  EXPECT_EQ(
      Found("Launch blocks=2; SetAtomic operation=none; Block block=1;" + copy),
      Rules{"3 KRN-ATOMIC-UNKNOWN"});
}

TEST(Stale, WhatAnEarlierUseLeftIsUnwritten) {
  const auto program = [](std::string_view num, std::string_view second,
                          std::string_view last) {
    return fmt::format(
        "TPipe tpipe=0; InitBuffer tpipe=0 buffer=1 src=VECIN depth=2 num={} "
        "len=32; AllocTensor buffer=1; Carried W MTE2 w=dst:0+32; EnQue "
        "buffer=1 at=0; DeQue buffer=1; FreeTensor buffer=1 at=0; {}"
        "AllocTensor buffer=1; {} Carried R V r=src:0+32; FreeTensor buffer=1 "
        "at=0",
        num, second, last);
  };
  const std::string other = "AllocTensor buffer=1; FreeTensor buffer=1 at=32;";
  EXPECT_EQ(Found(program("2", other, "")), Rules{"10 INIT-STALE"});
  EXPECT_EQ(Found(program("2", other, "Carried W MTE2 w=dst:0+16;")),
            Rules{"11 INIT-STALE"});
  EXPECT_EQ(Found(program("2", other, "Carried W MTE2 w=dst:0+32;")), Rules());
  EXPECT_EQ(Found(program("1", "", "")), Rules{"8 note INIT-STALE"});
}

TEST(Catalogue, EveryRuleOfKernelsIsJudgedHere) {
  // By the files of this folder whose tests use lint.
  std::size_t rules = 0;
  for (const isa::Rule& rule : isa::Catalogue()) {
    rules += rule.instruction == isa::kKernel ? 1 : 0;
  }
  EXPECT_EQ(rules, 23U)
      << "5 of unaudited calls, 10 of memory, 6 of launches, 2 of runs";
}

}  // namespace
}  // namespace lanediff::machine
