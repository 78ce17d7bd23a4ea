#include "oracle/conversion.h"

#include "oracle/exact_integer.h"
#include "oracle/format.h"
#include "oracle/rounder.h"

namespace lanediff::oracle {

NodeResult Convert(isa::DType from, isa::DType to, std::uint64_t bits) {
  const Format format = FormatOf(to);
  const Decoded d = Decode(FormatOf(from), bits);
  if (d.IsNan()) return {.bits = format.CanonicalNan()};
  if (d.IsInfinite()) return {.bits = format.Infinity(d.negative)};
  const Rounded r = RoundToNearestEven(
      format, d.negative, NarrowInteger(d.significand), d.exponent);
  return {.bits = r.bits, .rounded = r.rounded, .tie = r.tie};
}

}  // namespace lanediff::oracle
