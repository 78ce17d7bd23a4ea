#include "isa/memory_map.h"

#include <array>

namespace lanediff::isa {
namespace {

bool IsA2OrA3(Product product) {
  return product == Product::kAtlasA2 || product == Product::kAtlasA3;
}

}  // namespace

Memory MemoryAt(Product product, Position position) {
  switch (position) {
    case Position::kGm:
      return Memory::kGm;
    case Position::kVecin:
    case Position::kVeccalc:
    case Position::kVecout:
    case Position::kUb:
      return Memory::kUb;
    case Position::kA1:
    case Position::kB1:
    case Position::kTscm:
      return Memory::kL1;
    case Position::kC1:
      return IsA2OrA3(product) ? Memory::kL1 : Memory::kUb;
    case Position::kC2:
      return IsA2OrA3(product) || product == Product::kAtlas200i500A2
                 ? Memory::kBt
                 : Memory::kL0c;
    case Position::kC2pipe2gm:
      return Memory::kFb;
    case Position::kCo2:
      return product == Product::kAtlasInferenceAicore ||
                     product == Product::kAtlasTraining
                 ? Memory::kUb
                 : Memory::kGm;
  }
  return Memory::kGm;
}

std::int64_t CapacityBytes(Product product, Memory memory) {
  const bool newer = IsA2OrA3(product);
  const std::array<std::int64_t, kCount<Memory>> bytes = {
      0,
      newer ? 196608 : 262144,
      newer ? 524288 : 1048576,
      newer || product == Product::kAtlas200i500A2 ? 131072 : 262144,
      1024,
      7168};
  return bytes[static_cast<std::size_t>(memory)];
}

}  // namespace lanediff::isa
