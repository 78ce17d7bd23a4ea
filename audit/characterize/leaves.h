#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "audit/characterize/prober.h"

namespace lanediff::character {

/// Which leaves count at all.
struct Counted {
  enum class Kind : unsigned char { kCounted, kStrange, kNoAnswer };

  Kind kind = Kind::kNoAnswer;
  std::vector<std::size_t> there;  ///< each counts once
  std::vector<std::size_t> lost;
};

/// Checks whether each leaf counts once: all ones of a sum, twos of a product
/// in groups that stay in range; where something is missing, one leaf at a
/// time.
Counted CountLeaves(Prober& prober, std::size_t leaves);

/// "3, 5 to 7".
std::string LeavesText(const std::vector<std::size_t>& leaves);

}  // namespace lanediff::character
