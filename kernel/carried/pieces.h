#pragma once

#include <cstdint>
#include <cstring>

#include "kernel/carried/lanes.h"

/// Bytes moved one piece after the other, by calls whose pieces lie where
/// their parameters or other operands specify.
namespace lanediff::kernel::carried {

/// A number that lies `offset` bytes into an operand; nothing beyond what may
/// be read of it.
template <class T>
std::optional<T> NumberAt(const CarriedOperand& operand, std::int64_t offset) {
  if (offset < 0 ||
      offset + static_cast<std::int64_t>(sizeof(T)) > operand.readable) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, operand.bytes + offset, sizeof value);
  return value;
}

/// Whether the bytes leave the operand's window.
inline bool IsOutside(const CarriedOperand& operand, std::int64_t offset,
                      std::int64_t bytes) {
  return offset < 0 || offset + bytes > operand.window;
}

/// Adds [operand.at + offset, + bytes), joined with the piece before where it
/// goes on with it.
inline void AddTouch(const CarriedCall& call, std::uint32_t operand,
                     std::int64_t offset, std::int64_t bytes,
                     std::int64_t iteration, std::vector<Touch>& touches) {
  const std::int64_t at = call.operands[operand].at + offset;
  if (!touches.empty()) {
    Touch& last = touches.back();
    if (last.operand == operand && last.iteration == iteration &&
        last.at + last.bytes == at) {
      last.bytes += bytes;
      return;
    }
  }
  touches.push_back({operand, at, bytes, iteration});
}

}  // namespace lanediff::kernel::carried
