#include "oracle/memory_map.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "isa/memories.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/operations.h"
#include "oracle/oracle.h"
#include "oracle/pipe_tables.h"
#include "oracle/pipe_tables_testing.h"
#include "oracle/testing.h"

/// The tables of products: memories, events, ids, barriers, and the end of UB.
namespace lanediff::oracle {
namespace {

using isa::Edition;
using isa::Event;
using isa::Pipe;

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
  for (const Product product : test::All<Product>()) {
    std::vector<std::uint8_t> ub(1 << 20);
    const Oracle oracle(product, test::Machine::MemoriesOf(ub));
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

template <class E, class Has>
std::set<std::string_view> WordsThat(Has has) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < isa::kCount<E>; ++i) {
    if (has(static_cast<E>(i))) words.insert(isa::Name(static_cast<E>(i)));
  }
  return words;
}

TEST(PipeTables, EventsAndBarriersOfEveryProduct) {
  for (const test::PipesOfProduct& row : test::kPipesOfProducts) {
    SCOPED_TRACE(isa::Name(row.product));
    EXPECT_EQ(
        WordsThat<Event>([&](Event e) { return HasEvent(row.product, e); }),
        row.Events());
    EXPECT_EQ(
        WordsThat<Pipe>([&](Pipe p) { return HasBarrier(row.product, p); }),
        row.Barriers());
    EXPECT_EQ(GreatestFlagId(row.product).value_or(-1), row.greatest_id);
  }
}

TEST(PipeTables, ThereAreAsManyEventsAsTheDocumentsSay) {
  const auto count = [](Product product) {
    return WordsThat<Event>([&](Event e) { return HasEvent(product, e); })
        .size();
  };
  EXPECT_EQ(count(Product::kAtlasA2), 20U + 7U);
  EXPECT_EQ(count(Product::kAtlas200i500A2), 20U + 7U + 5U + 1U);
  EXPECT_EQ(count(Product::kAtlasTraining), 20U + 5U);
  EXPECT_EQ(count(Product::kAtlas200_300_500), 0U);
}

TEST(PipeTables, Ids6And7AreReservedWhereThereAreEight) {
  for (const test::PipesOfProduct& row : test::kPipesOfProducts) {
    for (const std::int64_t id :
         {INT64_MIN, INT64_C(-1), INT64_C(5), INT64_C(8)}) {
      EXPECT_FALSE(IsReservedFlagId(row.product, id));
    }
    EXPECT_EQ(IsReservedFlagId(row.product, 6), row.greatest_id == 7);
    EXPECT_EQ(IsReservedFlagId(row.product, 7), row.greatest_id == 7);
  }
}

/// GetValue of a window of 32 bytes that ends at `end` of UB.
isa::GetValue ReadUntil(std::int64_t end) {
  return {.src = test::Window(Position::kVecin, end - 32, 32)};
}

TEST(ReservedUb, BeginsEightKibBeforeTheEndOnA2AndA3) {
  for (const Product product : {Product::kAtlasA2, Product::kAtlasA3}) {
    for (const std::int64_t end : {188417, 188448, 196608}) {
      EXPECT_TRUE(UsesReservedUb(ReadUntil(end), product, Edition::k2026));
      EXPECT_FALSE(UsesReservedUb(ReadUntil(end), product, Edition::k2024));
    }
    EXPECT_FALSE(UsesReservedUb(ReadUntil(188416), product, Edition::k2026));
  }
  EXPECT_FALSE(UsesReservedUb(ReadUntil(262144), Product::kAtlas200i500A2,
                              Edition::k2026));
}

TEST(ReservedUb, IsOfUbAlone) {
  isa::DataCopy copy = test::Copy(Position::kGm, Position::kA1);
  copy.src.at = copy.dst.at = 196000;
  EXPECT_FALSE(UsesReservedUb(copy, Product::kAtlasA2, Edition::k2026));
  copy.dst.position = isa::Position::kVecin;
  EXPECT_TRUE(UsesReservedUb(copy, Product::kAtlasA2, Edition::k2026));
  copy.dst.bytes = 0;
  EXPECT_FALSE(UsesReservedUb(copy, Product::kAtlasA2, Edition::k2026));
}

TEST(ReservedUb, CountsTheWholeTile) {
  isa::Trowprod call = test::RowProduct(1);
  call.tmp.at = 188416 - 64;
  call.tmp.rows = 2;
  EXPECT_FALSE(UsesReservedUb(call, Product::kAtlasA2, Edition::k2026));
  call.tmp.rows = 3;
  EXPECT_TRUE(UsesReservedUb(call, Product::kAtlasA2, Edition::k2026));
}

TEST(ReservedUb, IsANoteOfStepsThatAreExecuted) {
  std::vector<std::uint8_t> ub(196608);
  Oracle oracle(Product::kAtlasA2, test::Machine::MemoriesOf(ub));
  const isa::Step read = ReadUntil(196608);
  EXPECT_EQ(test::Texts(read, oracle.Execute(read).notes), "STATE-UB-RESERVED");
  const isa::StepResult rejected = oracle.Execute(ReadUntil(196640));
  EXPECT_FALSE(rejected.rules.empty());
  EXPECT_TRUE(rejected.notes.empty());
}

}  // namespace
}  // namespace lanediff::oracle
