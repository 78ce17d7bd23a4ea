#include "fuzz/properties/lanewise_laws.h"

/// Laws of lane-wise calls: what all keep, what several do, and what single
/// ones do. No law defines a sum, a difference, a product or the larger of two
/// values.
namespace lanediff::properties {
namespace {

// ---- Laws of all ------------------------------------------------------------

Verdict BitwiseMaskIsContiguous(const isa::Signature& signature) {
  const auto s = DrawMasked(signature);
  const std::int64_t n = s.call[Param::kMask];
  return SameMemory(s, {Bitwise(s.call, Ones(n), Ones(n - 64))});
}

Verdict ComplementaryMasksAreWhole(const isa::Signature& signature) {
  auto s = DrawMasked(signature, DstIterations::kApart);
  s.call[Param::kMask] = s.lanes();
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = s.lanes() > 64 ? DrawWord("high") : 0;
  RC_PRE(low != 0U);
  RC_PRE(~low != 0U);
  return SameMemory(s, {Bitwise(s.call, low, high),
                        Bitwise(s.call, ~low, s.lanes() > 64 ? ~high : 0)});
}

Verdict RepeatIsSingleRepeats(const isa::Signature& signature) {
  const auto s = DrawMasked(signature);
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
    singles.emplace_back(Iteration(s.call, r));
  }
  return SameMemory(s, std::move(singles));
}

Verdict CountIsMasks(const isa::Signature& signature) {
  const auto s = DrawCounted(signature);
  return SameMemory(s, CountAsMasks(s));
}

Verdict RegisterMaskIsBitwiseMask(const isa::Signature& signature) {
  auto s = DrawMasked(signature);
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = DrawWord("high");
  RC_PRE(low != 0U);
  s.call = Bitwise(s.call, low, s.lanes() > 64 ? high : 0);
  isa::Call placeholder = Bitwise(s.call, 0, 0);
  placeholder.is_set_mask = false;
  return SameMemory(
      s, {isa::SetVectorMask{.high = high, .low = low}, placeholder});
}

// ---- Laws of some -----------------------------------------------------------

Verdict Commutes(const isa::Signature& signature) {
  const auto s = DrawMasked(signature);
  isa::Call exchanged = s.call;
  std::swap(exchanged.src(0), exchanged.src(1));
  std::swap(exchanged.BlkStride(1), exchanged.BlkStride(2));
  std::swap(exchanged.RepStride(1), exchanged.RepStride(2));
  return SameMemory(s, {exchanged});
}

Verdict IsIdempotent(const isa::Signature& signature) {
  const auto s = DrawCounted(signature);
  isa::Call twice = s.call;
  twice.src(1) = twice.src(0);
  return LeavesSrc0(s, {twice});
}

/// Of `s` with sources of `values`: (a, b), c is a, (b, c).
Verdict AssociatesIn(LanewiseSample s, Values values) {
  const isa::Operand third = s.Add(s.call.dst().bytes);
  const isa::Operand inner = s.Add(s.call.dst().bytes);
  s.Fill(third, DrawElements(ElementOf(s.dtype, values)));
  const isa::Call& c = s.call;
  return SameResult(
      s, {Of(c, inner, c.src(0), c.src(1)), Of(c, c.dst(), inner, third)},
      {Of(c, inner, c.src(1), third), Of(c, c.dst(), c.src(0), inner)});
}

Verdict Associates(const isa::Signature& signature) {
  const auto s = DrawCounted(signature, OrderlessValues);
  return AssociatesIn(s, OrderlessValues(s));
}

/// Of integers whose low bits are kept.
Verdict AssociatesModulo(const isa::Signature& signature) {
  auto s = Counted(DrawModular(signature));
  FillSources(s, Values::kAny);
  return AssociatesIn(s, Values::kAny);
}

/// A call whose dst is src1 and stays where it is, in `s` and with `values`:
/// its iterations give the same in any order.
Verdict RunsInAnyOrder(LanewiseSample s, Values values) {
  isa::Call& call = s.call;
  call.form = isa::kMaskForm;
  const auto times = Draw<std::int64_t>("repeatTimes", 1, 8);
  call[Param::kRepeatTimes] = times;
  call[Param::kMask] = Draw("mask", std::int64_t{1}, s.lanes());
  call.BlkStride(0) = DrawStride(call, Param::kDstBlkStride, 0, 1, 3);
  call.BlkStride(1) = DrawStride(call, Param::kDstBlkStride, 1, 0, 3);
  call.BlkStride(2) = call.BlkStride(0);
  call.RepStride(1) = DrawStride(call, Param::kDstRepStride, 1, 0, 12);
  call.dst() = s.Add(SpanBytes(times, 0, call.BlkStride(0)));
  call.src(1) = call.dst();
  call.src(0) = s.Add(SpanBytes(times, call.RepStride(1), call.BlkStride(1)));
  FillSources(s, values);
  std::vector<isa::Step> backwards;
  for (std::int64_t r = times - 1; r >= 0; --r) {
    backwards.emplace_back(Iteration(call, r));
  }
  return SameMemory(s, std::move(backwards));
}

/// A running minimum or maximum.
Verdict RunningExtremeHasNoOrder(const isa::Signature& signature) {
  const auto s = DrawSurroundings(signature, /*with_int16=*/false);
  return RunsInAnyOrder(s, OrderlessValues(s));
}

/// A running sum or product of integers whose low bits are kept.
Verdict RunningIntegersHaveNoOrder(const isa::Signature& signature) {
  return RunsInAnyOrder(DrawModular(signature, /*with_int16=*/false),
                        Values::kAny);
}

/// With `neutral` in every element of src1, src0 comes out.
Verdict LeavesSrc0With(const isa::Signature& signature,
                       std::uint64_t (*neutral)(isa::DType)) {
  auto s = Counted(DrawSurroundings(signature));
  s.Fill(s.call.src(0), DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(s.call.src(1), {neutral(s.dtype)});
  return LeavesSrc0(s, {s.call});
}

// ---- Add --------------------------------------------------------------------

/// −0 changes no value, not even a zero.
Verdict MinusZeroIsNeutral(const isa::Signature& signature) {
  return LeavesSrc0With(signature, [](isa::DType type) {
    return IsFloating(type) ? Compose(type, true, 0, 0) : 0;
  });
}

Verdict PowerOfTwoScales(const isa::Signature& signature) {
  auto s = Counted(DrawSurroundings(signature, /*with_int16=*/false));
  if (!IsFloating(s.dtype)) s.dtype = s.call.dtype = isa::DType::kHalf;
  // Sums of integers up to 64 are exact in both types at every scale from the
  // smallest subnormal up to 2^15 and 2^127.
  const auto left = DrawElements(IntegerElement(s.dtype, 64));
  const auto right = DrawElements(IntegerElement(s.dtype, 64));
  const bool half = s.dtype == isa::DType::kHalf;
  const int exponent = half ? Draw("up to", -24, 8) : Draw("up to", -149, 120);
  const auto filled = [&](const auto& scaled) {
    Surroundings with_sources = s;
    with_sources.Fill(s.call.src(0), scaled(left));
    with_sources.Fill(s.call.src(1), scaled(right));
    return CaseOf(with_sources, {s.call});
  };
  const auto scale = [&](std::vector<std::uint64_t> elements) {
    for (auto& bits : elements) bits = TimesPowerOfTwo(s.dtype, bits, exponent);
    return elements;
  };
  return Related(
      filled([](const auto& elements) { return elements; }), filled(scale),
      [&](const Bytes& a, const Bytes& b) {
        return FirstDifference(
            s.dtype, s.call[Param::kCount], [&](std::int64_t i) {
              return std::pair(
                  TimesPowerOfTwo(s.dtype,
                                  ElementAt(s.dtype, a, s.call.dst(), i),
                                  exponent),
                  ElementAt(s.dtype, b, s.call.dst(), i));
            });
      });
}

// ---- Max --------------------------------------------------------------------

/// The values in the opposite order: of integers all bits are turned, which the
/// smallest one has no negative for.
std::uint64_t Mirrored(isa::DType type, std::uint64_t bits) {
  if (IsFloating(type)) return Negative(type, bits);
  return ~bits & Ones(8 * isa::SizeBytes(type));
}

/// Max(a, b) is the mirror image of Min of the mirror images. Where a NaN comes
/// in, saturation makes +0 of both.
Verdict IsMirroredMin(const isa::Signature& signature) {
  auto s = Counted(DrawSurroundings(signature));
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
      CaseOf(s, {s.call}), CaseOf(mirrored, {As("Min", s.call)}),
      [&](const Bytes& a, const Bytes& b) {
        return FirstDifference(
            s.dtype, s.call[Param::kCount], [&](std::int64_t i) {
              const std::uint64_t largest =
                  ElementAt(s.dtype, a, s.call.dst(), i);
              const bool of_nan =
                  IsNan(s.dtype, ElementAt(s.dtype, a, s.call.src(0), i)) ||
                  IsNan(s.dtype, ElementAt(s.dtype, a, s.call.src(1), i));
              return std::pair(
                  largest,
                  of_nan ? largest
                         : Mirrored(s.dtype,
                                    ElementAt(s.dtype, b, s.call.dst(), i)));
            });
      });
}

// ---- Mul --------------------------------------------------------------------

Verdict OneIsNeutral(const isa::Signature& signature) {
  return LeavesSrc0With(
      signature, [](isa::DType type) { return ElementOfInteger(type, 1); });
}

/// Whatever src0 holds: overflow, subnormals and NaNs among it.
Verdict TwiceIsAddedToItself(const isa::Signature& signature) {
  auto s = Counted(DrawSurroundings(signature));
  s.Fill(s.call.src(0), DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(s.call.src(1), {ElementOfInteger(s.dtype, 2)});
  const auto sum = As("Add", s.call);
  return SameMemory(s, {Of(sum, sum.dst(), sum.src(0), sum.src(0))});
}

/// (-a) · b is -(a · b), zeros and underflow among it. Where both are +0, they
/// were no numbers before saturation.
Verdict SignsMultiply(const isa::Signature& signature) {
  auto s = DrawSurroundings(signature);
  if (!IsFloating(s.dtype)) s.dtype = s.call.dtype = isa::DType::kHalf;
  s = Counted(std::move(s));
  const isa::Operand negative = s.Add(s.call.dst().bytes);
  const auto left = DrawElements(ElementOf(s.dtype, Values::kAny));
  s.Fill(s.call.src(0), left);
  s.Fill(s.call.src(1), DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(negative, Negatives(s.dtype, left));
  const isa::Call& c = s.call;
  const bool nan_is_zero = s.dtype == isa::DType::kHalf && s.saturation;
  return OppositeResult(s, CaseOf(s, {c}),
                        CaseOf(s, {Of(c, c.dst(), negative, c.src(1))}),
                        [=](std::uint64_t a, std::uint64_t b) {
                          return !nan_is_zero || (a | b) != 0;
                        });
}

/// a · (b + c) is a · b + a · c for integers whose low bits are kept.
Verdict DistributesModulo(const isa::Signature& signature) {
  auto s = Counted(DrawModular(signature));
  FillSources(s, Values::kAny);
  const std::int64_t bytes = s.call.dst().bytes;
  const isa::Operand third = s.Add(bytes);
  const isa::Operand inner = s.Add(bytes);
  const isa::Operand other = s.Add(bytes);
  s.Fill(third, DrawElements(AnIntegerElement(s.dtype)));
  const isa::Call& c = s.call;
  const auto add = As("Add", c);
  return SameResult(
      s, {Of(add, inner, c.src(1), third), Of(c, c.dst(), c.src(0), inner)},
      {Of(c, inner, c.src(0), c.src(1)), Of(c, other, c.src(0), third),
       Of(add, c.dst(), inner, other)});
}

// ---- Sub --------------------------------------------------------------------

/// +0 taken away changes no value, not even a zero.
Verdict ZeroIsNeutral(const isa::Signature& signature) {
  return LeavesSrc0With(signature, [](isa::DType) { return std::uint64_t{0}; });
}

/// Any type; integers where their low bits are kept, as the smallest one has no
/// negative.
LanewiseSample DrawReversible(const isa::Signature& signature) {
  if (DrawFlag("integers")) return Counted(DrawModular(signature));
  auto s = DrawSurroundings(signature);
  if (!IsFloating(s.dtype)) s.dtype = s.call.dtype = isa::DType::kFloat;
  return Counted(std::move(s));
}

Verdict IsAddOfNegative(const isa::Signature& signature) {
  auto s = DrawReversible(signature);
  const isa::Operand negative = s.Add(s.call.dst().bytes);
  const auto right = DrawElements(ElementOf(s.dtype, Values::kAny));
  s.Fill(s.call.src(0), DrawElements(ElementOf(s.dtype, Values::kAny)));
  s.Fill(s.call.src(1), right);
  s.Fill(negative, Negatives(s.dtype, right));
  const auto sum = As("Add", s.call);
  return SameMemory(s, {Of(sum, sum.dst(), sum.src(0), negative)});
}

/// But for differences that are zero or no number.
Verdict IsOppositeOfReversed(const isa::Signature& signature) {
  auto s = DrawReversible(signature);
  FillSources(s, Values::kAny);
  const isa::Call& c = s.call;
  const std::uint64_t minus_zero =
      IsFloating(s.dtype) ? Negative(s.dtype, 0) : 0;
  return OppositeResult(s, CaseOf(s, {c}),
                        CaseOf(s, {Of(c, c.dst(), c.src(1), c.src(0))}),
                        [&](std::uint64_t a, std::uint64_t b) {
                          return (a & ~minus_zero) != 0 &&
                                 (b & ~minus_zero) != 0 && !IsNan(s.dtype, a);
                        });
}

/// (a + b) - b is a for integers whose low bits are kept.
Verdict UndoesAddModulo(const isa::Signature& signature) {
  auto s = Counted(DrawModular(signature));
  FillSources(s, Values::kAny);
  const isa::Operand sum = s.Add(s.call.dst().bytes);
  const isa::Call& c = s.call;
  return LeavesSrc0(s, {Of(As("Add", c), sum, c.src(0), c.src(1)),
                        Of(c, c.dst(), sum, c.src(1))});
}

// ---- Which call keeps which -------------------------------------------------

struct LaneLaw {
  std::string_view name;
  Verdict (*law)(const isa::Signature& signature);
  std::vector<std::string_view> ops = {};  ///< none: all
};

bool GiveLanewiseLaws() {
  const LaneLaw laws[] = {
      {"BitwiseMaskIsContiguous", BitwiseMaskIsContiguous},
      {"ComplementaryMasksAreWhole", ComplementaryMasksAreWhole},
      {"RepeatIsSingleRepeats", RepeatIsSingleRepeats},
      {"CountIsMasks", CountIsMasks},
      {"RegisterMaskIsBitwiseMask", RegisterMaskIsBitwiseMask},
      {"Commutes", Commutes, {"Add", "Max", "Min", "Mul"}},
      {"IsIdempotent", IsIdempotent, {"Max", "Min"}},
      {"Associates", Associates, {"Max", "Min"}},
      {"AssociatesModulo", AssociatesModulo, {"Add", "Mul"}},
      {"RunningMaximumHasNoOrder", RunningExtremeHasNoOrder, {"Max"}},
      {"RunningMinimumHasNoOrder", RunningExtremeHasNoOrder, {"Min"}},
      {"RunningIntegersHaveNoOrder",
       RunningIntegersHaveNoOrder,
       {"Add", "Mul"}},
      {"MinusZeroIsNeutral", MinusZeroIsNeutral, {"Add"}},
      {"PowerOfTwoScales", PowerOfTwoScales, {"Add"}},
      {"IsMirroredMin", IsMirroredMin, {"Max"}},
      {"OneIsNeutral", OneIsNeutral, {"Mul"}},
      {"TwiceIsAddedToItself", TwiceIsAddedToItself, {"Mul"}},
      {"SignsMultiply", SignsMultiply, {"Mul"}},
      {"DistributesModulo", DistributesModulo, {"Mul"}},
      {"ZeroIsNeutral", ZeroIsNeutral, {"Sub"}},
      {"IsAddOfNegative", IsAddOfNegative, {"Sub"}},
      {"IsOppositeOfReversed", IsOppositeOfReversed, {"Sub"}},
      {"UndoesAddModulo", UndoesAddModulo, {"Sub"}},
  };
  for (const isa::Signature& signature : isa::kLanewiseRows) {
    for (const LaneLaw& one : laws) {
      if (!one.ops.empty() &&
          std::ranges::find(one.ops, signature.op) == one.ops.end()) {
        continue;
      }
      const auto law = [&signature, law = one.law] { return law(signature); };
      GiveLaws(signature.slug, {{one.name, law}});
    }
  }
  return true;
}

[[maybe_unused]] const bool kGiven = GiveLanewiseLaws();

}  // namespace
}  // namespace lanediff::properties
