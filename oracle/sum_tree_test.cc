#include "oracle/sum_tree.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/state.h"

namespace lanediff::oracle {
namespace {

// In half, 2048 + 1 is 2048 again, and 2048 + 2 is 2050.
constexpr std::uint64_t k1 = 0x3c00;
constexpr std::uint64_t k2048 = 0x6800;
constexpr std::uint64_t k2050 = 0x6801;

std::uint64_t Sum(std::vector<Term> terms, Oracle::State& state) {
  return SumTree(terms, 0, isa::DType::kHalf, state);
}

/// RRS-TREE: positions decide who is whose neighbour, not who is left.
TEST(SumTree, NeighboursAreNeighboursByPosition) {
  Oracle::State state;
  EXPECT_EQ(Sum({{0, k2048}, {2, k1}, {3, k1}}, state), k2050);
  EXPECT_EQ(Sum({{0, k2048}, {1, k1}, {2, k1}}, state), k2048);
  EXPECT_EQ(Sum({{1, k1}, {2, k2048}, {5, k1}, {6, k1}}, state), k2050);
  EXPECT_EQ(Sum({{63, k2048}, {64, k1}, {127, k1}}, state), k2050);
  EXPECT_EQ(state.node_count, 9U);
}

TEST(SumTree, NodesHoldTheirPlaces) {
  Oracle::State state;
  state.tracing = true;
  Sum({{2, k1}, {3, k1}, {64, k1}}, state);
  ASSERT_EQ(state.nodes.size(), 2U);
  EXPECT_EQ(state.nodes[0].level, 0);
  EXPECT_EQ(state.nodes[0].index, 1);
  EXPECT_EQ(state.nodes[1].level, 6);  // the last of seven levels
  EXPECT_EQ(state.nodes[1].index, 0);
}

TEST(SumTree, OneTermIsWrittenAsItIs) {
  Oracle::State state;
  state.tracing = true;
  EXPECT_EQ(Sum({{77, k2048}}, state), k2048);
  EXPECT_EQ(state.node_count, 0U);
  ASSERT_EQ(state.nodes.size(), 1U);
  EXPECT_EQ(state.nodes[0].operation, "write");
}

}  // namespace
}  // namespace lanediff::oracle
