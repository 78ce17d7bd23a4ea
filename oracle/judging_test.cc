#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/elementwise_calls.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/elementwise_testing.h"
#include "oracle/testing.h"

/// Oracle::set_computing: an oracle that doesn't compute judges like one that
/// does, and touches no byte.
namespace lanediff::oracle {
namespace {

using isa::Memory;
using test::Board;
using Steps = std::vector<isa::Step>;

// ---- One legal call of every kind and form, and changes to any --------------

template <isa::Elementwise Call>
void AddElementwise(Steps& steps) {
  steps.push_back(test::MaskCall<Call>(100));
  steps.push_back(test::BitsCall<Call>(0x5, 0x8000000000000001));
  steps.push_back(test::CountCall<Call>(300));
  steps.push_back(test::CountCall<Call>(0));
  Call repeated = test::MaskCall<Call>(64, DType::kFloat);
  repeated.repeat_times = 3;
  repeated.repeat_params = {1, 2, 0, 8, 16, 1};
  steps.push_back(repeated);
  repeated.src1 = repeated.dst;  // the exception: a running result
  repeated.repeat_params = {1, 1, 1, 0, 8, 0};
  steps.push_back(repeated);
  Call from_register = test::MaskCall<Call>(0);
  from_register.is_set_mask = false;
  steps.push_back(from_register);
}

template <class... Calls>
struct AddAll {
  static void To(Steps& steps) { (AddElementwise<Calls>(steps), ...); }
};

Steps EveryStep() {
  Steps steps = {
      isa::SetVectorMask{.high = 0, .low = 0xf0},
      isa::SetSaturation{.enabled = false},
      isa::SetSaturation{.enabled = true},
      isa::PipeBarrier{},
      isa::PipeBarrier{.pipe = isa::Pipe::kMte2},
      isa::SetFlag{.event = isa::Event::kMte2S, .id = 0},
      isa::WaitFlag{.event = isa::Event::kMte2S, .id = 0},
      isa::SetFlag{.event = isa::Event::kMte2V, .id = 7},
      isa::WaitFlag{.event = isa::Event::kMte2V, .id = 7},
      isa::SetMaskCount(),
      isa::SetMaskNorm(),
      isa::ResetMask(),
      test::SumCall(100),
      test::SumCall(3, DType::kFloat),
      test::SumCall<isa::WholeReduceSum>(128),
      test::WholeSumBits(0x11, 0x1),
      test::Copy(Position::kGm, Position::kVecin),
      test::CopyCount(Position::kGm, Position::kVecin, 100),
      test::CopyCount(Position::kVecin, Position::kVecout, 15),
      test::Copy(Position::kVecin, Position::kVeccalc),
      test::Widening(),
      test::RowProduct(5),
      test::Transpose(3, 2, 1),
  };
  const isa::Operand ub = test::Window(Position::kVecin, 64, 32);
  steps.push_back(isa::GetValue{.dtype = DType::kInt32, .src = ub, .index = 2});
  steps.push_back(isa::SetValue{
      .dtype = DType::kHalf, .dst = ub, .index = 15, .value = 0x1234});
  isa::DataCopy blocks = test::Copy(Position::kVecin, Position::kVeccalc);
  blocks.params = {3, 2, 1, 2};
  steps.push_back(blocks);
  isa::RepeatReduceSum in_place = test::SumCall(0);
  in_place.is_set_mask = false;
  in_place.dst.at = in_place.src.at;
  in_place.repeat = 4;
  in_place.dst_rep_stride = 128;
  steps.push_back(in_place);
  isa::ElementwiseCalls<AddAll>::To(steps);
  return steps;
}

/// Puts one integer field of a step, or none, at an edge.
struct Changer {
  test::Words& words;
  std::uint64_t at = words.Next() % 30;  ///< fields until the one that changes

