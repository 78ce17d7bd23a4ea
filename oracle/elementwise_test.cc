#include "oracle/elementwise.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// What the element-wise calls read, write, trace and leave behind, whatever
/// they compute. Values are in elementwise_values_test.cc, rules in
/// elementwise_rules_test.cc, the documents' examples in corpus/.
namespace lanediff::oracle {
namespace {

using test::BitsCall;
using test::Combined;
using test::CountCall;
using test::MaskCall;
using Words = std::vector<std::uint64_t>;

template <class Call>
class Elementwise : public testing::Test {};
TYPED_TEST_SUITE(Elementwise, test::ElementwiseCalls, test::NamedByOp);

/// The lanes (of 130) that `call` writes; sources of zeros make zeros.
template <class Call>
std::vector<int> Written(const Call& call) {
  Machine m;
  m.Put(call.dtype, 0, Words(130, 9));
  m.Put(call.dtype, 4096, Words(130, 0));
  m.Put(call.dtype, 8192, Words(130, 0));
  EXPECT_TRUE(m.Executes(call));
  std::vector<int> lanes;
  const Words dst = m.Get(call.dtype, 0, 130);
  for (int i = 0; i < 130; ++i) {
    if (dst[static_cast<std::size_t>(i)] != 9) lanes.push_back(i);
  }
  return lanes;
}

TYPED_TEST(Elementwise, LanesOutsideTheMaskKeepWhatTheyHeld) {
  using Call = TypeParam;
  using Lanes = std::vector<int>;
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  EXPECT_EQ(Written(MaskCall<Call>(3)), (Lanes{0, 1, 2}));
  EXPECT_EQ(Written(MaskCall<Call>(128)).size(), 128U);
  EXPECT_EQ(Written(MaskCall<Call>(64, DType::kFloat)).size(), 64U);
  EXPECT_EQ(Written(BitsCall<Call>(8, 0)), Lanes{3});
  EXPECT_EQ(Written(BitsCall<Call>(0, 8)), Lanes{67});
  EXPECT_EQ(Written(BitsCall<Call>(1, kTop)), (Lanes{0, 127}));
  EXPECT_EQ(Written(BitsCall<Call>(kTop, 0, DType::kInt32)), Lanes{63});
  EXPECT_EQ(Written(CountCall<Call>(129)).size(), 129U);
  EXPECT_EQ(Written(CountCall<Call>(0)), Lanes{});
}

TYPED_TEST(Elementwise, SixStridesAndNothingElseIsWritten) {
  using Call = TypeParam;
  Machine m;
  Call call = MaskCall<Call>(17, DType::kInt16);  // block 0, lane 0 of block 1
  call.repeat_times = 2;
  call.repeat_params = {2, 3, 0, 5, 7, 11};
  // Every element of the sources is another number.
  const auto left = [](std::size_t element) { return element % 97 + 1; };
  const auto right = [](std::size_t element) { return element % 89 + 100; };
  Words src0, src1;
  for (std::size_t i = 0; i < 2048; ++i) {
    src0.push_back(left(i));
    src1.push_back(right(i));
  }
  m.Put(DType::kInt16, call.src0.at, src0);
  m.Put(DType::kInt16, call.src1.at, src1);
  auto expected = m.ub;
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t lane = 0; lane < 17; ++lane) {
      const std::size_t block = lane / 16;
      const std::size_t k = lane % 16;
      const auto value = static_cast<std::uint16_t>(Combined<Call>(
          static_cast<std::int64_t>(left(16 * (7 * r + 3 * block) + k)),
          static_cast<std::int64_t>(right(16 * (11 * r) + k))));
      const std::size_t at = 32 * (5 * r + 2 * block) + 2 * k;
      expected[at] = static_cast<std::uint8_t>(value);
      expected[at + 1] = static_cast<std::uint8_t>(value >> 8);
    }
  }
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.ub, expected);
}

TYPED_TEST(Elementwise, AllReadsOfAnIterationComeBeforeItsWrites) {
  using Call = TypeParam;
  Machine m;
  Call call = MaskCall<Call>(4, DType::kInt32);
  call.dst.at = call.src0.at = call.src1.at;  // both sources are dst
  m.Put(DType::kInt32, call.dst.at, {3, 4, 5, 6});
  EXPECT_TRUE(m.Executes(call));
  Words expected;
  for (std::int64_t i : {3, 4, 5, 6}) {
    expected.push_back(static_cast<std::uint32_t>(Combined<Call>(i, i)));
  }
  EXPECT_EQ(m.Get(DType::kInt32, call.dst.at, 4), expected);
}

