// Where positions lie and how large memories are against the documents'
// figures, typed from them.

#include "isa/memory_map.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace lanediff::isa {
namespace {

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

TEST(MemoryMap, CapacitiesAreThoseOfTheDocuments) {
  ASSERT_EQ(std::size(kCapacities), kCount<Product>);
  for (const Capacities& row : kCapacities) {
    const auto name = Name(row.product);
    EXPECT_EQ(CapacityBytes(row.product, Memory::kUb), row.ub) << name;
    EXPECT_EQ(CapacityBytes(row.product, Memory::kL1), row.l1) << name;
    EXPECT_EQ(CapacityBytes(row.product, Memory::kL0c), row.l0c) << name;
    EXPECT_EQ(CapacityBytes(row.product, Memory::kBt), row.bt) << name;
    EXPECT_EQ(CapacityBytes(row.product, Memory::kFb), row.fb) << name;
    EXPECT_EQ(CapacityBytes(row.product, Memory::kGm), 0) << name;
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

TEST(MemoryMap, PositionsLieWhereTheDocumentsSay) {
  ASSERT_EQ(std::size(kMemories), kCount<Product>);
  for (const auto& [product, c1, c2, co2] : kMemories) {
    const auto expect = [&](Position position, Memory memory) {
      EXPECT_EQ(MemoryAt(product, position), memory)
          << Name(product) << " " << Name(position);
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

}  // namespace
}  // namespace lanediff::isa
