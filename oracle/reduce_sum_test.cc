#include "oracle/reduce_sum.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/oracle.h"
#include "oracle/state.h"
#include "oracle/sum_tree.h"
#include "oracle/testing.h"

/// What RepeatReduceSum and WholeReduceSum compute, read, write and leave
/// behind. Their rules are in reduce_sum_rules_test.cc.
namespace lanediff::oracle {
namespace {

using test::kAllOnes;
using test::SumCall;
using Bits = std::vector<std::uint64_t>;

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kMost = 0x7bff;  // 65504
constexpr std::uint64_t kLeast = 0xfbff;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;
constexpr std::uint64_t kNan = 0x7e00;
constexpr std::uint64_t kMinusZero = 0x8000;
constexpr std::uint64_t k2048 = 0x6800;  // to which 1 is lost, and 2 is not
constexpr std::uint64_t k2050 = 0x6801;

template <class Call>
class ReduceSumOf : public testing::Test {
 protected:
  /// A call over the lanes that are in the register.
  static Call FromRegister(DType dtype = DType::kHalf) {
    Call call = SumCall<Call>(0, dtype);
    call.is_set_mask = false;
    return call;
  }

  /// What an iteration over those of `lanes` writes whose bits `mask` has.
  static std::uint64_t Sum(const Bits& lanes, bool saturation,
                           DType dtype = DType::kHalf,
                           std::uint64_t mask = kAllOnes) {
    Machine m;
    Call call = SumCall<Call>(static_cast<std::int64_t>(lanes.size()), dtype);
    if (mask != kAllOnes) {
      m.Execute(isa::SetVectorMask{.high = 0, .low = mask});
      call = FromRegister(dtype);
    }
    m.Put(dtype, call.src.at, lanes);
    m.Execute(isa::SetSaturation{.enabled = saturation});
    EXPECT_TRUE(m.Executes(call));
    return m.Get(dtype, call.dst.at, 1).front();
  }