  void Integer(std::string_view, std::int64_t& value) {
    if (at-- != 0) return;
    const std::int64_t edges[] = {-1,    0,         1,        2,    31,
                                  255,   256,       4095,     4096, 65535,
                                  65536, INT64_MAX, INT64_MIN};
    value = edges[words.Next() % std::size(edges)];
  }
  void Operand(std::string_view, isa::Operand& operand) {
    Integer({}, operand.at);
    Integer({}, operand.bytes);
    if (at-- == 0) {
      operand.position =
          static_cast<Position>(words.Next() % isa::kCount<Position>);
    }
  }
  void Tile(std::string_view, isa::Tile& tile) {
    Integer({}, tile.at);
    Integer({}, tile.rows);
    Integer({}, tile.cols);
    Integer({}, tile.valid_row);
    Integer({}, tile.valid_col);
  }
  template <class T>
  void Group(std::string_view, T& group) {
    T::Fields(group, *this);
  }
  void Word(auto&&...) {}
  void OptionalWord(auto&&...) {}
  void Flag(auto&&...) {}
  void Form(auto&&...) {}
  void MaskWords(auto&&...) {}
  void HexWord(auto&&...) {}
  void Element(auto&&...) {}
  void Part(auto&&...) {}
};

isa::Step Changed(isa::Step step, test::Words& words) {
  std::visit(
      [&](auto& s) {
        Changer changer{words};
        s.Fields(s, changer);
      },
      step);
  return step;
}

// ---- Two oracles ------------------------------------------------------------

/// One whose memories are as large as a board's and lie where nothing is.
Oracle Judge(Product product, const Board& board) {
  isa::Memories memories;
  for (std::size_t m = 0; m < board.bytes.size(); ++m) {
    // The first page of an address space is unmapped.
    memories[static_cast<Memory>(m)] = {reinterpret_cast<std::uint8_t*>(16),
                                        board.bytes[m].size()};
  }
  Oracle judge(product, memories);
  judge.set_computing(false);
  return judge;
}

void ExpectSameState(const Oracle& judge, const Oracle& oracle) {
  EXPECT_EQ(judge.accesses(), oracle.accesses());
  EXPECT_EQ(judge.mask_register(), oracle.mask_register());
  EXPECT_EQ(judge.counter_mode(), oracle.counter_mode());
  EXPECT_EQ(judge.node_count(), 0U);
  EXPECT_TRUE(judge.nodes().empty());
  EXPECT_TRUE(judge.true_results().empty());
  EXPECT_EQ(judge.events(), isa::NumericEvents());
}

TEST(Judging, SameVerdictsStateAndAccessesWithoutAByte) {
  test::Words words;
  const Steps steps = EveryStep();
  const int programs = test::kSlowBuild ? 20 : 200;
  std::size_t executed = 0;
  std::size_t rejected = 0;
  for (int i = 0; i < programs && !HasFailure(); ++i) {
    // A2 has everything; now and then another.
    const auto product =
        i % 2 == 0 ? Product::kAtlasA2 : static_cast<Product>(words.Next() % 7);
    Board board(product);
    Oracle judge = Judge(product, board);
    judge.set_tracing(true);
    for (int n = 0; n < 30 && !HasFailure(); ++n) {
      isa::Step step = steps[words.Next() % steps.size()];
      if (words.Next() % 2 == 0) step = Changed(step, words);
      SCOPED_TRACE(step.index());
      EXPECT_EQ(judge.BrokenAnywhere(step), board.oracle.BrokenAnywhere(step));
      const isa::StepResult expected = board.oracle.Execute(step);
      const isa::StepResult found = judge.Execute(step);
      EXPECT_EQ(found.status, expected.status);
      EXPECT_EQ(found.rules, expected.rules);
      EXPECT_EQ(found.notes, expected.notes);
      ExpectSameState(judge, board.oracle);
      executed += expected.status == isa::StepResult::Status::kExecuted;
      rejected += expected.status == isa::StepResult::Status::kRejected;
    }
  }
  EXPECT_GT(executed, static_cast<std::size_t>(programs) * 10);
  EXPECT_GT(rejected, static_cast<std::size_t>(programs) * 5);
}

TEST(Judging, EveryLegalStepAndWhateverOthersBreak) {
  test::Words words;
  std::size_t accessing = 0;
  for (const isa::Step& step : EveryStep()) {
    SCOPED_TRACE(step.index());
    Board board;
    Oracle judge = Judge(Product::kAtlasA2, board);
    EXPECT_TRUE(board.Executes(step));
    EXPECT_EQ(judge.Execute(step).status, isa::StepResult::Status::kExecuted);
    ExpectSameState(judge, board.oracle);
    accessing += judge.accesses().empty() ? 0 : 1;
    for (int i = 0; i < 30; ++i) {
      const isa::Step changed = Changed(step, words);
      EXPECT_EQ(judge.ExecuteExtended(changed).has_value(),
                board.oracle.ExecuteExtended(changed).has_value());
      ExpectSameState(judge, board.oracle);
    }
  }
  EXPECT_GT(accessing, 30U);
}

TEST(Judging, CanBeSwitchedOnAgain) {
  Board board;
  const auto before = board.bytes;
  board.oracle.set_computing(false);
  EXPECT_TRUE(board.Executes(test::SumCall(100)));
  EXPECT_EQ(board.bytes, before);
  board.oracle.set_computing(true);
  EXPECT_TRUE(board.Executes(test::SumCall(100)));
  EXPECT_NE(board.bytes, before);
  EXPECT_EQ(board.oracle.node_count(), 99U);
}

}  // namespace
}  // namespace lanediff::oracle
