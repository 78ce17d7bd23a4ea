#pragma once

#include <cstdint>

namespace lanediff::make {

/// Part `index` of `count`: of a numbered space, the numbers that leave `index`
/// when divided by `count`. All parts together are the whole, none twice.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;  ///< more than `index`

  bool Holds(std::uint64_t number) const { return number % count == index; }
  /// Whether it is less than the whole.
  bool IsPart() const { return count > 1; }

  friend bool operator==(const Shard&, const Shard&) = default;
};

}  // namespace lanediff::make
