// How large each memory is, as catalogue values of the BOUNDS rules.

#include <array>

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {

/// One product's memories, in the order of `Memory`; GM has the case's size.
struct Row {
  Product product;
  std::array<std::int64_t, kCount<Memory>> bytes;  // GM, UB, L1, L0C, BT, FB
};

constexpr std::array<Row, kCount<Product>> kRows = {{
    {Product::kAtlasTraining, {0, 262144, 1048576, 262144, 1024, 7168}},
    {Product::kAtlasInferenceAicore, {0, 262144, 1048576, 262144, 1024, 7168}},
    {Product::kAtlasInferenceVectorcore,
     {0, 262144, 1048576, 262144, 1024, 7168}},
    {Product::kAtlasA2, {0, 196608, 524288, 131072, 1024, 7168}},
    {Product::kAtlasA3, {0, 196608, 524288, 131072, 1024, 7168}},
    {Product::kAtlas200i500A2, {0, 262144, 1048576, 131072, 1024, 7168}},
    {Product::kAtlas200_300_500, {0, 262144, 1048576, 262144, 1024, 7168}},
}};

}  // namespace

std::int64_t CatalogueCapacityBytes(Product product, Memory memory) {
  for (const Row& row : kRows) {
    if (row.product == product) {
      return row.bytes[static_cast<std::size_t>(memory)];
    }
  }
  return 0;
}

bool FollowsCapacities(const Rule& rule) {
  return rule.stage == Stage::kBounds;
}

}  // namespace lanediff::isa
