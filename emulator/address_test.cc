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
using isa::Position;
using isa::Product;

struct Capacities {
  Product product;
  std::int64_t ub, l1, l0c, bt, fb;
};

constexpr Capacities kCapacities[] = {
    {Product::kAtlasTraining, 262144, 1048576, 262144, 1024, 7168},
    {Product::kAtlasInferenceAicore, 262144, 1048576, 262144, 1024, 7168},
    {Product::kAtlasInferenceVectorcore, 262144, 1048576, 262144, 1024, 7168},
    {Product::kAtlasA2, 196608, 524288, 131072, 1024, 7168},
    {Product::kAtlasA3, 196608, 524288, 131072, 1024, 7168},
    {Product::kAtlas200i500A2, 262144, 1048576, 131072, 1024, 7168},
    {Product::kAtlas200_300_500, 262144, 1048576, 262144, 1024, 7168},
};

TEST(Address, CapacitiesAreThoseOfTheDocuments) {
  ASSERT_EQ(std::size(kCapacities), isa::kCount<Product>);
  for (const Capacities& row : kCapacities) {
    const auto name = isa::Name(row.product);
    EXPECT_EQ(CapacityOf(row.product, Memory::kUb), row.ub) << name;
    EXPECT_EQ(CapacityOf(row.product, Memory::kL1), row.l1) << name;
    EXPECT_EQ(CapacityOf(row.product, Memory::kL0c), row.l0c) << name;
    EXPECT_EQ(CapacityOf(row.product, Memory::kBt), row.bt) << name;
    EXPECT_EQ(CapacityOf(row.product, Memory::kFb), row.fb) << name;
  }
}

struct Memories {
  Product product;
  Memory c1, c2, co2;  // the positions on which products differ
};

constexpr Memories kMemories[] = {
    {Product::kAtlasTraining, Memory::kUb, Memory::kL0c, Memory::kUb},
    {Product::kAtlasInferenceAicore, Memory::kUb, Memory::kL0c, Memory::kUb},
    {Product::kAtlasInferenceVectorcore, Memory::kUb, Memory::kL0c,
     Memory::kGm},
    {Product::kAtlasA2, Memory::kL1, Memory::kBt, Memory::kGm},
    {Product::kAtlasA3, Memory::kL1, Memory::kBt, Memory::kGm},
    {Product::kAtlas200i500A2, Memory::kUb, Memory::kBt, Memory::kGm},
    {Product::kAtlas200_300_500, Memory::kUb, Memory::kL0c, Memory::kGm},
};

TEST(Address, PositionsLieWhereTheDocumentsSay) {
  ASSERT_EQ(std::size(kMemories), isa::kCount<Product>);
  for (const auto& [product, c1, c2, co2] : kMemories) {
    const auto expect = [&](Position position, Memory memory) {
      EXPECT_EQ(MemoryOf(product, position), memory)
          << isa::Name(product) << " " << isa::Name(position);
    };
    expect(Position::kGm, Memory::kGm);
    expect(Position::kVecin, Memory::kUb);
    expect(Position::kVeccalc, Memory::kUb);
    expect(Position::kVecout, Memory::kUb);
    expect(Position::kUb, Memory::kUb);
    expect(Position::kA1, Memory::kL1);
    expect(Position::kB1, Memory::kL1);
    expect(Position::kTscm, Memory::kL1);
    expect(Position::kC1, c1);
    expect(Position::kC2, c2);
    expect(Position::kC2pipe2gm, Memory::kFb);
    expect(Position::kCo2, co2);
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
