#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/elementwise_testing.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// The documents' examples of the element-wise calls, and what explain shows of
/// single nodes.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::BitsCall;
using test::CountCall;
using test::Machine;
using test::MaskCall;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
constexpr std::uint64_t kEverySecond = 0x5555555555555555;

Words Numbers(std::size_t count,
              const std::function<std::int64_t(std::int64_t)>& number) {
  Words words;
  for (std::size_t i = 0; i < count; ++i) {
    words.push_back(
        static_cast<std::uint16_t>(number(static_cast<std::int64_t>(i))));
  }
  return words;
}
std::int64_t Up(std::int64_t i) { return i + 1; }

/// 512 elements of 16 bits: four iterations of 128 lanes, with either mask, and
/// the count form; src0 is 1, 2, …, 512.
template <isa::Elementwise Call>
void CheckSample(const Words& src1, const Words& dst) {
  Call contiguous = MaskCall<Call>(128, DType::kInt16);
  Call bitwise = BitsCall<Call>(kAllOnes, kAllOnes, DType::kInt16);
  contiguous.repeat_times = bitwise.repeat_times = 4;
  for (const Call& call : std::vector<Call>{
           contiguous, bitwise, CountCall<Call>(512, DType::kInt16)}) {
    Machine m;
    m.Put(DType::kInt16, call.src0.at, Numbers(512, Up));
    m.Put(DType::kInt16, call.src1.at, src1);
    const auto before = m.ub;
    EXPECT_TRUE(m.Executes(call));
    EXPECT_EQ(m.Get(DType::kInt16, 0, 512), dst);
    EXPECT_TRUE(
        std::equal(m.ub.begin() + 1024, m.ub.end(), before.begin() + 1024));
    EXPECT_EQ(m.oracle.node_count(), 512U);
  }
}

TEST(ElementwiseExamples, SamplesOfThePages) {
  const auto down = [](std::int64_t i) { return 513 - i; };
  const auto on = [](std::int64_t i) { return 513 + i; };
  CheckSample<isa::Min>(Numbers(512, down), Numbers(512, [](std::int64_t i) {
                          return i <= 256 ? i + 1 : 513 - i;
                        }));
  CheckSample<isa::Max>(Numbers(512, down), Numbers(512, [](std::int64_t i) {
                          return i < 256 ? 513 - i : i + 1;
                        }));
  CheckSample<isa::Add>(Numbers(512, on), Numbers(512, [](std::int64_t i) {
                          return 514 + 2 * i;
                        }));
  CheckSample<isa::Sub>(Numbers(512, on),
                        Numbers(512, [](std::int64_t) { return -512; }));
  CheckSample<isa::Mul>(Numbers(512, [](std::int64_t) { return 2; }),
                        Numbers(512, [](std::int64_t i) { return 2 * Up(i); }));
}

/// 1, 2, 3, … added to itself by `call`, over what dst held: 7 everywhere.
Words Doubled(isa::Add call) {
  Machine m;
  const std::size_t lanes = 256 / Machine::Bytes(call.dtype);
  call.src1.at = call.src0.at;
  m.Put(call.dtype, call.src0.at, Numbers(lanes, Up));
  m.Put(call.dtype, call.dst.at, Words(lanes, 7));
  EXPECT_TRUE(m.Executes(call));
  return m.Get(call.dtype, call.dst.at, lanes);
}

TEST(ElementwiseExamples, AddOfTheProgrammingGuide) {
  const auto first = [](std::int64_t lanes) {
    return [=](std::int64_t i) { return i < lanes ? 2 * Up(i) : 7; };
  };
  const auto even = [](std::int64_t i) { return i % 2 == 0 ? 2 * Up(i) : 7; };
  using isa::Add;
  EXPECT_EQ(Doubled(MaskCall<Add>(64, DType::kInt16)), Numbers(128, first(64)));
  EXPECT_EQ(Doubled(MaskCall<Add>(64, DType::kInt32)), Numbers(64, first(64)));
  EXPECT_EQ(Doubled(BitsCall<Add>(kEverySecond, kEverySecond, DType::kInt16)),
            Numbers(128, even));
  EXPECT_EQ(Doubled(BitsCall<Add>(kEverySecond, 0, DType::kInt32)),
            Numbers(64, even));
}

/// *-IN-ORDER: three iterations whose src1 and dst stay where they are.
template <isa::Elementwise Call>
std::uint64_t Running(DType dtype, const Words& src0, std::uint64_t held) {
  Machine m;
  Call call = MaskCall<Call>(1, dtype);
  call.repeat_times = static_cast<std::int64_t>(src0.size());
  call.dst.at = call.src1.at;
  call.repeat_params = {1, 1, 1, 0, 8, 0};
  m.Put(dtype, call.dst.at, {held});
  std::int64_t at = call.src0.at;
  for (std::uint64_t value : src0) {
    m.Put(dtype, at, {value});
    at += 256;
  }
  EXPECT_TRUE(m.Executes(call));
  return m.Get(dtype, call.dst.at, 1).front();
}

