#include "oracle/product_orders.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/state.h"

/// TRP-ORDER: the tree of each order, by where two marked columns meet among
/// ones, and by rows whose result distinguishes the orders.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Order;
using Words = std::vector<std::uint64_t>;

struct Outcome {
  std::uint64_t result = 0;
  std::vector<Node> nodes;
};

Outcome Multiplied(DType dtype, Order order, const Words& factors,
                   bool saturation = true) {
  Oracle::State state;
  state.tracing = true;
  state.saturation = saturation;
  Multiplier multiplier(dtype, 5, state);
  Outcome outcome;
  outcome.result = MultiplyInOrder(multiplier, order, factors);
  outcome.nodes = state.nodes;
  EXPECT_EQ(state.node_count, state.nodes.size());
  return outcome;
}

/// Columns `left` and `right` of `columns` meet as left and right input of node
/// number `node`, of `nodes` in all.
struct Meeting {
  std::size_t columns, left, right, node, nodes;
};

void ExpectMeetings(DType dtype, Order order,
                    const std::vector<Meeting>& meetings) {
  const bool half = dtype == DType::kHalf;
  const std::uint64_t one = half ? 0x3c00 : 0x3f800000;
  const std::uint64_t three = half ? 0x4200 : 0x40400000;
  const std::uint64_t five = half ? 0x4500 : 0x40a00000;
  const std::uint64_t fifteen = half ? 0x4b80 : 0x41700000;
  for (const Meeting& m : meetings) {
    Words factors(m.columns, one);
    factors[m.left] = three;
    factors[m.right] = five;
    const Outcome outcome = Multiplied(dtype, order, factors);
    SCOPED_TRACE(testing::Message()
                 << Name(dtype) << " " << Name(order) << ", " << m.columns
                 << " columns, " << m.left << " and " << m.right);
    EXPECT_EQ(outcome.result, fifteen);
    ASSERT_EQ(outcome.nodes.size(), m.nodes);
    EXPECT_EQ(outcome.nodes[m.node].left, three);
    EXPECT_EQ(outcome.nodes[m.node].right, five);
    EXPECT_EQ(outcome.nodes[m.node].iteration, 5);
  }
}

TEST(ProductOrders, DocumentedTreeOfFloats) {
  // 64 lanes. Folding the last repeat takes 32, 16, 8, 4, 2 and 1 nodes.
  ExpectMeetings(DType::kFloat, Order::kDocumented,
                 {
                     {2, 0, 1, 64, 65},
                     // One repeat into ones, then a tail of 63.
                     {127, 0, 64, 64, 190},
                     {127, 0, 1, 189, 190},
                     {128, 0, 64, 0, 127},
                     {129, 64, 128, 64, 128},
                     {129, 128, 32, 65, 128},
                     {256, 0, 128, 128, 255},
                     // Three pairs: two meet, the third moves down.
                     {384, 256, 320, 128, 383},
                     {384, 0, 128, 192, 383},
                     {384, 0, 256, 256, 383},
                     // Seven repeats: the last one goes into the first pair.
                     {448, 0, 384, 192, 447},
                     {448, 384, 128, 256, 447},
                     {448, 0, 256, 320, 447},
                     // Five pairs: 2 + 2 meet, then those, then the fifth.
                     {640, 512, 576, 256, 639},
                     {640, 0, 128, 320, 639},
                     {640, 0, 256, 448, 639},
                     {640, 0, 512, 512, 639},
                     // Six pairs.
                     {768, 0, 128, 384, 767},
                     {768, 256, 384, 448, 767},
                     {768, 0, 256, 576, 767},
                     {768, 0, 512, 640, 767},
                 });
  const Outcome one =
      Multiplied(DType::kFloat, Order::kDocumented, {0x40400000});
  EXPECT_EQ(one.result, 0x40400000U);
  EXPECT_EQ(one.nodes.size(), 64U);
  EXPECT_EQ(one.nodes[0].left, 0x3f800000U);
  EXPECT_EQ(one.nodes[0].right, 0x40400000U);
}

TEST(ProductOrders, DocumentedTreeOfHalves) {
  // 128 lanes. Folding takes 127 nodes.
  ExpectMeetings(DType::kHalf, Order::kDocumented,
                 {
                     {2, 0, 1, 128, 129},       {127, 0, 64, 127, 254},
                     {127, 0, 1, 253, 254},     {128, 0, 64, 128, 255},
                     {128, 3, 67, 131, 255},    {129, 0, 128, 128, 256},
                     {129, 128, 64, 129, 256},  {256, 0, 128, 0, 255},
                     {256, 127, 255, 127, 255}, {256, 0, 192, 128, 255},
                     {384, 0, 256, 128, 383},   {384, 128, 256, 128, 383},
                     {448, 0, 256, 128, 447},   {448, 0, 384, 256, 447},
                     {448, 256, 384, 256, 447}, {448, 256, 64, 320, 447},
                     {640, 256, 384, 128, 639}, {640, 0, 512, 256, 639},
                     {640, 0, 256, 384, 639},   {640, 512, 384, 384, 639},
                     {768, 512, 640, 256, 767}, {768, 0, 256, 384, 767},
                     {768, 0, 512, 512, 767},   {768, 384, 640, 512, 767},
                 });
  EXPECT_EQ(Multiplied(DType::kHalf, Order::kDocumented, {0x4200}).nodes.size(),
            128U);
}