  /// The number of halves that such a call sums.
  static std::uint64_t LanesInRegister(Machine& m) {
    Call call = FromRegister();
    call.src.at = 8192;
    m.Put(DType::kHalf, call.src.at, Bits(128, kOne));
    const std::uint64_t before = m.oracle.node_count();
    EXPECT_TRUE(m.Executes(call));
    return m.oracle.node_count() - before + 1;
  }
};
using Sums = testing::Types<isa::RepeatReduceSum, isa::WholeReduceSum>;
TYPED_TEST_SUITE(ReduceSumOf, Sums, test::NamedByOp);

TYPED_TEST(ReduceSumOf, WorkedExampleOfTheDocument) {
  Machine m;
  m.Put(DType::kHalf, 1024, {0x7b53, 0x7b53, 0xf753, 0x5640});
  EXPECT_TRUE(m.Executes(SumCall<TypeParam>(4)));
  EXPECT_EQ(m.oracle.node_count(), 3U);
  EXPECT_TRUE(m.oracle.nodes().empty());  // tracing is off at the start
  EXPECT_TRUE(m.oracle.true_results().empty());
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(SumCall<TypeParam>(4)));
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

/// *-TREE and *-SATURATE by lanes whose sum depends on the order.
TYPED_TEST(ReduceSumOf, SumsOfHalves) {
  struct Row {
    const char* what;
    Bits lanes;
    std::uint64_t on, off;
    std::uint64_t mask = kAllOnes;
  };
  const Row rows[] = {
      {"four ones summed first are not lost",
       {k2048, 0, 0, 0, kOne, kOne, kOne, kOne},
       0x6802,
       0x6802},
      {"not halves against each other",
       {k2048, kOne, kOne, 0xe800},
       kOne,
       kOne},
      {"not from the left", {k2048, kOne, kOne, kOne}, k2050, k2050},
      {"not compacted", {k2048, kOne, kOne, kOne}, k2050, k2050, 0b1101},
      {"nor padded", {k2048, kOne, kOne}, k2048, k2048, 0b111},
      {"no zero for infinity", {kInf, 0, kLeast}, kMost, kInf, 0b101},
      {"no zero for NaN", {kNan, 0, 0x4200, 0x4400}, 0, kNan, 0b1101},
      {"at each node", {kMost, kMost, kLeast, 0}, 0, kInf},
      {"on both sides", {kLeast, kLeast, 0, 0}, kLeast, kMinusInf},
      {"on both sides at once", {kMost, kMost, kLeast, kLeast}, 0, kNan},
      {"infinities", {kInf, kMinusInf}, 0, kNan},
      {"a value passed through stays", {kLeast, 0, kInf}, kMost, kInf},
      {"lone infinity", {kInf}, kMost, kInf},
      {"lone -infinity", {kMinusInf}, kLeast, kMinusInf},
      {"lone NaN", {0xfd01}, 0, 0xfd01},
      {"lone lane of three", {kNan, kOne, kMinusInf}, kLeast, kMinusInf, 0b100},
      {"-0", {kMinusZero}, kMinusZero, kMinusZero},
      {"-0 thrice", Bits(3, kMinusZero), kMinusZero, kMinusZero},
      {"-0 alone of eight", Bits(8, kMinusZero), kMinusZero, kMinusZero, 0x80},
      {"-0 and +0", {kMinusZero, 0, kMinusZero}, 0, 0},
      {"-1 and 1", {0xbc00, kOne}, 0, 0},
      {"subnormals", {0x0001, 0x0001, 0x8001}, 0x0001, 0x0001},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(this->Sum(row.lanes, true, DType::kHalf, row.mask), row.on)
        << row.what;
    EXPECT_EQ(this->Sum(row.lanes, false, DType::kHalf, row.mask), row.off)
        << row.what;
  }
}

TYPED_TEST(ReduceSumOf, SumsOfFloatsAreNeverSaturated) {
  for (const bool mode : {true, false}) {
    const auto sum = [&](const Bits& lanes) {
      return this->Sum(lanes, mode, DType::kFloat);
    };
    EXPECT_EQ(sum({0x4c000000, 0x3f800000, 0x3f800000, 0xcc000000}), 0U);
    EXPECT_EQ(sum({0xff812345}), 0xff812345U);
    EXPECT_EQ(sum({0x7f800000}), 0x7f800000U);
    EXPECT_EQ(sum({1, 1, 1}), 3U);
  }
}

/// The documents' boundary values: 127 ones and another, wherever it is.
TYPED_TEST(ReduceSumOf, OneOf128) {
  for (std::size_t place = 0; place < 128; ++place) {
    const auto with = [&](std::uint64_t other, bool mode) {
      Bits lanes(128, kOne);
      lanes[place] = other;
      return this->Sum(lanes, mode);
    };
    EXPECT_EQ(with(kMinusInf, true), 0xfbfbU) << place;  // -65376
    EXPECT_EQ(with(kMinusInf, false), kMinusInf);
    EXPECT_EQ(with(0xfd01, true), 0x57e0U);  // 126
    EXPECT_EQ(with(0xfd01, false), kNan);
    EXPECT_EQ(with(kInf, true), kMost);
    EXPECT_EQ(with(kInf, false), kInf);
  }
  EXPECT_EQ(this->Sum(Bits(128, kLeast), true), kLeast);
  EXPECT_EQ(this->Sum(Bits(128, kLeast), false), kMinusInf);
}

TYPED_TEST(ReduceSumOf, ALoneLaneIsWrittenAndNotAdded) {
  Machine m;
  m.Put(DType::kHalf, 1024, {kInf});
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(SumCall<TypeParam>(1)));
  ASSERT_EQ(m.oracle.nodes().size(), 1U);
  EXPECT_EQ(m.oracle.nodes()[0].operation, "write");
  EXPECT_EQ(m.oracle.nodes()[0].level, 7);
  EXPECT_EQ(m.oracle.nodes()[0].exact, "inf");
  EXPECT_EQ(m.oracle.node_count(), 0U);
}

TYPED_TEST(ReduceSumOf, StridesAndNothingElseIsWritten) {
  Machine m;
  TypeParam call = SumCall<TypeParam>(20);
  test::RepeatOf(call) = 3;
  call.src_blk_stride = 3;
  call.src_rep_stride = 5;
  call.dst_rep_stride = 7;
  m.Put(DType::kHalf, call.src.at, Bits(1024, 0));
  for (std::int64_t r = 0; r < 3; ++r) {
    m.Put(DType::kHalf, call.src.at + 32 * (5 * r), {kOne});
    m.Put(DType::kHalf, call.src.at + 32 * (5 * r + 3) + 6, {0x4000});
    m.Put(DType::kHalf, call.src.at + 32 * (5 * r + 3) + 8, {0x5000});  // out
  }
  Machine expected;
  expected.ub = m.ub;
  for (std::int64_t r = 0; r < 3; ++r) {
    expected.Put(DType::kHalf, 14 * r, {0x4200});
  }
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.ub, expected.ub);
}

