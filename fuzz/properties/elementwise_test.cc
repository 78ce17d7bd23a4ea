#include "fuzz/properties/elementwise_laws.h"

/// Laws that every call of Min's family keeps, and of single ones beyond these.
/// No law defines a sum, a difference, a product or the larger of two values.
namespace lanediff::properties {
namespace {

using isa::Add;
using isa::DType;
using isa::Max;
using isa::Min;
using isa::Mul;
using isa::Sub;

bool GiveLawsOfAll() {
  isa::ForEachIntrinsic([]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      GiveLaws<Call>(
          {{"BitwiseMaskIsContiguous", BitwiseMaskIsContiguous<Call>},
           {"ComplementaryMasksAreWhole", ComplementaryMasksAreWhole<Call>},
           {"RepeatIsSingleRepeats", RepeatIsSingleRepeats<Call>},
           {"CountIsMasks", CountIsMasks<Call>},
           {"RegisterMaskIsBitwiseMask", RegisterMaskIsBitwiseMask<Call>},
           {"EmulatorAgreesWithOracle", EmulatorAgreesWithOracle<Call>}});
    }
  });
  return true;
}

[[maybe_unused]] const bool kGiven = GiveLawsOfAll();

// ---- Add --------------------------------------------------------------------

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
        return FirstDifference(s.dtype, s.call.count, [&](std::int64_t i) {
          return std::pair(
              TimesPowerOfTwo(s.dtype, ElementAt(s.dtype, a, s.call.dst, i),
                              exponent),
              ElementAt(s.dtype, b, s.call.dst, i));
        });
      });
}

[[maybe_unused]] const bool kAddGiven = GiveLaws<Add>(
    {{"Commutes", Commutes<Add>},
     {"MinusZeroIsNeutral", MinusZeroIsNeutral},
     {"PowerOfTwoScales", PowerOfTwoScales},
     {"AssociatesModulo", AssociatesModulo<Add>},
     {"RunningIntegersHaveNoOrder", RunningIntegersHaveNoOrder<Add>}});

// ---- Max --------------------------------------------------------------------

/// The values in the opposite order: of integers all bits are turned, which the
/// smallest one has no negative for.
std::uint64_t Mirrored(isa::DType type, std::uint64_t bits) {
  if (IsFloating(type)) return Negative(type, bits);
  return ~bits & Ones(8 * isa::SizeBytes(type));
}

/// Max(a, b) is the mirror image of Min of the mirror images. Where a NaN comes
/// in, saturation makes +0 of both.
Verdict IsMirroredMin() {
  auto s = Counted(DrawSurroundings<Max>());
  // Min is not on all of Max's products.
  if (s.product == isa::Product::kAtlasA3) s.product = isa::Product::kAtlasA2;
  FillSources(s, Values::kAny);
  Surroundings mirrored = s;
  for (Region& region : mirrored.sources) {
    const std::int64_t bytes = s.element_bytes();
    std::vector<std::uint8_t> turned;
    for (std::int64_t at = 0; at < region.size(); at += bytes) {
      const auto element =
          std::span(region.bytes).subspan(static_cast<std::size_t>(at));
      AppendElement(s.dtype, Mirrored(s.dtype, LoadElement(s.dtype, element)),
                    turned);
    }
    region.bytes = std::move(turned);
  }
  return Related(
      CaseOf(s, {s.call}), CaseOf(mirrored, {As<Min>(s.call)}),
      [&](const Bytes& a, const Bytes& b) {
        return FirstDifference(s.dtype, s.call.count, [&](std::int64_t i) {
          const std::uint64_t largest = ElementAt(s.dtype, a, s.call.dst, i);
          const bool of_nan =
              IsNan(s.dtype, ElementAt(s.dtype, a, s.call.src0, i)) ||
              IsNan(s.dtype, ElementAt(s.dtype, a, s.call.src1, i));
          return std::pair(
              largest,
              of_nan ? largest
                     : Mirrored(s.dtype, ElementAt(s.dtype, b, s.call.dst, i)));
        });
      });
}

[[maybe_unused]] const bool kMaxGiven =
    GiveLaws<Max>({{"Commutes", Commutes<Max>},
                   {"IsIdempotent", IsIdempotent<Max>},
                   {"Associates", Associates<Max>},
                   {"RunningMaximumHasNoOrder", RunningExtremeHasNoOrder<Max>},
                   {"IsMirroredMin", IsMirroredMin}});

// ---- Min --------------------------------------------------------------------

[[maybe_unused]] const bool kMinGiven = GiveLaws<Min>(
    {{"Commutes", Commutes<Min>},
     {"IsIdempotent", IsIdempotent<Min>},
     {"Associates", Associates<Min>},
     {"RunningMinimumHasNoOrder", RunningExtremeHasNoOrder<Min>}});

// ---- Mul --------------------------------------------------------------------

Verdict OneIsNeutral() {
  return LeavesSrc0With<Mul>(
      [](DType type) { return ElementOfInteger(type, 1); });
}

