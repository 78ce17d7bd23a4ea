#pragma once

#include <cstdint>
#include <optional>

#include "isa/vocabulary.h"

namespace lanediff::isa {

/// A window `[at, at + bytes)` of the memory behind `position`. Both numbers
/// are bytes and may be anything a case can say: negative, huge, outside the
/// memory.
struct Operand {
  Position position = Position::kGm;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  /// Only where the operand's own type differs from the step's.
  std::optional<DType> dtype;

  bool operator==(const Operand&) const = default;
};

}  // namespace lanediff::isa
