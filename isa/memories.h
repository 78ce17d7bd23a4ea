#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/vocabulary.h"

namespace lanediff::isa {

/// The bytes of each physical memory, indexed by `Memory`. An implementation
/// works on them in place and doesn't own them. A memory that neither the case
/// nor its program names is empty.
class Memories {
 public:
  std::span<std::uint8_t>& operator[](Memory m) {
    return bytes_[static_cast<std::size_t>(m)];
  }
  std::span<std::uint8_t> operator[](Memory m) const {
    return bytes_[static_cast<std::size_t>(m)];
  }

 private:
  std::array<std::span<std::uint8_t>, kCount<Memory>> bytes_{};
};

}  // namespace lanediff::isa
