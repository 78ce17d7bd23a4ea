#include "oracle/memory_map.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace lanediff::oracle {

std::optional<isa::Memory> MemoryOf(isa::Product product,
                                    isa::Position position) {
  using isa::Memory;
  using isa::Position;
  using isa::Product;
  const bool a2_or_a3 =
      product == Product::kAtlasA2 || product == Product::kAtlasA3;

  switch (position) {
    case Position::kGm:
      return Memory::kGm;
    case Position::kVecin:
    case Position::kVeccalc:
    case Position::kVecout:
      return Memory::kUb;
    case Position::kA1:
    case Position::kB1:
    case Position::kTscm:
      return Memory::kL1;
    case Position::kC1:
      return a2_or_a3 ? Memory::kL1 : Memory::kUb;
    case Position::kC2:
      return a2_or_a3 || product == Product::kAtlas200i500A2 ? Memory::kBt
                                                             : Memory::kL0c;
    case Position::kC2pipe2gm:
      if (a2_or_a3) return Memory::kFb;
      return std::nullopt;
    case Position::kCo2:
      return product == Product::kAtlasInferenceAicore ||
                     product == Product::kAtlasTraining
                 ? Memory::kUb
                 : Memory::kGm;
    case Position::kUb:
      return Memory::kUb;
  }
  return std::nullopt;
}

std::optional<std::int64_t> CapacityOf(isa::Product product,
                                       isa::Memory memory) {
  struct Row {
    isa::Product product;
    std::int64_t ub, l1, l0c, bt, fb;
  };
  using enum isa::Product;
  constexpr std::array<Row, 7> kRows = {{
      {kAtlasTraining, 262144, 1048576, 262144, 1024, 7168},
      {kAtlasInferenceAicore, 262144, 1048576, 262144, 1024, 7168},
      {kAtlasInferenceVectorcore, 262144, 1048576, 262144, 1024, 7168},
      {kAtlasA2, 196608, 524288, 131072, 1024, 7168},
      {kAtlasA3, 196608, 524288, 131072, 1024, 7168},
      {kAtlas200i500A2, 262144, 1048576, 131072, 1024, 7168},
      {kAtlas200_300_500, 262144, 1048576, 262144, 1024, 7168},
  }};
  const auto row = std::ranges::find(kRows, product, &Row::product);
  switch (memory) {
    case isa::Memory::kGm:
      return std::nullopt;
    case isa::Memory::kUb:
      return row->ub;
    case isa::Memory::kL1:
      return row->l1;
    case isa::Memory::kL0c:
      return row->l0c;
    case isa::Memory::kBt:
      return row->bt;
    case isa::Memory::kFb:
      return row->fb;
  }
  std::unreachable();
}

std::int64_t ElementBytes(isa::DType type) {
  using isa::DType;
  switch (type) {
    case DType::kInt8:
    case DType::kUint8:
      return 1;
    case DType::kInt16:
    case DType::kUint16:
    case DType::kHalf:
    case DType::kBfloat16:
      return 2;
    case DType::kInt32:
    case DType::kUint32:
    case DType::kFloat:
      return 4;
    case DType::kInt64:
    case DType::kUint64:
    case DType::kDouble:
      return 8;
  }
  std::unreachable();
}

}  // namespace lanediff::oracle
