#include "oracle/memory_map.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "isa/vocabulary.h"

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

TEST(MemoryMap, ElementBytes) {
  constexpr std::array kBytes = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  for (std::size_t t = 0; t < kBytes.size(); ++t) {
    EXPECT_EQ(ElementBytes(static_cast<isa::DType>(t)), kBytes[t])
        << isa::Name(static_cast<isa::DType>(t));
  }
}

}  // namespace
}  // namespace lanediff::oracle
