#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/data_copy_testing.h"
#include "oracle/elementwise_testing.h"
#include "oracle/extended_testing.h"
#include "oracle/testing.h"
#include "oracle/whole_reduce_sum_testing.h"

/// STATE-MASK-MODE: what counter mode does to whom, and what ends it.
namespace lanediff::oracle {
namespace {

using isa::Product;
using isa::StepResult;
using test::BitsCall;
using test::Board;
using test::CountCall;
using test::Ids;
using test::MaskCall;
using test::SumCall;

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
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    Counting board(static_cast<Product>(p));
    isa::RepeatReduceSum call = SumCall(8);
    EXPECT_TRUE(IsUnsupported(board, call));
    call.is_set_mask = false;
    call.elems_in_one_repeat = 0;
    EXPECT_TRUE(IsUnsupported(board, call));
    call.repeat = 0;
    EXPECT_TRUE(IsUnsupported(board, call));
    call.dst.bytes = -1;  // before its legality
    EXPECT_TRUE(IsUnsupported(board, call));
    EXPECT_TRUE(IsUnsupported(board, test::WholeSum(8)));
    EXPECT_TRUE(IsUnsupported(board, test::WholeSumBits(1, 0)));
  }
}

template <class Call>
struct ModeOf : testing::Test {};
TYPED_TEST_SUITE(ModeOf, test::ElementwiseCalls, test::NamedByOp);

TYPED_TEST(ModeOf, MaskedCallsAreUnsupportedOnEveryProduct) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    Counting board(static_cast<Product>(p));
    EXPECT_TRUE(IsUnsupported(board, MaskCall<TypeParam>(8)));
    EXPECT_TRUE(IsUnsupported(board, BitsCall<TypeParam>(1, 1)));
    TypeParam call = MaskCall<TypeParam>(0);
    call.is_set_mask = false;
    EXPECT_TRUE(IsUnsupported(board, call));
    call.repeat_times = -1;  // before its legality
    EXPECT_TRUE(IsUnsupported(board, call));
  }
}

TYPED_TEST(ModeOf, CountFormSetsNormalMode) {
  Counting board;
  EXPECT_TRUE(board.Executes(CountCall<TypeParam>(0)));
  EXPECT_TRUE(board.oracle.counter_mode());  // nothing to do, nothing set
  EXPECT_FALSE(board.Executes(CountCall<TypeParam>(-1)));
  EXPECT_TRUE(board.oracle.counter_mode());  // rejected
  EXPECT_TRUE(board.Executes(CountCall<TypeParam>(1)));
  EXPECT_FALSE(board.oracle.counter_mode());
  EXPECT_TRUE(board.Executes(MaskCall<TypeParam>(8)));
  EXPECT_FALSE(board.oracle.counter_mode());
}

TYPED_TEST(ModeOf, IllegalCountFormSetsNormalModeToo) {
  Counting board(Product::kAtlas200_300_500);
  EXPECT_FALSE(board.Executes(CountCall<TypeParam>(1)));
  EXPECT_TRUE(board.oracle.counter_mode());
  EXPECT_TRUE(test::RunsExtended(board, CountCall<TypeParam>(1)));
  EXPECT_FALSE(board.oracle.counter_mode());
}

TEST(MaskMode, StartsNormalAndNothingElseDependsOnIt) {
  EXPECT_FALSE(Board().oracle.counter_mode());
  Counting board;
  using enum isa::Position;
  const isa::Operand ub{
      .position = kVecin, .at = 0, .bytes = 4096, .dtype = {}};
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
    EXPECT_EQ(board.oracle.Execute(step).status, kExecuted) << step.index();
    EXPECT_TRUE(board.oracle.counter_mode()) << step.index();
  }
  EXPECT_TRUE(board.Executes(isa::SetMaskNorm()));
  EXPECT_FALSE(board.oracle.counter_mode());
  EXPECT_TRUE(board.Executes(SumCall(8)));
}

TEST(MaskMode, RegisterIsWhatCallsLeave) {
  using Words = std::pair<std::uint64_t, std::uint64_t>;
  Board board;
  EXPECT_TRUE(board.Executes(BitsCall<isa::Min>(5, 9)));
  EXPECT_EQ(board.oracle.mask_register(), Words(9, 5));
  EXPECT_TRUE(board.Executes(SumCall(65)));
  EXPECT_EQ(board.oracle.mask_register(), Words(1, ~std::uint64_t{0}));
}

}  // namespace
}  // namespace lanediff::oracle
