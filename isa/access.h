#pragma once

#include <cstdint>
#include <string_view>

#include "isa/vocabulary.h"

namespace lanediff::isa {

/// Consecutive elements that one iteration reads from or writes to an operand.
struct Access {
  std::string_view operand;  ///< the document's name: "dst", "src", "src0", …
  bool write = false;
  Memory memory = Memory::kUb;
  std::int64_t at = 0;  ///< first byte, an address of `memory`
  std::int64_t bytes = 0;
  DType dtype = DType::kHalf;  ///< type of the elements
  std::int64_t iteration = 0;  ///< repeat, block or row, from 0
  std::int64_t lane = 0;       ///< lane (or column) of the first element

  bool operator==(const Access&) const = default;
};

}  // namespace lanediff::isa
