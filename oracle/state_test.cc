#include "isa/state.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

/// The steps that set machine state, and STATE-MASK-MODE: what counter mode
/// does to which calls, and what ends it.
namespace lanediff::oracle {
namespace {

using isa::StepResult;
using test::All;
using test::BitsCall;
using test::Board;
using test::CountCall;
using test::MaskCall;
using test::RunsExtended;
using test::SumCall;

using Word = std::uint64_t;
const std::pair kAllOnes(~Word{0}, ~Word{0});

TEST(StateSteps, SaturationStaysOnWhereRejectedAndRunsWhateverItBreaks) {
  const isa::SetSaturation off{.enabled = false};
  Machine m(Product::kAtlasTraining);
  m.Put(DType::kHalf, 1024, {0x7c00});
  EXPECT_FALSE(m.Executes(off));
  EXPECT_TRUE(m.Executes(SumCall(1)));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1).front(), 0x7bffU);
  ASSERT_TRUE(RunsExtended(m, off));
  EXPECT_TRUE(m.Executes(SumCall(1)));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1).front(), 0x7c00U);
}

TEST(StateSteps, ResetMaskSetsAllOnesAndNoMode) {
  Machine m;
  EXPECT_EQ(m.oracle.mask_register(), kAllOnes);
  EXPECT_TRUE(m.Executes(isa::SetVectorMask{.high = 0x12, .low = 0x34}));
  EXPECT_EQ(m.oracle.mask_register(), std::pair(Word{0x12}, Word{0x34}));
  EXPECT_TRUE(m.Executes(isa::SetMaskCount()));
  EXPECT_EQ(m.oracle.mask_register(), std::pair(Word{0x12}, Word{0x34}));
  EXPECT_TRUE(m.Executes(isa::ResetMask()));
  EXPECT_EQ(m.oracle.mask_register(), kAllOnes);
  EXPECT_TRUE(m.oracle.counter_mode());
}

TEST(StateSteps, RejectedMaskStepsSetNothing) {
  Machine m(Product::kAtlasTraining);
  EXPECT_TRUE(m.Executes(isa::SetVectorMask{.high = 0, .low = 1}));
  EXPECT_FALSE(m.Executes(isa::SetMaskCount()));
  EXPECT_FALSE(m.Executes(isa::ResetMask()));
  EXPECT_FALSE(m.oracle.counter_mode());
  EXPECT_EQ(m.oracle.mask_register(), std::pair(Word{0}, Word{1}));
  // Run whatever they break, they act.
  EXPECT_TRUE(RunsExtended(m, isa::SetMaskCount()));
  EXPECT_TRUE(RunsExtended(m, isa::ResetMask()));
  EXPECT_TRUE(m.oracle.counter_mode());
  EXPECT_EQ(m.oracle.mask_register(), kAllOnes);
  EXPECT_FALSE(m.Executes(isa::SetMaskNorm()));
  EXPECT_TRUE(m.oracle.counter_mode());
  EXPECT_TRUE(RunsExtended(m, isa::SetMaskNorm()));
  EXPECT_FALSE(m.oracle.counter_mode());
}

// ---- Counter mode -----------------------------------------------------------

constexpr auto kUnsupported = StepResult::Status::kUnsupported;
constexpr auto kExecuted = StepResult::Status::kExecuted;

/// A board in counter mode, whatever the product.
struct Counting : Board {
  explicit Counting(Product product = Product::kAtlasA2) : Board(product) {
    EXPECT_TRUE(oracle.ExecuteExtended(isa::SetMaskCount()).has_value());
    EXPECT_TRUE(oracle.counter_mode());
  }
};

/// Whether the step is unsupported and does nothing at all.
testing::AssertionResult IsUnsupported(Counting& board, const isa::Step& step) {
  const auto before = board.bytes;
  const auto mask = board.oracle.mask_register();
  const StepResult result = board.oracle.Execute(step);
  if (result.status != kUnsupported) {
    return testing::AssertionFailure() << "it is not unsupported";
  }
  if (!result.rules.empty() || !result.notes.empty() ||
      !board.oracle.accesses().empty() || board.oracle.node_count() != 0) {
    return testing::AssertionFailure() << "it reports something";
  }
  if (board.bytes != before || board.oracle.mask_register() != mask ||
      !board.oracle.counter_mode()) {
    return testing::AssertionFailure() << "it changed something";
  }
  if (!board.oracle.BrokenAnywhere(step).empty()) {
    return testing::AssertionFailure() << "rules are judged";
  }
  const auto extended = board.oracle.ExecuteExtended(step);
  if (extended || extended.error() != "a mask in counter mode" ||
      board.bytes != before) {
    return testing::AssertionFailure() << "it runs all the same";
  }
  return testing::AssertionSuccess();
}

