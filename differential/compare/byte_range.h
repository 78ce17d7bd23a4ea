#pragma once

#include <cstdint>

#include "isa/vocabulary.h"

namespace lanediff::diff {

/// Bytes of one memory.
struct ByteRange {
  isa::Memory memory;
  std::int64_t at;
  std::int64_t bytes;

  bool operator==(const ByteRange&) const = default;
};

}  // namespace lanediff::diff