/// The lanes that are in the mask register.
template <class Call>
std::uint64_t LanesInMaskRegister(Machine& m) {
  Call call = MaskCall<Call>(0);
  call.is_set_mask = false;
  const std::uint64_t before = m.oracle.node_count();
  EXPECT_TRUE(m.Executes(call));
  return m.oracle.node_count() - before;
}

TYPED_TEST(Elementwise, WhatIsLeftInTheMaskRegister) {
  using Call = TypeParam;
  Machine m;
  const auto lanes = [&] { return LanesInMaskRegister<Call>(m); };
  EXPECT_EQ(lanes(), 128U);  // all ones at the start
  EXPECT_TRUE(m.Executes(MaskCall<Call>(5)));
  EXPECT_EQ(lanes(), 5U);
  EXPECT_EQ(lanes(), 5U);  // a call without isSetMask leaves it as it was
  EXPECT_TRUE(m.Executes(BitsCall<Call>(7, 1)));
  EXPECT_EQ(lanes(), 4U);
  EXPECT_TRUE(m.Executes(MaskCall<Call>(64, DType::kFloat)));
  EXPECT_EQ(lanes(), 64U);
  Call call = MaskCall<Call>(9);
  call.repeat_times = 0;
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(lanes(), 9U);
  EXPECT_TRUE(m.Executes(CountCall<Call>(0)));
  EXPECT_EQ(lanes(), 9U);
  EXPECT_FALSE(m.Executes(CountCall<Call>(4096)));
  EXPECT_EQ(lanes(), 9U);
  EXPECT_TRUE(m.Executes(CountCall<Call>(1)));
  EXPECT_EQ(lanes(), 128U);
}

TYPED_TEST(Elementwise, Notes) {
  using Call = TypeParam;
  Machine m;
  const auto notes = [&](const Call& call) { return test::Notes(m, call); };
  Call call = MaskCall<Call>(1);
  EXPECT_EQ(notes(call), "");
  call.repeat_times = 0;
  EXPECT_EQ(notes(call), "NOP");
  EXPECT_EQ(notes(CountCall<Call>(0)), "NOP");
  EXPECT_EQ(notes(CountCall<Call>(1)), "CLOBBERS-MASK");

  call = MaskCall<Call>(0, DType::kFloat);
  call.is_set_mask = false;
  EXPECT_EQ(notes(call), "");
  m.Execute(isa::SetVectorMask{.high = 1, .low = 0});
  const auto before = m.ub;
  EXPECT_EQ(notes(call), "NOP");  // lane 64 is no lane of float
  EXPECT_EQ(m.ub, before);
  EXPECT_TRUE(m.oracle.accesses().empty());
  call = BitsCall<Call>(0, 0, DType::kFloat);
  call.is_set_mask = false;
  EXPECT_EQ(notes(call), "NOP");
  call.dtype = DType::kHalf;
  EXPECT_EQ(notes(call), "");
}

TYPED_TEST(Elementwise, Accesses) {
  using Call = TypeParam;
  Machine m;
  Call call = MaskCall<Call>(20);
  call.repeat_times = 2;
  call.repeat_params.src1_blk_stride = 2;
  EXPECT_TRUE(m.Executes(call));
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 8U);
  EXPECT_EQ(accesses[4],
            (isa::Access{
                .operand = "src0", .at = 4352, .bytes = 40, .iteration = 1}));
  EXPECT_EQ(accesses[6], (isa::Access{.operand = "src1",
                                      .at = 8512,
                                      .bytes = 8,
                                      .iteration = 1,
                                      .lane = 16}));
  EXPECT_EQ(accesses[7], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .at = 256,
                                      .bytes = 40,
                                      .iteration = 1}));
  EXPECT_TRUE(m.Executes(CountCall<Call>(300, DType::kFloat)));
  ASSERT_EQ(m.oracle.accesses().size(), 3U);
  EXPECT_EQ(m.oracle.accesses()[1], (isa::Access{.operand = "src1",
                                                 .at = 8192,
                                                 .bytes = 1200,
                                                 .dtype = DType::kFloat}));
}

// ---- What a traced step shows -----------------------------------------------

template <isa::Elementwise Call>
std::vector<Node> Traced(Machine& m, DType dtype, const Words& left,
                         const Words& right) {
  const Call call =
      CountCall<Call>(static_cast<std::int64_t>(left.size()), dtype);
  m.Put(dtype, call.src0.at, left);
  m.Put(dtype, call.src1.at, right);
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(call));
  return m.oracle.nodes();
}

