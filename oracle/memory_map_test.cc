#include "oracle/memory_map.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/memories.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

namespace lanediff::oracle {
namespace {

using isa::Position;
using isa::Product;

/// Rows in the order of the products, columns in that of the positions:
/// GM, VECIN, VECCALC, VECOUT, A1, B1, TSCM, C1, C2, C2PIPE2GM, CO2, UB.
constexpr std::string_view kExpected[7][12] = {
    {"GM", "UB", "UB", "UB", "L1", "L1", "L1", "UB", "L0C", "", "UB", "UB"},
    {"GM", "UB", "UB", "UB", "L1", "L1", "L1", "UB", "L0C", "", "UB", "UB"},
    {"GM", "UB", "UB", "UB", "L1", "L1", "L1", "UB", "L0C", "", "GM", "UB"},
    {"GM", "UB", "UB", "UB", "L1", "L1", "L1", "L1", "BT", "FB", "GM", "UB"},
    {"GM", "UB", "UB", "UB", "L1", "L1", "L1", "L1", "BT", "FB", "GM", "UB"},
    {"GM", "UB", "UB", "UB", "L1", "L1", "L1", "UB", "BT", "", "GM", "UB"},
    {"GM", "UB", "UB", "UB", "L1", "L1", "L1", "UB", "L0C", "", "GM", "UB"},
};

TEST(MemoryMap, MatchesTheTable) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    for (std::size_t x = 0; x < isa::kCount<Position>; ++x) {
      const auto memory =
          MemoryOf(static_cast<Product>(p), static_cast<Position>(x));
      EXPECT_EQ(memory ? isa::Name(*memory) : "", kExpected[p][x])
          << isa::Name(static_cast<Product>(p)) << " "
          << isa::Name(static_cast<Position>(x));
    }
  }
}

/// Typed from "Memories and positions": rows in the order of the products,
/// columns in that of the memories: GM (of the case's size), UB, L1, L0C,
/// BT, FB.
TEST(MemoryMap, Capacities) {
  constexpr std::int64_t kBytes[7][6] = {
      {0, 262144, 1048576, 262144, 1024, 7168},
      {0, 262144, 1048576, 262144, 1024, 7168},
      {0, 262144, 1048576, 262144, 1024, 7168},
      {0, 196608, 524288, 131072, 1024, 7168},
      {0, 196608, 524288, 131072, 1024, 7168},
      {0, 262144, 1048576, 131072, 1024, 7168},
      {0, 262144, 1048576, 262144, 1024, 7168},
  };
  constexpr std::array kNames = {"GM", "UB", "L1", "L0C", "BT", "FB"};
  constexpr std::array kProducts = {"atlas-training",
                                    "atlas-inference-aicore",
                                    "atlas-inference-vectorcore",
                                    "atlas-a2",
                                    "atlas-a3",
                                    "atlas-200i-500-a2",
                                    "atlas-200-300-500"};
  for (std::size_t p = 0; p < kProducts.size(); ++p) {
    const auto product = static_cast<Product>(p);
    ASSERT_EQ(isa::Name(product), kProducts[p]);
    for (std::size_t m = 0; m < kNames.size(); ++m) {
      const auto memory = static_cast<isa::Memory>(m);
      ASSERT_EQ(isa::Name(memory), kNames[m]);
      EXPECT_EQ(CapacityOf(product, memory).value_or(0), kBytes[p][m])
          << kProducts[p] << " " << kNames[m];
    }
  }
}

/// A memory that is larger than the product's ends at the capacity: the last
/// DataBlock inside it is in bounds, the one behind it is not.
TEST(MemoryMap, BoundsEndAtTheCapacity) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    std::vector<std::uint8_t> ub(1 << 20);
    isa::Memories memories;
    memories[isa::Memory::kUb] = ub;
    const Oracle oracle(product, memories);
    const std::int64_t capacity = *CapacityOf(product, isa::Memory::kUb);
    isa::RepeatReduceSum call = test::SumCall(16);
    call.src.bytes = call.dst.bytes = 32;
    call.src.at = capacity - 32;
    EXPECT_FALSE(oracle.BrokenAnywhere(call).Contains(isa::rrs::kBounds))
        << isa::Name(product);
    call.src.at = capacity;
    EXPECT_TRUE(oracle.BrokenAnywhere(call).Contains(isa::rrs::kBounds))
        << isa::Name(product);
  }
}

TEST(MemoryMap, ElementBytes) {
  constexpr std::array kBytes = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  for (std::size_t t = 0; t < kBytes.size(); ++t) {
    EXPECT_EQ(ElementBytes(static_cast<isa::DType>(t)), kBytes[t])
        << isa::Name(static_cast<isa::DType>(t));
  }
}

}  // namespace
}  // namespace lanediff::oracle
