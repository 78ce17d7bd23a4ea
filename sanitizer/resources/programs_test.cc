// Rules of kernels by lint, as a run or `check` has it: the programs of
// programs.txt, and those that no text describes.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isa/catalogue.h"
#include "sanitizer/resources/program_testing.h"

namespace lanediff::machine {
namespace {

using Rules = std::vector<std::string>;
const Rules kNone;

/// "2 KRN-TPIPE @manual: PROGRAM" and what is found, as it is written there.
void Replay(const std::string& row) {
  SCOPED_TRACE(row);
  const std::size_t colon = row.find(": ");
  ASSERT_NE(colon, row.npos);
  std::string wanted = row.substr(0, colon);
  isa::Product product = isa::Product::kAtlasA2;
  std::optional<bool> automatic;
  for (std::size_t at; (at = wanted.rfind(" @")) != wanted.npos;) {
    const std::string option = wanted.substr(at + 2);
    wanted.resize(at);
    if (option == "manual") {
      automatic = false;
      continue;
    }
    const auto other = isa::Parse<isa::Product>(option);
    ASSERT_TRUE(other) << option;
    product = *other;
  }
  const Rules found = test::Found(row.substr(colon + 2), product, automatic);
  EXPECT_EQ(found.empty() ? "clean" : fmt::format("{}", fmt::join(found, ", ")),
            wanted);
}

TEST(Programs, HaveTheFindingsThatTheFileLists) {
  std::ifstream file(LANEDIFF_SOURCE_DIR "/sanitizer/resources/programs.txt");
  std::size_t rows = 0;
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row.starts_with('#')) continue;
    Replay(row);
    ++rows;
  }
  EXPECT_GE(rows, 207U);
}

TEST(Catalogue, EveryRuleOfKernelsIsJudgedHere) {
  std::size_t rules = 0;
  for (const isa::Rule& rule : isa::Catalogue()) {
    rules += rule.instruction == isa::kKernel ? 1 : 0;
  }
  EXPECT_EQ(rules, 25U)
      << "7 of unaudited calls, 10 of memory, 6 of launches, 2 of runs";
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
  EXPECT_EQ(with("unlisted product", text), Rules{"0 rejected KRN-PRODUCT"});
  EXPECT_EQ(with("unlisted dtype", ""), Rules{"0 rejected KRN-DTYPE"});
  EXPECT_EQ(with("unlisted product", 5), kNone);
}

TEST(Init, BlocksFindLocalMemoryAsAtTheStart) {
  Case c = test::Program(
      "Block block=0; Carried Duplicate V w=0+32; Carried Adds V r=0+32;"
      "Block block=1; Carried Adds V r=0+32; Block block=0;"
      "Carried Adds V r=0+32");
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  EXPECT_EQ(test::FoundIn(c), Rules{"4 INIT-READ"});
}

TEST(Init, CarriedCallsPassOnUnwrittenBytes) {
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
  using enum isa::Param;
  isa::Call sum = isa::CallOf("RepeatReduceSum");
  sum.dst() = {isa::Position::kVecout, 0, 32, {}};
  sum.src(0) = {isa::Position::kVecin, 1024, 256, {}};
  sum[kRepeatTimes] = 1;
  sum[kSrc0BlkStride] = 1;
  sum[kDstRepStride] = 1;
  sum[kSrc0RepStride] = 8;
  sum.is_set_mask = false;
  return sum;
}

TEST(MaskState, ATPipeSetsRegisterAndModeWhereThePageStatesIt) {
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

// kernel/engine/across_test.cc has the other steps, and resources.
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

/// KRN-MASK-MODE of a call behind `text` in the mode that `set` sets; the
/// register's mask chooses its lanes, or with `is_set_mask` its own.
Rules UnderMask(const std::string& set, const std::string& text, isa::Step step,
                bool is_set_mask = false) {
  Case c = test::Program(set + ";SetVectorMask 0 64;" + text);
  if (auto* const carried = std::get_if<isa::Carried>(&step)) {
    carried->mask = {.masked = carried->name == "Adds",
                     .is_set_mask = is_set_mask};
  } else if (auto* const call = std::get_if<isa::Call>(&step)) {
    call->is_set_mask = is_set_mask;
    (*call)[isa::Param::kMask] = is_set_mask ? 64 : 0;
  }
  c.program.push_back(std::move(step));
  Rules found = test::FoundIn(c);
  std::erase_if(found, [](const std::string& line) {
    return !line.contains("KRN-MASK-MODE") && !line.contains("rejected");
  });
  return found;
}

TEST(MaskMode, IsTheOneThatTheMaskWasSetFor) {
  isa::Call min = isa::CallOf("Min");
  min.form = isa::kMaskForm;
  min.dst() = {isa::Position::kVecout, 0, 256, {}};
  min.src(0) = {isa::Position::kVecin, 1024, 256, {}};
  min.src(1) = {isa::Position::kVecin, 2048, 256, {}};
  min.params = {0, 0, 1, 1, 1, 1, 0, 8, 8, 8, 0};  // by `isa::Param`
  isa::Carried carried;
  carried.name = "Adds";
  const std::string normal = "MaskMode mode=normal;";
  const std::string counter = "MaskMode mode=counter;";
  const Rules broken = {"3 KRN-MASK-MODE"};
  for (const isa::Step& step :
       {UnderRegister(), isa::Step(min), isa::Step(carried)}) {
    EXPECT_EQ(UnderMask("SetMaskNorm", normal, step), kNone);
    EXPECT_EQ(UnderMask("SetMaskNorm", counter, step), broken);
    EXPECT_EQ(UnderMask("SetMaskNorm", counter + "ResetMask", step), kNone);
    EXPECT_EQ(UnderMask("SetMaskNorm", "", step), kNone);
  }
  EXPECT_EQ(UnderMask("SetMaskCount", normal, carried), broken);
  EXPECT_EQ(UnderMask("SetMaskCount", counter, carried), kNone);
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, carried, true), kNone);
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, min, true), kNone);
  min.form = isa::kCountForm;
  min[isa::Param::kCount] = 64;
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, min), kNone);
  carried.name = "Gatherb";
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, carried), kNone)
      << "without a mask";
}

}  // namespace
}  // namespace lanediff::machine
