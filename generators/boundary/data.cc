#include "generators/boundary/data.h"

#include <array>

#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;

/// Widths of a floating type's fields, in bits.
struct Widths {
  int fraction;
  int exponent;
};

constexpr Widths WidthsOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {10, 5};
    case DType::kBfloat16:
      return {7, 8};
    case DType::kFloat:
      return {23, 8};
    default:
      return {52, 11};
  }
}

std::uint64_t TypeMask(DType type) {
  return ~std::uint64_t{0} >> (64 - 8 * isa::SizeBytes(type));
}

std::uint64_t SignOf(DType type) {
  const std::uint64_t mask = TypeMask(type);
  return mask ^ (mask >> 1);
}

/// Magnitudes; each is used with both signs.
std::vector<std::uint64_t> FloatMagnitudes(DType type) {
  const Widths w = WidthsOf(type);
  const std::uint64_t unit = std::uint64_t{1} << w.fraction;  // of exponents
  const std::uint64_t top = (std::uint64_t{1} << w.exponent) - 1;
  const std::uint64_t one = (top / 2) * unit;
  const auto precision = static_cast<std::uint64_t>(w.fraction) + 1;
  return {
      0,
      1,                             // smallest subnormal
      unit - 1,                      // largest subnormal
      unit,                          // smallest normal
      one - precision * unit,        // half an ulp of 1: a tie
      one - precision * unit + 1,    // just above that tie
      one - unit,                    // 1/2
      one - 1,                       // below 1
      one,                           // 1
      one + 1,                       // above 1
      one + (precision - 1) * unit,  // from here on odd numbers are ties
      one + precision * unit + 1,
      (one + top * unit) / 2,            // about the root of the largest value
      (top - 1 - precision) * unit - 1,  // largest sum with max that fits
      (top - 1 - precision) * unit,      // half an ulp of max: overflows
      top * unit - 2,                    // below the largest
      top * unit - 1,                    // the largest
      top * unit,                        // infinity
      top * unit + unit / 2,             // the canonical NaN
      top * unit + 1,                    // another NaN, signalling
  };
}

std::vector<std::uint64_t> MakeSpecialValues(DType type) {
  std::vector<std::uint64_t> values;
  const std::uint64_t sign = SignOf(type);
  if (IsFloating(type)) {
    for (std::uint64_t magnitude : FloatMagnitudes(type)) {
      values.push_back(magnitude);
      values.push_back(magnitude | sign);
    }
    return values;
  }
  const std::uint64_t mask = TypeMask(type);
  return {0,        1,        2,
          mask,     mask - 1, sign - 1,
          sign - 2, sign,     (sign + 1) & mask,
          mask >> 2};
}

/// The element that is the integer `value`.
std::uint64_t Integer(DType type, std::int64_t value) {
  if (!IsFloating(type)) {
    return static_cast<std::uint64_t>(value) & TypeMask(type);
  }
  const Widths w = WidthsOf(type);
  if (value == 0) return 0;
  const std::uint64_t sign = value < 0 ? SignOf(type) : 0;
  auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  int exponent = 0;
  while (magnitude >> (exponent + 1) != 0) ++exponent;
  const std::uint64_t bias = (std::uint64_t{1} << (w.exponent - 1)) - 1;
  const std::uint64_t fraction = magnitude ^ (std::uint64_t{1} << exponent);
  const int shift = w.fraction - exponent;
  const std::uint64_t moved =
      shift >= 0 ? fraction << shift : fraction >> -shift;
  return sign | (bias + static_cast<std::uint64_t>(exponent)) << w.fraction |
         moved;
}

std::uint64_t Mix(std::int64_t i) {
  std::uint64_t z = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15 + 1;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  return z ^ z >> 31;
}

/// Sign, biased exponent and fraction; the fraction is cut to its width.
std::uint64_t Compose(DType type, bool negative, std::uint64_t exponent,
                      std::uint64_t fraction) {
  const Widths w = WidthsOf(type);
  return (negative ? SignOf(type) : 0) | exponent << w.fraction |
         (fraction & ((std::uint64_t{1} << w.fraction) - 1));
}

std::uint64_t FloatElement(DType type, Data data, std::int64_t i) {
  const Widths w = WidthsOf(type);
  const std::uint64_t top = (std::uint64_t{1} << w.exponent) - 1;
  const std::uint64_t bits = Mix(i);
  const auto precision = static_cast<std::uint64_t>(w.fraction);
  switch (data) {
    case Data::kOverflow:
      return Compose(type, bits >> 60 == 0, top - 1 - (bits >> 56) % 3, bits);
    case Data::kTies:
      return Compose(type, bits >> 60 == 0,
                     top / 2 + (bits >> 50) % (precision + 2), bits & 3);
    case Data::kCancel:
      return Compose(type, i % 2 != 0, top / 2 + 1, (bits >> 40) % 3);
    case Data::kSubnormals:
      return Compose(type, bits >> 63 != 0, (bits >> 60) % 2, bits);
    default: {  // near one: 1 to 1 + 1/64, or 1 - 1/64 to 1
      const std::uint64_t ones = (std::uint64_t{1} << w.fraction) - 1;
      const bool below = (bits >> 60) % 2 != 0;
      return Compose(type, bits >> 63 != 0, top / 2 - below,
                     below ? ~(bits & ones >> 5) : bits & ones >> 6);
    }
  }
}

std::uint64_t Element(DType type, Data data, std::int64_t i) {
  if (data == Data::kRamp) return Integer(type, i % 199 + 1);
  if (data == Data::kSpecial) {
    const auto& values = SpecialValues(type);
    const auto n = static_cast<std::int64_t>(values.size());
    const std::int64_t pair = i / 2;
    return values[static_cast<std::size_t>(i % 2 == 0 ? pair % n
                                                      : pair / n % n)];
  }
  if (data == Data::kBits || !IsFloating(type)) return Mix(i) & TypeMask(type);
  return FloatElement(type, data, i);
}

}  // namespace

std::string_view DataName(Data data) {
  static constexpr std::array<std::string_view, kDataCount> kNames = {
      "ramp", "bits",   "special",    "overflow",
      "ties", "cancel", "subnormals", "near one"};
  return kNames[static_cast<std::size_t>(data)];
}

std::vector<std::uint8_t> MakeData(DType type, Data data, std::int64_t count) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(count * isa::SizeBytes(type)));
  for (std::int64_t i = 0; i < count; ++i) {
    AppendElement(type, Element(type, data, i), bytes);
  }
  return bytes;
}

const std::vector<std::uint64_t>& SpecialValues(DType type) {
  static const auto all = [] {
    std::array<std::vector<std::uint64_t>, isa::kCount<DType>> lists;
    for (std::size_t t = 0; t < lists.size(); ++t) {
      lists[t] = MakeSpecialValues(static_cast<DType>(t));
    }
    return lists;
  }();
  return all[static_cast<std::size_t>(type)];
}

std::uint64_t OneOf(DType type) { return Integer(type, 1); }

std::uint64_t MinusZeroOf(DType type) {
  return IsFloating(type) ? SignOf(type) : 0;
}

}  // namespace lanediff::make::sweep
