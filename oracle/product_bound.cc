#include "oracle/product_bound.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

#include "oracle/format.h"

namespace lanediff::oracle {
namespace {

using Integer = boost::multiprecision::cpp_int;

/// integer · 2^exponent.
struct Exact {
  Integer integer;
  int exponent = 0;
};

/// Nothing for zero and what is not finite.
std::optional<Exact> ExactOf(Format format, std::uint64_t bits) {
  const Decoded d = Decode(format, bits);
  if (d.kind != Decoded::Kind::kFinite || d.significand == 0) return {};
  Integer integer = d.significand;
  if (d.negative) integer = -integer;
  return Exact{.integer = std::move(integer), .exponent = d.exponent};
}

/// The integer of `value` at an exponent that is not above its own.
Integer At(int exponent, const Exact& value) {
  return value.integer * (Integer(1) << (value.exponent - exponent));
}

/// Whether |value| is at most `most`, which is positive.
bool AtMost(const Exact& value, const Exact& most) {
  const int exponent = std::min(value.exponent, most.exponent);
  return abs(At(exponent, value)) <= At(exponent, most);
}

bool IsNormal(Format format, const Exact& value) {
  const Exact least{.integer = 1, .exponent = 1 - format.Bias()};
  const Exact greatest = *ExactOf(format, format.Greatest(false));
  return AtMost(least, {abs(value.integer), value.exponent}) &&
         AtMost(value, greatest);
}

}  // namespace

std::optional<bool> WithinProductBound(isa::DType type,
                                       std::span<const std::uint64_t> factors,
                                       std::uint64_t result) {
  const Format format = FormatOf(type);
  const std::optional<Exact> rounded = ExactOf(format, result);
  if (!rounded || factors.empty()) return {};
  Exact exact{.integer = 1, .exponent = 0};
  for (const std::uint64_t bits : factors) {
    const std::optional<Exact> factor = ExactOf(format, bits);
    if (!factor) return {};
    exact.integer *= factor->integer;
    exact.exponent += factor->exponent;
  }
  if (!IsNormal(format, exact)) return {};

  // Both sides times |exact| and 2^(precision · roundings).
  const auto roundings = static_cast<unsigned>(factors.size() - 1);
  const unsigned scale = static_cast<unsigned>(format.precision) * roundings;
  const Integer base = (Integer(1) << format.precision) + 1;
  const Integer bound = pow(base, roundings) - (Integer(1) << scale);
  const int exponent = std::min(exact.exponent, rounded->exponent);
  const Integer product = At(exponent, exact);
  const Integer error = abs(Integer(At(exponent, *rounded) - product));
  return Integer(error << scale) <= Integer(abs(product) * bound);
}

}  // namespace lanediff::oracle
