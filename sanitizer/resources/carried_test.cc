// Unaudited calls: what is rejected, what orders them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sanitizer/resources/program_testing.h"

namespace lanediff::machine {
namespace {

using test::Found;

using Rules = std::vector<std::string>;
const Rules kNone;

Rules Rejects(std::string_view rule) {
  return {"0 rejected " + std::string(rule)};
}

TEST(Bounds, EveryByteLiesInAWindowInItsMemory) {
  EXPECT_EQ(Found("Carried Adds V o=dst:VECOUT:0+64 w=32+32"), kNone);
  EXPECT_EQ(Found("Carried Adds V o=dst:VECOUT:0+64 w=33+32"),
            Rejects("KRN-BOUNDS"));
  EXPECT_EQ(Found("Carried Adds V o=dst:VECOUT:32+64 w=31+1"),
            Rejects("KRN-BOUNDS"));
  EXPECT_EQ(Found("Carried Adds V o=src:VECIN:0+64 r=32+32"), kNone);
  EXPECT_EQ(Found("Carried Adds V o=src:VECIN:0+64 r=32+33"),
            Rejects("KRN-BOUNDS"));
  EXPECT_EQ(Found("Carried Adds V o=src:VECIN:196576+32"), kNone);
  EXPECT_EQ(Found("Carried Adds V o=src:VECIN:196576+33"),
            Rejects("KRN-BOUNDS"));
  EXPECT_EQ(Found("Carried Adds V o=src:GM:0+64 r=32+32"),
            Rejects("KRN-BOUNDS"))
      << "of the same memory";
}

TEST(Align, LocalWindowsStartAt32Bytes) {
  EXPECT_EQ(Found("Carried Adds V w=32+4"), kNone);
  EXPECT_EQ(Found("Carried Adds V w=16+4"), Rejects("KRN-ALIGN"));
  EXPECT_EQ(Found("Carried DataCopyPad MTE3 w=GM1+4"), kNone);
  EXPECT_EQ(Found("Carried Gather V a=src:4 r=4+4"), kNone);
  EXPECT_EQ(Found("Carried Gather V a=src:4 r=2+4"), Rejects("KRN-ALIGN"));
}

TEST(Align, ResultsOfReductionsStartAtTheirOwnSize) {
  for (const char* name : {"WholeReduceMax", "ReduceMax"}) {
    const std::string call = std::string("Carried ") + name + " V t=dst:float ";
    EXPECT_EQ(Found(call + "w=4+4"), kNone);
    EXPECT_EQ(Found(call + "w=2+4"), Rejects("KRN-ALIGN"));
    EXPECT_EQ(Found(call + "r=4+4"), Rejects("KRN-ALIGN")) << "not sources";
  }
  EXPECT_EQ(Found("Carried BlockReduceMax V t=dst:half w=16+16"), kNone);
  EXPECT_EQ(Found("Carried BlockReduceMax V t=dst:half w=8+16"),
            Rejects("KRN-ALIGN"));
  EXPECT_EQ(Found("Carried BlockReduceMax V t=dst:float w=16+16"),
            Rejects("KRN-ALIGN"));
  EXPECT_EQ(Found("Carried PairReduceSum V t=dst:half w=16+16"),
            Rejects("KRN-ALIGN"));
}

TEST(Range, ParametersAreInWhatTheirPageAllows) {
  EXPECT_EQ(Found("Carried Adds V p=repeatTime:255:0:255"), kNone);
  EXPECT_EQ(Found("Carried Adds V p=repeatTime:0:0:255"), kNone);
  EXPECT_EQ(Found("Carried Adds V p=repeatTime:256:0:255"),
            Rejects("KRN-RANGE"));
  EXPECT_EQ(Found("Carried Adds V p=repeatTime:-1:0:255"),
            Rejects("KRN-RANGE"));
  EXPECT_EQ(Found("Carried Adds V p=repeatTime:256"), kNone)
      << "no page states any";
}

TEST(Contents, AreWhatTheRecorderFound) {
  const auto with = [](std::string name,
                       std::variant<std::int64_t, std::string> value) {
    Case c = test::Program("Carried Gather V r=0+32 w=32+32");
    std::get<isa::Carried>(c.program[0])
        .parameters.push_back({std::move(name), std::move(value)});
    return test::FoundIn(c);
  };
  const std::string text = "element 3 is 5";
  EXPECT_EQ(with("contents of offset", text), Rules{"0 KRN-CONTENTS"});
  EXPECT_EQ(with("open contents of src", text), Rules{"0 note KRN-CONTENTS"});
  EXPECT_EQ(with("contents of offset", 5), kNone);
  EXPECT_EQ(with("open contents of offset", 5), kNone);
  EXPECT_EQ(with("cmpMode", text), kNone);
}

TEST(Order, DestroyAndSyncAllWaitForAllPipes) {
  const std::string in = "Carried DataCopyPad MTE2 r=GM0+32 w=0+32;";
  const std::string use = "Carried Adds V r=0+32 w=32+32";
  const std::string tpipe = "TPipe tpipe=0;";
  const auto ordered = [&](const std::string& between) {
    return Found(tpipe + in + between + use, isa::Product::kAtlasA2, false);
  };
  EXPECT_EQ(ordered(""), Rules{"2 SYNC-RAW"});
  EXPECT_EQ(ordered("Destroy tpipe=0;"), kNone);
  EXPECT_EQ(ordered("SyncAll;"), kNone);
}

TEST(Order, CarriedCallsRaceOnTheirPipes) {
  const std::string in = "Carried DataCopyPad MTE2 r=GM0+32 w=0+32;";
  const std::string use = "Carried Adds V r=0+32 w=32+32";
  const auto manual = [](const std::string& text) {
    return Found(text, isa::Product::kAtlasA2, false);
  };
  EXPECT_EQ(manual(in + use), Rules{"1 SYNC-RAW"});
  EXPECT_EQ(manual(in + "SetFlag MTE2_V 0; WaitFlag MTE2_V 0;" + use), kNone);
  EXPECT_EQ(Found(in + use), kNone) << "no racecheck";
}

/// A queue of one block, filled and emptied twice.
std::string Loop(std::string_view queue, std::string_view fill,
                 std::string_view use) {
  std::string text =
      "TPipe tpipe=0; InitBuffer tpipe=0 buffer=1 " + std::string(queue) + ";";
  for (int i = 0; i < 2; ++i) {
    text += "AllocTensor buffer=1;" + std::string(fill) +
            ";EnQue buffer=1 at=0;DeQue buffer=1;" + std::string(use) +
            ";FreeTensor buffer=1 at=0;";
  }
  return text;
}

TEST(Order, QueuesImplySynchronization) {
  const auto manual = [](const std::string& text) {
    return Found(text, isa::Product::kAtlasA2, false);
  };
  const std::string_view in = "Carried DataCopyPad MTE2 r=GM0+32 w=0+32";
  const std::string_view out = "Carried DataCopyPad MTE3 r=0+32 w=GM0+32";
  const std::string_view compute = "Carried Adds V w=0+32";
  const std::string_view use = "Carried Adds V r=0+32";
  EXPECT_EQ(manual(Loop("src=VECIN depth=1 num=1 len=32", in, use)), kNone);
  EXPECT_EQ(manual(Loop("src=VECCALC depth=1 num=1 len=32", compute, use)),
            kNone);
  EXPECT_EQ(manual(Loop("src=VECIN dst=VECOUT depth=1 num=1 len=32", in,
                        "Carried DataCopyPad MTE3 r=0+32 w=GM64+32")),
            kNone);
  EXPECT_EQ(manual(Loop("src=VECOUT depth=1 num=1 len=32", compute, use)),
            (Rules{"6 SYNC-RAW", "9 SYNC-WAR", "12 SYNC-RAW"}))
      << "its DeQue is for MTE3";
  EXPECT_EQ(manual(Loop("src=VECOUT depth=1 num=1 len=32", compute, out)),
            kNone);
}

TEST(Order, AFreeTensorThatIsLeftOutLeavesARace) {
  const auto manual = [](const std::string& text) {
    return Found(text, isa::Product::kAtlasA2, false);
  };
  const std::string one =
      "TPipe tpipe=0; InitBuffer tpipe=0 buffer=1 src=VECIN depth=1 num=1 "
      "len=32; AllocTensor buffer=1; Carried DataCopyPad MTE2 r=GM0+32 w=0+32;";
  EXPECT_EQ(manual(one + "Carried Adds V r=0+32; FreeTensor buffer=1 at=0"),
            Rules{"4 SYNC-RAW"})
      << "neither EnQue nor DeQue";
}

TEST(Order, BlocksHaveLocalMemoryAndOrderOfTheirOwn) {
  const auto manual = [](const std::string& text) {
    return Found(text, isa::Product::kAtlasA2, false);
  };
  const std::string in = "Carried DataCopyPad MTE2 r=GM0+32 w=0+32;";
  const std::string use = "Carried Adds V r=0+32;";
  EXPECT_EQ(manual("Block block=0;" + in + "Block block=1;" + use), kNone);
  EXPECT_EQ(
      manual("Block block=0;" + in + "Block block=1; Block block=0;" + use),
      Rules{"4 SYNC-RAW"});
  EXPECT_EQ(manual("Block block=0; SetFlag MTE2_V 0; Block block=1;"
                   "WaitFlag MTE2_V 0"),
            (Rules{"1 SYNC-FLAG-UNWAITED", "3 SYNC-FLAG-UNSET"}));
}

TEST(Init, BlocksFindLocalMemoryAsAtTheStart) {
  Case c = test::Program(
      "Block block=0; Carried Duplicate V w=0+32; Carried Adds V r=0+32;"
      "Block block=1; Carried Adds V r=0+32; Block block=0;"
      "Carried Adds V r=0+32");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  EXPECT_EQ(test::FoundIn(c), Rules{"4 INIT-READ"});
}

TEST(Init, CarriedCallsPassOnWhatNobodyWrote) {
  Case c = test::Program(
      "Carried Duplicate V w=0+32; Carried Adds V r=0+64 w=64+64;"
      "Carried DataCopyPad MTE3 r=64+32 w=GM0+32;"
      "Carried DataCopyPad MTE3 r=96+32 w=GM32+32");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  EXPECT_EQ(test::FoundIn(c), Rules{"1 INIT-READ"});
  c.lint.propagate = true;
  EXPECT_EQ(test::FoundIn(c), Rules{"3 INIT-READ"})
      << "padding that is never stored is no finding";
}

/// A call whose lanes are the register's.
isa::Step UnderRegister() {
  isa::RepeatReduceSum sum;
  sum.dst = {isa::Position::kVecout, 0, 32, {}};
  sum.src = {isa::Position::kVecin, 1024, 256, {}};
  sum.repeat = 1;
  sum.src_blk_stride = 1;
  sum.dst_rep_stride = 1;
  sum.src_rep_stride = 8;
  sum.is_set_mask = false;
  return sum;
}

TEST(MaskState, ATPipeSetsRegisterAndModeWhereThePageSaysSo) {
  Case c = test::Program("TPipe tpipe=0");
  c.program.push_back(UnderRegister());
  c.lint.start_unknown = true;
  EXPECT_EQ(test::FoundIn(c), kNone);
  c.product = isa::Product::kAtlasInferenceAicore;
  EXPECT_EQ(test::FoundIn(c), Rules{"1 STATE-MASK-UNKNOWN"});
  c.program.erase(c.program.begin());
  EXPECT_EQ(test::FoundIn(c),
            (Rules{"0 STATE-MASK-UNKNOWN", "0 STATE-MODE-UNKNOWN"}));
}

/// Rules of register and mode that a call under the register breaks behind the
/// step, where nothing is set at the start.
Rules BehindStart(const isa::Step& step) {
  Case c = test::Program("ResetMask");
  c.program = {step, UnderRegister()};
  c.lint.start_unknown = true;
  Rules rules = test::FoundIn(c);
  std::erase_if(rules, [](const std::string& one) {
    return one.find("STATE-") == one.npos;
  });
  return rules;
}

TEST(MaskState, EachStepSetsRegisterAndModeAsDocumented) {
  const std::string mask = "1 STATE-MASK-UNKNOWN";
  const std::string mode = "1 STATE-MODE-UNKNOWN";
  const std::string leftover = "1 STATE-MASK-LEFTOVER";
  EXPECT_EQ(BehindStart(isa::SetVectorMask{}), Rules{mode});
  EXPECT_EQ(BehindStart(isa::ResetMask{}), Rules{mode});
  EXPECT_EQ(BehindStart(isa::SetMaskNorm{}), Rules{mask});
  constexpr std::array<std::uint64_t, 2> kOnes = {~0ULL, ~0ULL};
  isa::Carried call;
  call.name = "Adds";
  EXPECT_EQ(BehindStart(call), (Rules{mask, mode}));
  call.mask = {.masked = true, .is_set_mask = false};
  EXPECT_EQ(BehindStart(call), (Rules{"0 STATE-MASK-UNKNOWN",
                                      "0 STATE-MODE-UNKNOWN", mask, mode}));
  call.mask = {.leaves = kOnes};
  EXPECT_EQ(BehindStart(call), (Rules{leftover, mode}));
  call.mask = {.leaves = kOnes, .sets_normal = true};
  EXPECT_EQ(BehindStart(call), Rules{leftover});
  call.mask = {.leaves_unknown = true};
  EXPECT_EQ(BehindStart(call), (Rules{mask, mode}));
  call.mask = {.leaves_unknown = true, .sets_normal = true};
  EXPECT_EQ(BehindStart(call), Rules{mask});
  call.mask = {.sets_normal = true};
  EXPECT_EQ(BehindStart(call), Rules{mask});
  using enum isa::ResourceName;
  for (std::size_t i = 0; i < isa::kCount<isa::ResourceName>; ++i) {
    const auto name = static_cast<isa::ResourceName>(i);
    // These begin another block, or end it where there is no such buffer.
    if (name == kLaunch || name == kBlock || name == kAllocTensor ||
        name == kEnQue || name == kDeQue || name == kFreeTensor) {
      continue;
    }
    const bool sets = name == kTPipe || name == kInitSocState;
    EXPECT_EQ(BehindStart(isa::Resource{name, {}}),
              sets ? kNone : (Rules{mask, mode}))
        << isa::Name(name);
  }
}

/// KRN-MASK-MODE of a call under the register, behind a mask of counter mode
/// and the step.
bool IsOfCounterMode(const isa::Step& step,
                     isa::Product product = isa::Product::kAtlasA2) {
  Case c = test::Program("SetVectorMask 0 8; MaskMode mode=counter", product);
  c.program.push_back(step);
  c.program.push_back(UnderRegister());
  const Rules rules = test::FoundIn(c);
  return std::ranges::any_of(rules, [](const std::string& one) {
    return one.find("KRN-MASK-MODE") != one.npos;
  });
}

TEST(MaskMode, IsOfTheMaskThatWasSetLast) {
  EXPECT_TRUE(IsOfCounterMode(isa::SetMaskNorm{}));
  EXPECT_FALSE(IsOfCounterMode(isa::SetMaskCount{}));
  EXPECT_FALSE(IsOfCounterMode(isa::SetVectorMask{}));
  EXPECT_FALSE(IsOfCounterMode(isa::ResetMask{}));
  const isa::Resource tpipe{isa::ResourceName::kTPipe, {}};
  const isa::Resource soc{isa::ResourceName::kInitSocState, {}};
  EXPECT_FALSE(IsOfCounterMode(tpipe));
  EXPECT_FALSE(IsOfCounterMode(soc));
  EXPECT_TRUE(IsOfCounterMode(soc, isa::Product::kAtlasInferenceAicore));
  isa::Carried call;
  call.name = "Adds";
  EXPECT_TRUE(IsOfCounterMode(call));
  call.mask = {.leaves = std::array<std::uint64_t, 2>{255, 0}};
  EXPECT_FALSE(IsOfCounterMode(call));
  call.mask = {.leaves_unknown = true};
  EXPECT_FALSE(IsOfCounterMode(call));
}

}  // namespace
}  // namespace lanediff::machine