TEST(ProductOrders, OtherTrees) {
  ExpectMeetings(DType::kFloat, Order::kLeftFold,
                 {{2, 0, 1, 1, 2}, {768, 0, 500, 500, 768}});
  ExpectMeetings(DType::kFloat, Order::kBlockLanes,
                 {{2, 0, 1, 2, 9},
                  {129, 0, 8, 8, 136},
                  {129, 0, 128, 128, 136},
                  {129, 128, 7, 135, 136}});
  ExpectMeetings(DType::kHalf, Order::kBlockLanes, {{768, 3, 755, 755, 783}});
  ExpectMeetings(DType::kFloat, Order::kRegisterLanes,
                 {{2, 0, 1, 64, 65},
                  {256, 0, 192, 192, 319},
                  {256, 192, 32, 256, 319},
                  {384, 0, 320, 320, 447}});
  ExpectMeetings(DType::kHalf, Order::kRegisterLanes,
                 {{129, 0, 128, 128, 256}, {768, 1, 641, 641, 895}});
}

/// Ones but for the columns named.
Words Marked(std::size_t columns,
             const std::vector<std::pair<std::size_t, std::uint64_t>>& marks) {
  Words factors(columns, 0x3c00);
  for (const auto& [column, value] : marks) factors[column] = value;
  return factors;
}

TEST(ProductOrders, ResultsThatDistinguishThem) {
  constexpr std::uint64_t kBig = 0x5c00;      // 256; two of them saturate
  constexpr std::uint64_t kSmall = 0x1c00;    // 2^-8
  constexpr std::uint64_t kSwallow = 0x5bff;  // 65504 · 2^-8 = 255.875
  struct Row {
    Words factors;
    std::uint64_t documented, block, reg, left;
  };
  const Row rows[] = {
      {Marked(3, {{0, kBig}, {1, kBig}, {2, kSmall}}), kBig, kBig, kBig,
       kSwallow},
      {Marked(512, {{0, kBig}, {256, kBig}, {384, kSmall}}), kBig, kSwallow,
       kSwallow, kSwallow},
      {Marked(17, {{0, kBig}, {1, kSmall}, {16, kBig}}), kSwallow, kSwallow,
       kSwallow, kBig},
      {Marked(9, {{0, kBig}, {1, kSmall}, {8, kBig}}), kSwallow, kBig, kSwallow,
       kBig},
      // (1 + 2^-10) · 1.5 · 1.5: halves round twice, a float chain once.
      {{0x3c01, 0x3e00, 0x3e00}, 0x4082, 0x4081, 0x4082, 0x4082},
  };
  for (const Row& row : rows) {
    const auto with = [&](Order order) {
      return Multiplied(DType::kHalf, order, row.factors).result;
    };
    EXPECT_EQ(with(Order::kDocumented), row.documented) << row.factors.size();
    EXPECT_EQ(with(Order::kBlockLanes), row.block) << row.factors.size();
    EXPECT_EQ(with(Order::kRegisterLanes), row.reg) << row.factors.size();
    EXPECT_EQ(with(Order::kLeftFold), row.left) << row.factors.size();
  }
}

TEST(ProductOrders, TheLastChainOfBlockLanes) {
  const auto halves = [](const Words& factors, bool saturation) {
    return Multiplied(DType::kHalf, Order::kBlockLanes, factors, saturation)
        .result;
  };
  EXPECT_EQ(halves({0x5c00, 0x5c00}, true), 0x7bffU);
  EXPECT_EQ(halves({0x5c00, 0x5c00}, false), 0x7c00U);
  EXPECT_EQ(halves({0xdc00, 0x5c00}, true), 0xfbffU);
  EXPECT_EQ(halves({0x7c00, 0x0000}, true), 0x0000U);  // 65504 · 0
  EXPECT_EQ(halves({0x7c00, 0x0000}, false), 0x7e00U);
  EXPECT_EQ(halves({0x7e00, 0x3c00}, false), 0x7e00U);
  EXPECT_EQ(halves({0x0001, 0x0001, 0x6400, 0x6400, 0x5000}, true), 0x0002U);
  EXPECT_EQ(halves({0x0001, 0x3800}, true), 0x0000U);  // half a unit: to even
  EXPECT_EQ(halves({0x8003, 0x3800}, true), 0x8002U);
  // The chain runs in float: its nodes are float's.
  const Outcome outcome =
      Multiplied(DType::kHalf, Order::kBlockLanes, {0x4200, 0x4500});
  ASSERT_EQ(outcome.nodes.size(), 17U);
  EXPECT_EQ(outcome.nodes[1].dtype, DType::kHalf);
  EXPECT_EQ(outcome.nodes[2].dtype, DType::kFloat);
  EXPECT_EQ(outcome.nodes[2].result, 0x41700000U);
}

}  // namespace
}  // namespace lanediff::oracle
