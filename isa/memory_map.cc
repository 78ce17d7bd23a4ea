#include "isa/memory_map.h"

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
  switch (memory) {
    case Memory::kGm:
      return 0;
    case Memory::kUb:
      return IsA2OrA3(product) ? 196608 : 262144;
    case Memory::kL1:
      return IsA2OrA3(product) ? 524288 : 1048576;
    case Memory::kL0c:
      return IsA2OrA3(product) || product == Product::kAtlas200i500A2 ? 131072
                                                                      : 262144;
    case Memory::kBt:
      return 1024;
    case Memory::kFb:
      return 7168;
  }
  return 0;
}

}  // namespace lanediff::isa
