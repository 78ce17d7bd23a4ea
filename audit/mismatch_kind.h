#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/vocabulary.h"

namespace lanediff::audit {

/// What is wrong with the first wrong element of a step, as far as it excludes
/// rules as the reason.
enum class MismatchKind : std::uint8_t {
  kOther,     ///< another value, or a byte that nothing was to write
  kMissing,   ///< the element kept what stood there before
  kZeroSign,  ///< a zero of the other sign
  kZeroLost,  ///< a zero was expected, and it is another value
};

}  // namespace lanediff::audit

template <>
struct lanediff::isa::Words<lanediff::audit::MismatchKind> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "other", "missing", "zero sign", "zero lost"};
};
