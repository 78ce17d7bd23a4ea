#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::view {

/// The bytes that the call gives to an operand, whether it touches them or not.
struct Window {
  std::string operand;
  isa::Position position = isa::Position::kGm;
  isa::Memory memory = isa::Memory::kGm;
  isa::DType dtype = isa::DType::kUint8;
  std::int64_t at = 0;
  /// Of a tile, rows · cols elements; at most 2^63 - 1.
  std::int64_t bytes = 0;

  /// One past the last byte, at most 2^63 - 1.
  std::int64_t end() const;

  bool operator==(const Window&) const = default;
};

/// The operands' and tiles' windows of `step` on `product`, in the document's
/// order.
std::vector<Window> WindowsOf(const isa::Step& step, isa::Product product);

/// Bytes that two windows of a call have in common.
struct SharedBytes {
  std::string first;  ///< the operands
  std::string second;
  isa::Memory memory = isa::Memory::kGm;
  std::int64_t at = 0;
  std::int64_t bytes = 0;

  bool operator==(const SharedBytes&) const = default;
};

std::vector<SharedBytes> SharedBytesOf(const std::vector<Window>& windows);

}  // namespace lanediff::view