TEST(MaskMode, SumsAreUnsupportedOnEveryProduct) {
  for (const Product product : All<Product>()) {
    Counting board(product);
    isa::Call call = SumCall(8);
    EXPECT_TRUE(IsUnsupported(board, call));
    call.is_set_mask = false;
    call[isa::Param::kMask] = 0;
    EXPECT_TRUE(IsUnsupported(board, call));
    call[isa::Param::kRepeatTimes] = 0;
    EXPECT_TRUE(IsUnsupported(board, call));
    call.dst().bytes = -1;  // before its legality
    EXPECT_TRUE(IsUnsupported(board, call));
    EXPECT_TRUE(IsUnsupported(board, SumCall(8, "WholeReduceSum")));
    EXPECT_TRUE(IsUnsupported(board, BitsCall("WholeReduceSum", 1, 0)));
  }
}

struct ModeOf : testing::TestWithParam<std::string_view> {};
std::vector<std::string_view> OpsByCount() {
  auto ops = test::LanewiseOps();
  std::erase_if(ops, [](std::string_view op) {
    return !isa::CallOf(op).signature->Has(isa::Param::kCount);
  });
  return ops;
}
INSTANTIATE_TEST_SUITE_P(, ModeOf, testing::ValuesIn(OpsByCount()),
                         test::NameOfOp);

TEST_P(ModeOf, MaskedCallsAreUnsupportedOnEveryProduct) {
  for (const Product product : All<Product>()) {
    Counting board(product);
    EXPECT_TRUE(IsUnsupported(board, MaskCall(GetParam(), 8)));
    EXPECT_TRUE(IsUnsupported(board, BitsCall(GetParam(), 1, 1)));
    isa::Call call = MaskCall(GetParam(), 0);
    call.is_set_mask = false;
    EXPECT_TRUE(IsUnsupported(board, call));
    call[isa::Param::kRepeatTimes] = -1;  // before its legality
    EXPECT_TRUE(IsUnsupported(board, call));
  }
}

TEST_P(ModeOf, CountFormSetsNormalMode) {
  Counting board;
  EXPECT_TRUE(board.Executes(CountCall(GetParam(), 0)));
  EXPECT_TRUE(board.oracle.counter_mode());  // nothing to do, nothing set
  EXPECT_FALSE(board.Executes(CountCall(GetParam(), -1)));
  EXPECT_TRUE(board.oracle.counter_mode());  // rejected
  EXPECT_TRUE(board.Executes(CountCall(GetParam(), 1)));
  EXPECT_FALSE(board.oracle.counter_mode());
  EXPECT_TRUE(board.Executes(MaskCall(GetParam(), 8)));
  EXPECT_FALSE(board.oracle.counter_mode());
}

TEST_P(ModeOf, IllegalCountFormSetsNormalModeToo) {
  Counting board(Product::kAtlas200_300_500);
  EXPECT_FALSE(board.Executes(CountCall(GetParam(), 1)));
  EXPECT_TRUE(board.oracle.counter_mode());
  EXPECT_TRUE(RunsExtended(board, CountCall(GetParam(), 1)));
  EXPECT_FALSE(board.oracle.counter_mode());
}

TEST(MaskMode, StartsNormalAndNothingElseDependsOnIt) {
  EXPECT_FALSE(Board().oracle.counter_mode());
  Counting board;
  using enum isa::Position;
  const isa::Operand ub = test::Window(kVecin, 0, 4096);
  const isa::Step steps[] = {
      test::Copy(kGm, kVecin),
      isa::SetSaturation{.enabled = false},
      isa::SetVectorMask{.high = 0, .low = 1},
      isa::PipeBarrier{},
      isa::SetFlag{},
      isa::WaitFlag{},
      isa::ResetMask(),
      isa::GetValue{.dtype = isa::DType::kHalf, .src = ub, .index = 0},
      isa::SetValue{
          .dtype = isa::DType::kHalf, .dst = ub, .index = 0, .value = 0},
  };
  for (const isa::Step& step : steps) {
    EXPECT_EQ(board.oracle.Execute(step).status, kExecuted)
        << isa::OpName(step);
    EXPECT_TRUE(board.oracle.counter_mode()) << isa::OpName(step);
  }
  EXPECT_TRUE(board.Executes(isa::SetMaskNorm()));
  EXPECT_FALSE(board.oracle.counter_mode());
  EXPECT_TRUE(board.Executes(SumCall(8)));
}

}  // namespace
}  // namespace lanediff::oracle
