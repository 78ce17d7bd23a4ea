#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/oracle.h"
#include "oracle/state.h"
#include "oracle/sum_tree.h"
#include "oracle/testing.h"

/// What RepeatReduceSum and WholeReduceSum trace and list, and what calls that
/// break rules would do. corpus/repeat_reduce_sum and corpus/whole_reduce_sum
/// have both sides of each rule, and the sums.
namespace lanediff::oracle {
namespace {

using isa::Call;
using isa::Param;
using test::Anywhere;
using test::RunsExtended;
using test::SumCall;
using Bits = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kTwo = 0x4000;
constexpr std::uint64_t kFour = 0x4400;
constexpr std::uint64_t kMost = 0x7bff;  // 65504
constexpr std::uint64_t kInf = 0x7c00;

struct ReduceSumOf : testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(, ReduceSumOf,
                         testing::Values("RepeatReduceSum", "WholeReduceSum"),
                         test::NameOfOp);

TEST_P(ReduceSumOf, WorkedExampleOfTheDocument) {
  Machine m;
  m.Put(DType::kHalf, 1024, {0x7b53, 0x7b53, 0xf753, 0x5640});
  EXPECT_TRUE(m.Executes(SumCall(4, GetParam())));
  EXPECT_EQ(m.oracle.node_count(), 3U);
  EXPECT_TRUE(m.oracle.nodes().empty());  // tracing is off at the start
  EXPECT_TRUE(m.oracle.true_results().empty());
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(SumCall(4, GetParam())));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Bits{0x7858});  // 35584

  const std::vector<Node>& nodes = m.oracle.nodes();
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].operation, "add");
  EXPECT_EQ(nodes[0].result, kMost);
  EXPECT_TRUE(nodes[0].saturated);
  EXPECT_EQ(nodes[0].exact, "120000");
  EXPECT_EQ(nodes[1].exact, "-29900");
  EXPECT_EQ(nodes[1].result, 0xf74dU);  // -29904
  EXPECT_TRUE(nodes[1].rounded);
  EXPECT_EQ(nodes[1].index, 1);
  EXPECT_EQ(nodes[2].level, 1);
  EXPECT_EQ(nodes[2].exact, "35600");
  ASSERT_EQ(m.oracle.true_results().size(), 1U);
  EXPECT_EQ(m.oracle.true_results()[0].exact, "90100");
  EXPECT_EQ(m.oracle.true_results()[0].bits, 0x7858U);
  EXPECT_EQ(m.oracle.true_results()[0].at, 0);
}

TEST_P(ReduceSumOf, ALoneLaneIsWrittenAndNotAdded) {
  Machine m;
  m.Put(DType::kHalf, 1024, {kInf});
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(SumCall(1, GetParam())));
  ASSERT_EQ(m.oracle.nodes().size(), 1U);
  EXPECT_EQ(m.oracle.nodes()[0].operation, "write");
  EXPECT_EQ(m.oracle.nodes()[0].level, 7);
  EXPECT_EQ(m.oracle.nodes()[0].exact, "inf");
  EXPECT_EQ(m.oracle.node_count(), 0U);
}

TEST_P(ReduceSumOf, AccessesAreMergedWhereContiguous) {
  Machine m;
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  Call call = SumCall(40, GetParam());
  call[Param::kRepeatTimes] = 2;
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(accesses.size(), 4U);
  EXPECT_EQ(
      accesses[2],
      (isa::Access{.operand = "src", .at = 1280, .bytes = 80, .iteration = 1}));
  EXPECT_EQ(accesses[3], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .at = 2,
                                      .bytes = 2,
                                      .iteration = 1}));

  call[Param::kSrc0BlkStride] = 2;  // blocks of 16 lanes, 32 bytes apart
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(accesses.size(), 8U);
  EXPECT_EQ(
      accesses[2],
      (isa::Access{.operand = "src", .at = 1152, .bytes = 16, .lane = 32}));

  m.Execute(isa::SetVectorMask{.high = 0, .low = 0b1011});
  call = SumCall(0, GetParam());
  call.is_set_mask = false;
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(accesses.size(), 3U);
  EXPECT_EQ(accesses[0].bytes, 4);
  EXPECT_EQ(accesses[1],
            (isa::Access{.operand = "src", .at = 1030, .bytes = 2, .lane = 3}));
}

