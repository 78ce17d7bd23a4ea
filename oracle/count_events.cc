#include "oracle/count_events.h"

#include <cstdint>

#include "oracle/format.h"

namespace lanediff::oracle {
namespace {

/// What a pattern is, by its magnitude: zero, subnormals, normal values,
/// infinity and NaNs follow each other as the patterns count up.
struct Seen {
  Seen(Format format, std::uint64_t bits)
      : negative((bits >> format.SignBit() & 1) != 0) {
    const std::uint64_t sign = format.Sign(true);
    const std::uint64_t magnitude = bits & (sign - 1);
    const std::uint64_t least_normal = std::uint64_t{1}
                                       << format.StoredFraction();
    zero = magnitude == 0;
    subnormal = !zero && magnitude < least_normal;
    infinite = magnitude == format.Infinity(false);
    nan = magnitude > format.Infinity(false);
  }
  bool finite() const { return !infinite && !nan; }
  bool normal() const { return finite() && !zero && !subnormal; }

  bool negative;
  bool zero;
  bool subnormal;
  bool infinite;
  bool nan;
};

/// The events that do not depend on the operation. Nothing of interest has
/// happened where false is returned.
bool CountCommon(const Seen& a, const Seen& b, const Seen& r,
                 const NodeResult& result, isa::NumericEvents& events) {
  using enum isa::NumericEvent;
  events[kRounded] += result.rounded;
  events[kTie] += result.tie;
  if (a.finite() && b.finite() && r.normal() && !result.saturated) return false;
  const bool nan_input = a.nan || b.nan;
  events[kSaturatedHigh] += result.saturated && !r.zero && !r.negative;
  events[kSaturatedLow] += result.saturated && !r.zero && r.negative;
  events[kNanSaturated] += result.saturated && r.zero;
  events[kOverflowed] += a.finite() && b.finite() && r.infinite;
  events[kNanMade] += !nan_input && r.nan;
  events[kNanSwallowed] += nan_input && !r.nan;
  events[kSubnormal] += r.subnormal;
  events[kMinusZero] += r.zero && r.negative;
  events[kInfinityInput] += a.infinite || b.infinite;
  return true;
}

void CountZeros(const Seen& a, const Seen& b, isa::NumericEvents& events) {
  events[isa::NumericEvent::kMinusZeroAgainstPlusZero] +=
      a.zero && b.zero && a.negative != b.negative;
}

void CountInteger(const NodeResult& result, isa::NumericEvents& events) {
  events[isa::NumericEvent::kIntegerSaturated] += result.saturated;
  events[isa::NumericEvent::kIntegerWrapped] += result.wrapped;
}

}  // namespace

void CountAdd(isa::DType type, std::uint64_t left, std::uint64_t right,
              const NodeResult& result, isa::NumericEvents& events) {
  if (!IsFloating(type)) return CountInteger(result, events);
  const Format format = FormatOf(type);
  const Seen a(format, left);
  const Seen b(format, right);
  if (!CountCommon(a, b, Seen(format, result.bits), result, events)) return;
  CountZeros(a, b, events);
  events[isa::NumericEvent::kCancellation] +=
      a.finite() && !a.zero && (left ^ right) == format.Sign(true);
}

void CountIndex(isa::DType type, std::uint64_t first, const NodeResult& result,
                isa::NumericEvents& events) {
  if (!IsFloating(type)) return CountInteger(result, events);
  CountWrite(type, first, type, result, events);
}

void CountSubtract(isa::DType type, std::uint64_t left, std::uint64_t right,
                   const NodeResult& result, isa::NumericEvents& events) {
  if (!IsFloating(type)) return CountInteger(result, events);
  const std::uint64_t negated = right ^ FormatOf(type).Sign(true);
  CountAdd(type, left, negated, result, events);
}

void CountMultiply(isa::DType type, std::uint64_t left, std::uint64_t right,
                   const NodeResult& result, isa::NumericEvents& events) {
  if (!IsFloating(type)) return CountInteger(result, events);
  const Format format = FormatOf(type);
  CountCommon(Seen(format, left), Seen(format, right),
              Seen(format, result.bits), result, events);
}

void CountMultiplyAdd(isa::DType type, std::uint64_t left, std::uint64_t right,
                      std::uint64_t term, const NodeResult& result,
                      bool saturation, isa::NumericEvents& events) {
  if (!IsFloating(type)) return CountInteger(result, events);
  const NodeResult product = Multiply(type, left, right, saturation);
  CountMultiply(type, left, right, product, events);
  CountAdd(type, product.bits, term, Add(type, product.bits, term, saturation),
           events);
}

void CountExtremum(isa::DType type, std::uint64_t left, std::uint64_t right,
                   const NodeResult& result, isa::NumericEvents& events) {
  if (!IsFloating(type)) return;
  const Format format = FormatOf(type);
  const Seen a(format, left);
  const Seen b(format, right);
  if (CountCommon(a, b, Seen(format, result.bits), result, events)) {
    CountZeros(a, b, events);
  }
}

void CountAbsolute(isa::DType type, std::uint64_t bits,
                   const NodeResult& result, isa::NumericEvents& events) {
  if (!IsFloating(type)) return CountInteger(result, events);
  CountWrite(type, bits, type, result, events);
}

void CountRelu(isa::DType type, std::uint64_t bits, const NodeResult& result,
               isa::NumericEvents& events) {
  CountExtremum(type, 0, bits, result, events);
}

void CountLeakyRelu(isa::DType type, std::uint64_t bits, std::uint64_t slope,
                    const NodeResult& result, isa::NumericEvents& events) {
  if (Seen(FormatOf(type), bits).negative) {
    CountMultiply(type, bits, slope, result, events);
  } else {
    CountRelu(type, bits, result, events);
  }
}

void CountWrite(isa::DType from, std::uint64_t bits, isa::DType to,
                const NodeResult& result, isa::NumericEvents& events) {
  if (!IsFloating(from) || !IsFloating(to)) return;
  const Seen value(FormatOf(from), bits);
  CountCommon(value, value, Seen(FormatOf(to), result.bits), result, events);
}

}  // namespace lanediff::oracle