/// Lanes hold powers of two: sums identify those that took part.
TYPED_TEST(ReduceSumOf, RegisterPicksLanes) {
  Machine m;
  m.Put(DType::kHalf, 1024, Bits(128, 0x6400));  // 1024, to be left out
  m.Put(DType::kHalf, 1024 + 2 * 3, {kOne});
  m.Put(DType::kHalf, 1024 + 2 * 127, {0x4000});
  m.Execute(isa::SetVectorMask{.high = std::uint64_t{1} << 63, .low = 8});
  EXPECT_TRUE(m.Executes(this->FromRegister()));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Bits{0x4200});
  EXPECT_EQ(m.oracle.node_count(), 1U);
  // Of floats the low half counts.
  m.Put(DType::kFloat, 1024, Bits(64, 0x3f800000));
  m.Execute(isa::SetVectorMask{.high = kAllOnes, .low = 3});
  EXPECT_TRUE(m.Executes(this->FromRegister(DType::kFloat)));
  EXPECT_EQ(m.Get(DType::kFloat, 0, 1), Bits{0x40000000});
}

TYPED_TEST(ReduceSumOf, LeavesItsMaskInTheRegister) {
  Machine m;
  const auto lanes = [&] { return this->LanesInRegister(m); };
  EXPECT_EQ(lanes(), 128U);  // all ones at the start
  EXPECT_TRUE(m.Executes(SumCall<TypeParam>(5)));
  EXPECT_EQ(lanes(), 5U);
  EXPECT_EQ(lanes(), 5U);  // a call without isSetMask leaves it as it was
  EXPECT_TRUE(m.Executes(SumCall<TypeParam>(64, DType::kFloat)));
  EXPECT_EQ(lanes(), 64U);  // bits 64 to 127 are clear
  TypeParam call = SumCall<TypeParam>(9);
  test::RepeatOf(call) = 0;
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(lanes(), 9U);  // executed, with repeat 0 as well
  call = SumCall<TypeParam>(7);
  call.src.at = 1;
  EXPECT_FALSE(m.Executes(call));
  EXPECT_EQ(lanes(), 9U);
  EXPECT_TRUE(m.Executes(test::WholeSumBits(7, 1)));
  EXPECT_EQ(lanes(), 4U);
}

TYPED_TEST(ReduceSumOf, Notes) {
  constexpr auto kPrefer = isa::rrs::kPreferWholeReduceSum;
  Machine m;
  const auto notes = [&](const TypeParam& call) {
    isa::RuleSet others;
    const isa::RuleSet all = m.Execute(call).notes;
    for (const isa::RuleId id : all) others.AddIf(id != kPrefer, id);
    constexpr bool kIsRepeat = requires { call.repeat; };
    EXPECT_EQ(all.Contains(kPrefer), kIsRepeat);
    return test::Texts(call, others);
  };
  TypeParam call = SumCall<TypeParam>(1);
  EXPECT_EQ(notes(call), "");
  test::RepeatOf(call) = 0;
  EXPECT_EQ(notes(call), "REPEAT-ZERO");

  m.Execute(isa::SetVectorMask{.high = 1, .low = 0});
  const auto before = m.ub;
  call = this->FromRegister(DType::kFloat);  // for which the low half counts
  EXPECT_EQ(notes(call), "MASK-EMPTY");
  EXPECT_TRUE(m.oracle.accesses().empty());
  test::RepeatOf(call) = 0;
  EXPECT_EQ(notes(call), "MASK-EMPTY REPEAT-ZERO");
  EXPECT_EQ(m.ub, before);
  EXPECT_EQ(notes(this->FromRegister()), "");
}

TYPED_TEST(ReduceSumOf, AccessesAreMergedWhereContiguous) {
  Machine m;
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  TypeParam call = SumCall<TypeParam>(40);
  test::RepeatOf(call) = 2;
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

  call.src_blk_stride = 2;  // blocks of 16 lanes, 32 bytes apart
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(accesses.size(), 8U);
  EXPECT_EQ(
      accesses[2],
      (isa::Access{.operand = "src", .at = 1152, .bytes = 16, .lane = 32}));

  m.Execute(isa::SetVectorMask{.high = 0, .low = 0b1011});
  EXPECT_TRUE(m.Executes(this->FromRegister()));
  ASSERT_EQ(accesses.size(), 3U);
  EXPECT_EQ(accesses[0].bytes, 4);
  EXPECT_EQ(accesses[1],
            (isa::Access{.operand = "src", .at = 1030, .bytes = 2, .lane = 3}));
}

TEST(SumTree, NodesHoldTheirPlaces) {
  Oracle::State state;
  state.tracing = true;
  std::vector<Term> terms = {{2, kOne}, {3, kOne}, {64, kOne}};
  EXPECT_EQ(SumTree(terms, 0, DType::kHalf, state), 0x4200U);
  ASSERT_EQ(state.nodes.size(), 2U);
  EXPECT_EQ(state.nodes[0].level, 0);
  EXPECT_EQ(state.nodes[0].index, 1);
  EXPECT_EQ(state.nodes[1].level, 6);  // the last of seven levels
  EXPECT_EQ(state.nodes[1].index, 0);
  EXPECT_EQ(state.node_count, 2U);
}

}  // namespace
}  // namespace lanediff::oracle
