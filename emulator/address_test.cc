// The emulator's own table of memories against the documents' figures, typed
// from them.

#include "emulator/address.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lanediff::emulator {
namespace {

using isa::Memory;
using isa::Product;

TEST(Address, PositionsAndCapacitiesAreThoseOfTheDocuments) {
  using enum isa::Memory;
  using enum isa::Product;
  struct Row {
    Product product;
    std::int64_t ub, l1, l0c;
    Memory c1, c2, co2;  // the positions on which products differ
  };
  const Row rows[] = {
      {kAtlasTraining, 262144, 1048576, 262144, kUb, kL0c, kUb},
      {kAtlasInferenceAicore, 262144, 1048576, 262144, kUb, kL0c, kUb},
      {kAtlasInferenceVectorcore, 262144, 1048576, 262144, kUb, kL0c, kGm},
      {kAtlasA2, 196608, 524288, 131072, kL1, kBt, kGm},
      {kAtlasA3, 196608, 524288, 131072, kL1, kBt, kGm},
      {kAtlas200i500A2, 262144, 1048576, 131072, kUb, kBt, kGm},
      {kAtlas200_300_500, 262144, 1048576, 262144, kUb, kL0c, kGm},
  };
  ASSERT_EQ(std::size(rows), isa::kCount<Product>);
  for (const Row& row : rows) {
    SCOPED_TRACE(isa::Name(row.product));
    EXPECT_EQ(CapacityOf(row.product, kUb), row.ub);
    EXPECT_EQ(CapacityOf(row.product, kL1), row.l1);
    EXPECT_EQ(CapacityOf(row.product, kL0c), row.l0c);
    EXPECT_EQ(CapacityOf(row.product, kBt), 1024);
    EXPECT_EQ(CapacityOf(row.product, kFb), 7168);
    const Memory memories[] = {kGm, kUb,    kUb,    kUb, kL1,     kL1,
                               kL1, row.c1, row.c2, kFb, row.co2, kUb};
    for (std::size_t p = 0; p < isa::kCount<isa::Position>; ++p) {
      const auto position = static_cast<isa::Position>(p);
      EXPECT_EQ(MemoryOf(row.product, position), memories[p])
          << isa::Name(position);
    }
  }
}

TEST(Address, WhatAProgramWasGivenCountsUpToTheCapacity) {
  State state = {.product = Product::kAtlasA2, .memories = {}};
  std::vector<std::uint8_t> bytes(196608 + 32);
  state.memories[Memory::kUb] = bytes;
  state.memories[Memory::kGm] = bytes;
  EXPECT_EQ(BytesOf(state, Memory::kUb), 196608u);
  EXPECT_EQ(BytesOf(state, Memory::kGm), bytes.size());
  state.memories[Memory::kUb] = std::span(bytes).first(64);
  EXPECT_EQ(BytesOf(state, Memory::kUb), 64u);
  EXPECT_EQ(BytesOf(state, Memory::kL1), 0u);
}

}  // namespace
}  // namespace lanediff::emulator
