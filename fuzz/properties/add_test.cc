#include "isa/add.h"

#include "fuzz/properties/elementwise_laws.h"

/// Laws of Add. No law defines a sum.
namespace lanediff::properties {
namespace {

using isa::Add;
using isa::DType;

/// −0 changes no value, not even a zero.
Verdict MinusZeroIsNeutral() {
  return LeavesSrc0With<Add>([](DType type) {
    return IsFloating(type) ? Compose(type, true, 0, 0) : 0;
  });
}

Verdict PowerOfTwoScales() {
  auto s = Counted(DrawSurroundings<Add>(/*with_int16=*/false));
  if (!IsFloating(s.dtype)) s.dtype = s.call.dtype = DType::kHalf;
  // Sums of integers up to 64 are exact in both types at every scale from the
  // smallest subnormal up to 2^15 and 2^127.
  const auto left = DrawElements(IntegerElement(s.dtype, 64));
  const auto right = DrawElements(IntegerElement(s.dtype, 64));
  const bool half = s.dtype == DType::kHalf;
  const int exponent = half ? Draw("up to", -24, 8) : Draw("up to", -149, 120);
  const auto filled = [&](const auto& scaled) {
    Surroundings with_sources = s;
    with_sources.Fill(s.call.src0, scaled(left));
    with_sources.Fill(s.call.src1, scaled(right));
    return CaseOf(with_sources, {s.call});
  };
  const auto scale = [&](std::vector<std::uint64_t> elements) {
    for (auto& bits : elements) bits = TimesPowerOfTwo(s.dtype, bits, exponent);
    return elements;
  };
  return Related(
      filled([](const auto& elements) { return elements; }), filled(scale),
      [&](const Bytes& a, const Bytes& b) {
        for (std::int64_t i = 0; i < s.call.count; ++i) {
          std::string difference = ElementDifference(
              s.dtype, i,
              TimesPowerOfTwo(s.dtype, ElementAt(s.dtype, a, s.call.dst, i),
                              exponent),
              ElementAt(s.dtype, b, s.call.dst, i));
          if (!difference.empty()) return difference;
        }
        return std::string();
      });
}

[[maybe_unused]] const bool kGiven = GiveLaws<Add>(
    {{"Commutes", Commutes<Add>},
     {"MinusZeroIsNeutral", MinusZeroIsNeutral},
     {"PowerOfTwoScales", PowerOfTwoScales},
     {"AssociatesModulo", AssociatesModulo<Add>},
     {"RunningIntegersHaveNoOrder", RunningIntegersHaveNoOrder<Add>}});

}  // namespace
}  // namespace lanediff::properties
