#pragma once

#include <cstdint>

#include "isa/vocabulary.h"

/// Where logical positions lie and how large the memories are, for those who
/// read and make cases. Like the catalogue it is data that neither emulator nor
/// oracle includes; each has its own.
namespace lanediff::isa {

/// The physical memory behind `position` on `product`.
Memory MemoryAt(Product product, Position position);

/// Capacity in bytes of `memory` on `product`; 0 for GM, which has the case's
/// size.
std::int64_t CapacityBytes(Product product, Memory memory);

/// Size in bytes of one element of `type`.
constexpr std::int64_t SizeBytes(DType type) {
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
  return 0;
}

/// All bits of such an element.
constexpr std::uint64_t WidthMask(DType type) {
  return ~std::uint64_t{0} >> (64 - 8 * SizeBytes(type));
}

}  // namespace lanediff::isa