TEST(ElementwiseNodes, HoldWhatWasComputed) {
  Machine m;
  const Words left{0x3e00, 0x7c00};   // 1.5, inf
  const Words right{0xbc00, 0x0001};  // -1, 2^-24
  struct Row {
    std::vector<Node> nodes;
    const char *operation, *exact;
    std::uint64_t result;
  };
  const Row rows[] = {
      {Traced<isa::Min>(m, DType::kHalf, left, right), "min", "-1", 0xbc00},
      {Traced<isa::Max>(m, DType::kHalf, left, right), "max", "1.5", 0x3e00},
      {Traced<isa::Add>(m, DType::kHalf, left, right), "add", "0.5", 0x3800},
      {Traced<isa::Sub>(m, DType::kHalf, left, right), "sub", "2.5", 0x4100},
      {Traced<isa::Mul>(m, DType::kHalf, left, right), "mul", "-1.5", 0xbe00},
  };
  for (const Row& row : rows) {
    ASSERT_EQ(row.nodes.size(), 2U);
    EXPECT_EQ(row.nodes[0].operation, row.operation);
    EXPECT_EQ(row.nodes[0].exact, row.exact);
    EXPECT_EQ(row.nodes[0].left, left[0]);
    EXPECT_EQ(row.nodes[0].right, right[0]);
    EXPECT_EQ(row.nodes[0].result, row.result);
    EXPECT_EQ(row.nodes[1].index, 1);
  }
  EXPECT_EQ(m.oracle.nodes()[1].exact, "inf");
  EXPECT_TRUE(m.oracle.nodes()[1].saturated);

  EXPECT_TRUE(m.Executes(BitsCall<isa::Add>(8, 2)));
  ASSERT_EQ(m.oracle.nodes().size(), 2U);
  EXPECT_EQ(m.oracle.nodes()[0].index, 3);
  EXPECT_EQ(m.oracle.nodes()[1].index, 65);
  EXPECT_EQ(m.oracle.true_results()[1].lane, 65);
  EXPECT_EQ(m.oracle.true_results()[1].at, 130);
}

TEST(ElementwiseNodes, HoldWhatBecameOfAnInteger) {
  Machine m;
  const Words least{0x80000000};
  Node node = Traced<isa::Mul>(m, DType::kInt32, least, least)[0];
  EXPECT_EQ(node.exact, "4611686018427387904");
  EXPECT_EQ(node.result, 0x7fffffffU);
  EXPECT_TRUE(node.saturated);
  EXPECT_FALSE(node.wrapped);
  m.Execute(isa::SetSaturation{.enabled = false});
  node = Traced<isa::Add>(m, DType::kInt32, least, least)[0];
  EXPECT_EQ(node.exact, "-4294967296");
  EXPECT_EQ(node.result, 0U);
  EXPECT_FALSE(node.saturated);
  EXPECT_TRUE(node.wrapped);
  EXPECT_FALSE(node.rounded);
  node = Traced<isa::Sub>(m, DType::kInt32, {0x7fffffff}, least)[0];
  EXPECT_EQ(node.exact, "4294967295");
  node = Traced<isa::Max>(m, DType::kInt16, {0x8000}, {0xffff})[0];
  EXPECT_EQ(node.exact, "-1");
  EXPECT_FALSE(node.wrapped);
}

TEST(ElementwiseNodes, TrueResultsOfCallsThatRound) {
  Machine m;
  m.oracle.set_tracing(true);
  const std::vector<TrueResult>& results = m.oracle.true_results();
  isa::Add call = MaskCall<isa::Add>(17);
  call.repeat_times = 2;
  call.repeat_params = {3, 1, 1, 8, 8, 8};
  m.Put(DType::kHalf, call.src0.at + 256, Words(17, 0x6800));  // 2048
  m.Put(DType::kHalf, call.src1.at + 256, Words(17, 0x3c00));
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(results.size(), 34U);
  EXPECT_EQ(results.back().iteration, 1);
  EXPECT_EQ(results.back().lane, 16);
  EXPECT_EQ(results.back().at, 256 + 96);
  EXPECT_EQ(results.back().exact, "2049");
  EXPECT_EQ(results.back().bits, 0x6800U);
  EXPECT_EQ(results[18].at, 256 + 2);

  EXPECT_TRUE(m.Executes(CountCall<isa::Sub>(3)));
  EXPECT_EQ(results.size(), 3U);
  EXPECT_TRUE(m.Executes(CountCall<isa::Mul>(3)));
  EXPECT_EQ(results.size(), 3U);
  EXPECT_TRUE(m.Executes(CountCall<isa::Max>(3)));
  EXPECT_TRUE(results.empty());
  EXPECT_TRUE(m.Executes(CountCall<isa::Min>(3)));
  EXPECT_TRUE(results.empty());
}

}  // namespace
}  // namespace lanediff::oracle