TEST(ElementwiseExamples, RunningResults) {
  const Words src0{5, 7, 11};
  EXPECT_EQ(Running<isa::Add>(DType::kInt32, src0, 3), 26U);
  EXPECT_EQ(Running<isa::Mul>(DType::kInt32, src0, 3), 1155U);
  EXPECT_EQ(Running<isa::Max>(DType::kInt32, src0, 3), 11U);
  EXPECT_EQ(Running<isa::Min>(DType::kInt32, src0, 6), 5U);
  EXPECT_EQ(Running<isa::Sub>(DType::kInt32, src0, 3), 6U);
  // Half: 2048 takes no single ones, and 65504 is kept on the way.
  EXPECT_EQ(Running<isa::Add>(DType::kHalf, {0x6800, 0x3c00, 0x3c00}, 0),
            0x6800U);
  EXPECT_EQ(Running<isa::Add>(DType::kHalf, {0x7bff, 0x7bff, 0xfbff}, 0), 0U);
  EXPECT_EQ(Running<isa::Max>(DType::kFloat, {0xbf800000, 0x3f800000, 0}, 0),
            0x3f800000U);
}

/// What a traced step shows.
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
  const auto check = [&](const std::vector<Node>& nodes, const char* operation,
                         const char* exact, std::uint64_t result) {
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].operation, operation);
    EXPECT_EQ(nodes[0].exact, exact);
    EXPECT_EQ(nodes[0].left, left[0]);
    EXPECT_EQ(nodes[0].right, right[0]);
    EXPECT_EQ(nodes[0].result, result);
    EXPECT_EQ(nodes[1].index, 1);
  };
  check(Traced<isa::Min>(m, DType::kHalf, left, right), "min", "-1", 0xbc00);
  check(Traced<isa::Max>(m, DType::kHalf, left, right), "max", "1.5", 0x3e00);
  check(Traced<isa::Add>(m, DType::kHalf, left, right), "add", "0.5", 0x3800);
  check(Traced<isa::Sub>(m, DType::kHalf, left, right), "sub", "2.5", 0x4100);
  check(Traced<isa::Mul>(m, DType::kHalf, left, right), "mul", "-1.5", 0xbe00);
  EXPECT_EQ(m.oracle.nodes()[1].exact, "inf");
  EXPECT_TRUE(m.oracle.nodes()[1].saturated);
}

TEST(ElementwiseNodes, HoldTheirLane) {
  Machine m;
  m.oracle.set_tracing(true);
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
  auto nodes = Traced<isa::Mul>(m, DType::kInt32, least, least);
  EXPECT_EQ(nodes[0].exact, "4611686018427387904");
  EXPECT_EQ(nodes[0].result, 0x7fffffffU);
  EXPECT_TRUE(nodes[0].saturated);
  EXPECT_FALSE(nodes[0].wrapped);
  m.Execute(isa::SetSaturation{.enabled = false});
  nodes = Traced<isa::Add>(m, DType::kInt32, least, least);
  EXPECT_EQ(nodes[0].exact, "-4294967296");
  EXPECT_EQ(nodes[0].result, 0U);
  EXPECT_FALSE(nodes[0].saturated);
  EXPECT_TRUE(nodes[0].wrapped);
  EXPECT_FALSE(nodes[0].rounded);
  nodes = Traced<isa::Sub>(m, DType::kInt32, {0x7fffffff}, least);
  EXPECT_EQ(nodes[0].exact, "4294967295");
  nodes = Traced<isa::Max>(m, DType::kInt16, {0x8000}, {0xffff});
  EXPECT_EQ(nodes[0].exact, "-1");
  EXPECT_FALSE(nodes[0].wrapped);
}

TEST(ElementwiseNodes, TrueResultsOfCallsThatRound) {
  Machine m;
  m.oracle.set_tracing(true);
  isa::Add call = MaskCall<isa::Add>(17);
  call.repeat_times = 2;
  call.repeat_params = {3, 1, 1, 8, 8, 8};
  m.Put(DType::kHalf, call.src0.at + 256, Words(17, 0x6800));  // 2048
  m.Put(DType::kHalf, call.src1.at + 256, Words(17, 0x3c00));
  EXPECT_TRUE(m.Executes(call));
  ASSERT_EQ(m.oracle.true_results().size(), 34U);
  const TrueResult& last = m.oracle.true_results().back();
  EXPECT_EQ(last.iteration, 1);
  EXPECT_EQ(last.lane, 16);
  EXPECT_EQ(last.at, 256 + 96);
  EXPECT_EQ(last.exact, "2049");
  EXPECT_EQ(last.bits, 0x6800U);
  EXPECT_EQ(m.oracle.true_results()[18].at, 256 + 2);

  EXPECT_TRUE(m.Executes(CountCall<isa::Sub>(3)));
  EXPECT_EQ(m.oracle.true_results().size(), 3U);
  EXPECT_TRUE(m.Executes(CountCall<isa::Mul>(3)));
  EXPECT_EQ(m.oracle.true_results().size(), 3U);
  EXPECT_TRUE(m.Executes(CountCall<isa::Max>(3)));
  EXPECT_TRUE(m.oracle.true_results().empty());
  EXPECT_TRUE(m.Executes(CountCall<isa::Min>(3)));
  EXPECT_TRUE(m.oracle.true_results().empty());
}

}  // namespace
}  // namespace lanediff::oracle
