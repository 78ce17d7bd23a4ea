#pragma once

#include <cassert>
#include <cstdint>

#include "isa/vocabulary.h"

/// Bit patterns of the types, taken apart into integers.
namespace lanediff::oracle {

/// A binary IEEE 754 format.
struct Format {
  int precision;      ///< bits of the significand, the leading one included
  int exponent_bits;  ///< bits of the stored exponent

  constexpr int StoredFraction() const { return precision - 1; }
  constexpr int SignBit() const { return StoredFraction() + exponent_bits; }
  constexpr int Bias() const { return (1 << (exponent_bits - 1)) - 1; }
  /// The stored exponent of infinities and NaNs: all ones.
  constexpr int TopExponent() const { return (1 << exponent_bits) - 1; }
  /// Every finite value is a multiple of 2^QuantumExponent, the least
  /// subnormal.
  constexpr int QuantumExponent() const {
    return 1 - Bias() - StoredFraction();
  }

  constexpr std::uint64_t Sign(bool negative) const {
    return std::uint64_t{negative} << SignBit();
  }
  constexpr std::uint64_t Infinity(bool negative) const {
    return Sign(negative) | static_cast<std::uint64_t>(TopExponent())
                                << StoredFraction();
  }
  /// The finite value of greatest magnitude: the pattern below infinity.
  constexpr std::uint64_t Greatest(bool negative) const {
    return Infinity(negative) - 1;
  }
  /// ARITH-NAN: positive, quiet, no payload.
  constexpr std::uint64_t CanonicalNan() const {
    return Infinity(false) | std::uint64_t{1} << (StoredFraction() - 1);
  }
};

inline constexpr Format kHalfFormat{.precision = 11, .exponent_bits = 5};
inline constexpr Format kFloatFormat{.precision = 24, .exponent_bits = 8};

/// Whether `type` is computed as IEEE 754 has it; int16 and int32 are not.
inline bool IsFloating(isa::DType type) {
  return type == isa::DType::kHalf || type == isa::DType::kFloat;
}

/// Whether the first bit of a type counts downwards; floating ones are not.
inline bool IsSigned(isa::DType type) {
  return type == isa::DType::kInt8 || type == isa::DType::kInt16 ||
         type == isa::DType::kInt32 || type == isa::DType::kInt64;
}

/// The value of an int16 or int32 pattern. Sums, differences and products of
/// two such values fit 64 bits: the largest, (−2^31)², is 2^62.
inline std::int64_t SignedValue(isa::DType type, std::uint64_t bits) {
  assert(type == isa::DType::kInt16 || type == isa::DType::kInt32);
  return type == isa::DType::kInt16
             ? std::int64_t{static_cast<std::int16_t>(bits)}
             : std::int64_t{static_cast<std::int32_t>(bits)};
}

/// The format of `type`, which must be half or float.
inline Format FormatOf(isa::DType type) {
  assert(IsFloating(type));
  return type == isa::DType::kHalf ? kHalfFormat : kFloatFormat;
}

/// What a bit pattern means. A finite value is ±significand · 2^exponent.
struct Decoded {
  enum class Kind : unsigned char { kFinite, kInfinite, kNan };

  Kind kind = Kind::kFinite;
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;

  constexpr bool IsNan() const { return kind == Kind::kNan; }
  constexpr bool IsInfinite() const { return kind == Kind::kInfinite; }
};

/// Takes `bits` apart; bits above the format's width are ignored.
constexpr Decoded Decode(Format format, std::uint64_t bits) {
  const std::uint64_t hidden = std::uint64_t{1} << format.StoredFraction();
  const std::uint64_t fraction = bits & (hidden - 1);
  const int stored =
      static_cast<int>(bits >> format.StoredFraction()) & format.TopExponent();
  Decoded d;
  d.negative = (bits >> format.SignBit() & 1) != 0;
  if (stored == format.TopExponent()) {
    d.kind = fraction == 0 ? Decoded::Kind::kInfinite : Decoded::Kind::kNan;
  } else if (stored == 0) {  // zero or subnormal: no hidden bit
    d.significand = fraction;
    d.exponent = format.QuantumExponent();
  } else {
    d.significand = hidden | fraction;
    d.exponent = format.QuantumExponent() + stored - 1;
  }
  return d;
}

/// ±significand · 2^exponent, where the significand has at most `precision`
/// bits and the exponent is the least one possible, as a bit pattern; infinity
/// where the exponent is beyond the greatest.
constexpr std::uint64_t Encode(Format format, bool negative,
                               std::uint64_t significand, int exponent) {
  const std::uint64_t hidden = std::uint64_t{1} << format.StoredFraction();
  if (significand < hidden) {  // zero and subnormals: stored exponent 0
    assert(exponent == format.QuantumExponent());
    return format.Sign(negative) | significand;
  }
  const int stored = exponent - format.QuantumExponent() + 1;
  if (stored >= format.TopExponent()) return format.Infinity(negative);
  return format.Sign(negative) |
         static_cast<std::uint64_t>(stored) << format.StoredFraction() |
         (significand - hidden);
}

}  // namespace lanediff::oracle