/// Whatever src0 holds: overflow, subnormals and NaNs among it.
Verdict TwiceIsAddedToItself() {
  auto s = Counted(DrawSurroundings<Mul>());
  s.Fill(s.call.src0, DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(s.call.src1, {ElementOfInteger(s.dtype, 2)});
  const auto sum = As<Add>(s.call);
  return SameMemory(s, {Of(sum, sum.dst, sum.src0, sum.src0)});
}

/// (-a) · b is -(a · b), zeros and underflow among it. Where both are +0, they
/// were no numbers before saturation.
Verdict SignsMultiply() {
  auto s = DrawSurroundings<Mul>();
  if (!IsFloating(s.dtype)) s.dtype = s.call.dtype = DType::kHalf;
  s = Counted(std::move(s));
  const isa::Operand negative = s.Add(s.call.dst.bytes);
  const auto left = DrawElements(ElementOf(s.dtype, Values::kAny));
  s.Fill(s.call.src0, left);
  s.Fill(s.call.src1, DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(negative, Negatives(s.dtype, left));
  const Mul& c = s.call;
  const bool nan_is_zero = s.dtype == DType::kHalf && s.saturation;
  return OppositeResult(s, CaseOf(s, {c}),
                        CaseOf(s, {Of(c, c.dst, negative, c.src1)}),
                        [=](std::uint64_t a, std::uint64_t b) {
                          return !nan_is_zero || (a | b) != 0;
                        });
}

/// a · (b + c) is a · b + a · c for integers whose low bits are kept.
Verdict DistributesModulo() {
  auto s = Counted(DrawModular<Mul>());
  FillSources(s, Values::kAny);
  const std::int64_t bytes = s.call.dst.bytes;
  const isa::Operand third = s.Add(bytes);
  const isa::Operand inner = s.Add(bytes);
  const isa::Operand other = s.Add(bytes);
  s.Fill(third, DrawElements(AnIntegerElement(s.dtype)));
  const Mul& c = s.call;
  const auto add = As<Add>(c);
  return SameResult(
      s, {Of(add, inner, c.src1, third), Of(c, c.dst, c.src0, inner)},
      {Of(c, inner, c.src0, c.src1), Of(c, other, c.src0, third),
       Of(add, c.dst, inner, other)});
}

[[maybe_unused]] const bool kMulGiven = GiveLaws<Mul>(
    {{"Commutes", Commutes<Mul>},
     {"OneIsNeutral", OneIsNeutral},
     {"TwiceIsAddedToItself", TwiceIsAddedToItself},
     {"SignsMultiply", SignsMultiply},
     {"AssociatesModulo", AssociatesModulo<Mul>},
     {"DistributesModulo", DistributesModulo},
     {"RunningIntegersHaveNoOrder", RunningIntegersHaveNoOrder<Mul>}});

// ---- Sub --------------------------------------------------------------------

/// +0 taken away changes no value, not even a zero.
Verdict ZeroIsNeutral() {
  return LeavesSrc0With<Sub>([](DType) { return std::uint64_t{0}; });
}

/// Any type; integers where their low bits are kept, as the smallest one has no
/// negative.
ElementwiseSample<Sub> DrawReversible() {
  if (DrawFlag("integers")) return Counted(DrawModular<Sub>());
  auto s = DrawSurroundings<Sub>();
  if (!IsFloating(s.dtype)) s.dtype = s.call.dtype = DType::kFloat;
  return Counted(std::move(s));
}

Verdict IsAddOfNegative() {
  auto s = DrawReversible();
  const isa::Operand negative = s.Add(s.call.dst.bytes);
  const auto right = DrawElements(ElementOf(s.dtype, Values::kAny));
  s.Fill(s.call.src0, DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(s.call.src1, right);
  s.Fill(negative, Negatives(s.dtype, right));
  const auto sum = As<Add>(s.call);
  return SameMemory(s, {Of(sum, sum.dst, sum.src0, negative)});
}

/// But for differences that are zero or no number.
Verdict IsOppositeOfReversed() {
  auto s = DrawReversible();
  FillSources(s, Values::kAny);
  const Sub& c = s.call;
  const std::uint64_t minus_zero =
      IsFloating(s.dtype) ? Negative(s.dtype, 0) : 0;
  return OppositeResult(s, CaseOf(s, {c}),
                        CaseOf(s, {Of(c, c.dst, c.src1, c.src0)}),
                        [&](std::uint64_t a, std::uint64_t b) {
                          return (a & ~minus_zero) != 0 &&
                                 (b & ~minus_zero) != 0 && !IsNan(s.dtype, a);
                        });
}

/// (a + b) - b is a for integers whose low bits are kept.
Verdict UndoesAddModulo() {
  auto s = Counted(DrawModular<Sub>());
  FillSources(s, Values::kAny);
  const isa::Operand sum = s.Add(s.call.dst.bytes);
  const Sub& c = s.call;
  return LeavesSrc0(
      s, {Of(As<Add>(c), sum, c.src0, c.src1), Of(c, c.dst, sum, c.src1)});
}

[[maybe_unused]] const bool kSubGiven =
    GiveLaws<Sub>({{"ZeroIsNeutral", ZeroIsNeutral},
                   {"IsAddOfNegative", IsAddOfNegative},
                   {"IsOppositeOfReversed", IsOppositeOfReversed},
                   {"UndoesAddModulo", UndoesAddModulo}});

}  // namespace
}  // namespace lanediff::properties
