#include "generators/boundary/data.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "differential/testcase/element.h"
#include "generators/random/element_data.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::WidthMask;

std::uint64_t SignOf(DType type) {
  const std::uint64_t mask = WidthMask(type);
  return mask ^ (mask >> 1);
}

/// Magnitudes; each is used with both signs.
std::vector<std::uint64_t> FloatMagnitudes(DType type) {
  const FloatLayout w = LayoutOf(type);
  const std::uint64_t unit = std::uint64_t{1}
                             << w.fraction_bits;  // of exponents
  const std::uint64_t top = (std::uint64_t{1} << w.exponent_bits) - 1;
  const std::uint64_t one = (top / 2) * unit;
  const auto precision = static_cast<std::uint64_t>(w.fraction_bits) + 1;
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
  const std::uint64_t mask = WidthMask(type);
  return {0,        1,        2,
          mask,     mask - 1, sign - 1,
          sign - 2, sign,     (sign + 1) & mask,
          mask >> 2};
}

/// The element that is the integer `value`.
std::uint64_t Integer(DType type, std::int64_t value) {
  if (!IsFloating(type)) {
    return static_cast<std::uint64_t>(value) & WidthMask(type);
  }
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  return FromInteger(LayoutOf(type), value < 0, magnitude);
}

std::uint64_t Mix(std::int64_t i) {
  std::uint64_t z = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15 + 1;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  return z ^ z >> 31;
}

std::uint64_t FloatElement(DType type, Data data, std::int64_t i) {
  const FloatLayout w = LayoutOf(type);
  const std::uint64_t bits = Mix(i);
  const bool negative = bits >> 63 != 0;
  const auto choice = [&](int shift, int count) {
    return static_cast<std::int64_t>((bits >> shift) %
                                     static_cast<std::uint64_t>(count));
  };
  switch (data) {
    case Data::kOverflow:
      return w.Compose(bits >> 60 == 0, w.top() - 1 - choice(56, 3), bits);
    case Data::kTies:
      return w.Compose(bits >> 60 == 0,
                       w.bias() + choice(50, w.fraction_bits + 2), bits & 3);
    case Data::kCancel:
      return w.Compose(i % 2 != 0, w.bias() + 1, (bits >> 40) % 3);
    case Data::kSubnormals:
      return w.Compose(negative, choice(60, 2), bits);
    default:  // near one: 1 to 1 + 1/64, or 1 - 1/64 to 1
      return choice(60, 2) != 0
                 ? w.Compose(negative, w.bias() - 1, ~(bits & w.ones() >> 5))
                 : w.Compose(negative, w.bias(), bits & w.ones() >> 6);
  }
}

std::uint64_t ElementOfData(DType type, Data data, std::int64_t i) {
  if (data == Data::kRamp) return Integer(type, i % 199 + 1);
  if (data == Data::kSpecial) {
    const auto& values = SpecialValues(type);
    const auto n = static_cast<std::int64_t>(values.size());
    const std::int64_t pair = i / 2;
    return values[static_cast<std::size_t>(i % 2 == 0 ? pair % n
                                                      : pair / n % n)];
  }
  if (data == Data::kBits || !IsFloating(type)) return Mix(i) & WidthMask(type);
  return FloatElement(type, data, i);
}

/// Of one type and kind; a larger memory is computed each time.
constexpr std::size_t kMostKeptBytes = std::size_t{1} << 20;

}  // namespace

std::string_view DataName(Data data) {
  static constexpr std::array<std::string_view, kDataCount> kNames = {
      "ramp", "bits",   "special",    "overflow",
      "ties", "cancel", "subnormals", "near one"};
  return kNames[static_cast<std::size_t>(data)];
}

std::vector<std::uint8_t> MakeData(DType type, Data data, std::int64_t count) {
  // An element depends on its index only, and most memories of a sweep have the
  // same size: what is computed once is copied.
  thread_local std::array<std::array<std::vector<std::uint8_t>, kDataCount>,
                          isa::kCount<DType>>
      computed;
  auto& bytes =
      computed[static_cast<std::size_t>(type)][static_cast<std::size_t>(data)];
  const std::int64_t element = isa::SizeBytes(type);
  const auto wanted =
      static_cast<std::size_t>(std::max<std::int64_t>(count, 0) * element);
  bytes.reserve(wanted);
  while (bytes.size() < wanted) {
    const auto i = static_cast<std::int64_t>(bytes.size()) / element;
    AppendElement(type, ElementOfData(type, data, i), bytes);
  }
  const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(wanted);
  std::vector<std::uint8_t> made(bytes.begin(), end);
  if (wanted > kMostKeptBytes) bytes = {};
  return made;
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
