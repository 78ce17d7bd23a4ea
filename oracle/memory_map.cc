#include "oracle/memory_map.h"

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
