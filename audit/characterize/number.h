#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "isa/vocabulary.h"

/// Numbers of probes: values as double, which holds every number of the types
/// that are probed and every exact result that is compared.
namespace lanediff::character {

/// What a floating type keeps.
struct Format {
  int precision;     ///< bits of the significand, the hidden one counted
  int min_exponent;  ///< of the smallest normal number
  int max_exponent;  ///< of the largest number
};

/// Of half, bfloat16, float and double.
Format FormatOf(isa::DType type);

/// The largest finite number of a floating type.
double LargestOf(isa::DType type);

/// How an exact result becomes one of its type.
enum class Rounding : std::uint8_t {
  kNearestEven,
  kNearestAway,    ///< ties away from zero
  kNearestToZero,  ///< ties toward zero
  kNearestUp,
  kNearestDown,
  kTowardZero,
  kAwayFromZero,
  kUp,
  kDown,
  kToOdd,
};

/// `exact` rounded to the precision of `type`, as if numbers had no end:
/// nothing overflows.
double RoundTo(isa::DType type, double exact, Rounding rounding);

/// Equal, zeros by their sign, NaN to NaN.
bool Same(double a, double b);

/// In decimal, the shortest that is exact enough to know it again.
std::string NumberText(double value);

}  // namespace lanediff::character

template <>
struct lanediff::isa::Words<lanediff::character::Rounding> {
  static constexpr std::array<std::string_view, 10> kSpelling = {
      "nearest-even", "nearest-away", "nearest-toward-zero", "nearest-up",
      "nearest-down", "toward-zero",  "away-from-zero",      "up",
      "down",         "to-odd"};
};
