#pragma once

#include <cstdint>

#include "isa/vocabulary.h"

/// Where logical positions lie and how large the memories are, for those who
/// read and make cases. Like the catalogue it is data that neither emulator nor
/// oracle includes; each has its own.
namespace lanediff::isa {

constexpr bool IsA2OrA3(Product product) {
  return product == Product::kAtlasA2 || product == Product::kAtlasA3;
}

/// The physical memory behind `position` on `product`.
constexpr Memory MemoryAt(Product product, Position position) {
  using enum Memory;
  const bool newer = IsA2OrA3(product);
  const bool older = product == Product::kAtlasInferenceAicore ||
                     product == Product::kAtlasTraining;
  const bool has_table = newer || product == Product::kAtlas200i500A2;
  // GM, VECIN, VECCALC, VECOUT, A1, B1, TSCM, C1, C2, C2PIPE2GM, CO2, UB.
  const PerWord<Position, Memory> memories = {
      {kGm, kUb, kUb, kUb, kL1, kL1, kL1, newer ? kL1 : kUb,
       has_table ? kBt : kL0c, kFb, older ? kUb : kGm, kUb}};
  return memories[position];
}

/// Capacity in bytes of `memory` on `product`; 0 for GM, which has the case's
/// size.
constexpr std::int64_t CapacityBytes(Product product, Memory memory) {
  const bool newer = IsA2OrA3(product);
  const bool has_table = newer || product == Product::kAtlas200i500A2;
  const PerMemory<std::int64_t> bytes = {
      {0, newer ? 196608 : 262144, newer ? 524288 : 1048576,
       has_table ? 131072 : 262144, 1024, 7168}};
  return bytes[memory];
}

/// Size in bytes of one element of `type`.
constexpr std::int64_t SizeBytes(DType type) {
  constexpr PerWord<DType, std::int64_t> kBytes = {
      {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8}};
  return kBytes[type];
}

/// All bits of such an element.
constexpr std::uint64_t WidthMask(DType type) {
  return ~std::uint64_t{0} >> (64 - 8 * SizeBytes(type));
}

}  // namespace lanediff::isa