TEST(SetComputing, CanBeSwitchedOnAgain) {
  Machine m;
  const auto before = m.ub;
  m.oracle.set_computing(false);
  EXPECT_TRUE(m.Executes(SumCall(100)));
  EXPECT_EQ(m.ub, before);
  m.oracle.set_computing(true);
  EXPECT_TRUE(m.Executes(SumCall(100)));
  EXPECT_NE(m.ub, before);
  EXPECT_EQ(m.oracle.node_count(), 99U);
}

TEST(SumTree, NodesHoldTheirPlaces) {
  Oracle::State state;
  state.tracing = true;
  std::vector<Term> terms = {{2, kOne}, {3, kOne}, {64, kOne}};
  ReduceTrees(OperationOf(isa::CallOf("WholeReduceSum")), 128, 0, DType::kHalf,
              terms, state);
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].bits, 0x4200U);
  ASSERT_EQ(state.nodes.size(), 2U);
  EXPECT_EQ(state.nodes[0].level, 0);
  EXPECT_EQ(state.nodes[0].index, 1);
  EXPECT_EQ(state.nodes[1].level, 6);  // the last of seven levels
  EXPECT_EQ(state.nodes[1].index, 0);
  EXPECT_EQ(state.node_count, 2U);
}

// ---- Whatever they break ----------------------------------------------------

/// Calls over two lanes: what they break, and of what at `src` they make what
/// at `dst`.
TEST_P(ReduceSumOf, IllegalCallsFollowTheFormulas) {
  struct Row {
    std::function<void(Call&)> change;
    std::string rules;
    std::int64_t src;
    Bits lanes;
    std::int64_t dst;
    Bits written;
    Product product = Product::kAtlasA2;
  };
  const Row rows[] = {
      {[](Call& c) {
         c[Param::kRepeatTimes] = 300;
         c[Param::kSrc0RepStride] = 1;
         c.src(0).bytes = 300 * 32;
       },
       "REPEAT",
       1024 + 299 * 32,
       {kOne, kOne},
       299 * 2,
       {kTwo}},
      {[](Call& c) { c.src(0).at += 2; },
       "SRC-ALIGN",
       1026,
       {kOne, kOne},
       0,
       {kTwo}},
      {[](Call& c) {  // onto the second lane of four
         c[Param::kMask] = 4;
         c.dst().at = 1026;
       },
       "OVERLAP-ITERATION",
       1024,
       {kOne, kOne, kOne, kOne},
       1024,
       {kOne, kFour, kOne}},
      {[](Call& c) {  // iteration 0 writes lane 0 of iteration 1
         c[Param::kRepeatTimes] = 2;
         c[Param::kSrc0RepStride] = 0;
         c.src(0).at = c.dst().at = 1024 + 32;
       },
       "OVERLAP-DEPENDENCY OVERLAP-ITERATION",
       1024 + 32,
       {kOne, kOne},
       1024 + 32,
       {kTwo, 0x4200}},
      {[](Call& c) {
         c[Param::kRepeatTimes] = 2;
         c.src(0).at = 4096;
         c.src(0).bytes = 64;
         c[Param::kSrc0RepStride] = -1;
       },
       "BOUNDS STRIDE-RANGE",
       4096 - 32,
       {kOne, kOne},
       2,
       {kTwo}},
      {[](Call& c) {
         c.dst().dtype = DType::kFloat;
         c.dst().bytes = 0;
       },
       "BOUNDS DTYPE-MATCH PRODUCT",
       1024,
       {kOne, kOne},
       0,
       {kTwo},
       Product::kAtlas200_300_500},
      {[](Call& c) { c[Param::kDstRepStride] = 0; },
       "DST-REP-STRIDE-ZERO",
       1024,
       {kOne, kOne},
       0,
       {kTwo},
       Product::kAtlasTraining},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rules);
    Call call = SumCall(2, GetParam());
    row.change(call);
    EXPECT_EQ(Anywhere(call, row.product), row.rules);
    Machine m(row.product);
    m.Put(DType::kHalf, row.src, row.lanes);
    ASSERT_TRUE(RunsExtended(m, call));
    EXPECT_EQ(m.Get(DType::kHalf, row.dst, row.written.size()), row.written);
  }
}

}  // namespace
}  // namespace lanediff::oracle
