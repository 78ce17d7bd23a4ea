#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/properties/lanewise_calls.h"

/// Laws of lane-wise calls: what all keep, what several do, and what single
/// ones do. No law defines a sum, a difference, a product or the larger of two
/// values.
namespace lanediff::properties {
namespace {

// ---- Laws of all ------------------------------------------------------------

Verdict BitwiseIsContiguous(const Signature& signature) {
  return BitwiseMaskIsContiguous(DrawMasked(signature));
}

Verdict ComplementaryMasksAreWhole(const Signature& signature) {
  auto s = DrawMasked(signature, DstIterations::kApart);
  s.call[Param::kMask] = s.lanes();
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = DrawWord("high");
  RC_PRE(low != 0U);
  RC_PRE(~low != 0U);
  return SameMemory(s,
                    {Bitwise(s.call, low, high), Bitwise(s.call, ~low, ~high)});
}

Verdict RepeatIsSingles(const Signature& signature) {
  return RepeatIsSingleRepeats(DrawMasked(signature));
}

/// Whole iterations, then the tail.
Verdict CountIsMasks(const Signature& signature) {
  const auto s = Filled(Counted(DrawSurroundings(signature)));
  const std::int64_t count = s.call[Param::kCount];
  isa::Call whole = s.call;
  whole.form = isa::kMaskForm;
  whole[Param::kCount] = 0;
  whole[Param::kMask] = s.lanes();
  whole[Param::kRepeatTimes] = count / s.lanes();
  for (std::size_t i = 0; i < whole.used_operands().size(); ++i) {
    whole.BlkStride(i) = 1;
    whole.RepStride(i) =
        8 * isa::SizeBytes(whole.TypeOf(i)) / isa::LaneBytes(whole);
  }
  std::vector<isa::Step> program = {whole};
  if (const std::int64_t tail = count % s.lanes(); tail > 0) {
    isa::Call rest = Iteration(whole, whole[Param::kRepeatTimes]);
    rest[Param::kMask] = tail;
    program.emplace_back(rest);
  }
  return SameMemory(s, std::move(program));
}

Verdict RegisterIsBitwise(const Signature& signature) {
  const auto s = DrawMasked(signature);
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = DrawWord("high");
  RC_PRE(low != 0U);
  return RegisterMaskIsBitwiseMask(s, low, high);
}

// ---- Laws of some -----------------------------------------------------------

Verdict Commutes(const Signature& signature) {
  const auto s = DrawMasked(signature);
  isa::Call exchanged = s.call;
  std::swap(exchanged.src(0), exchanged.src(1));
  std::swap(exchanged.BlkStride(1), exchanged.BlkStride(2));
  std::swap(exchanged.RepStride(1), exchanged.RepStride(2));
  return SameMemory(s, {exchanged});
}

Verdict IsIdempotent(const Signature& signature) {
  const auto s = Filled(Counted(DrawSurroundings(signature)));
  isa::Call twice = s.call;
  twice.src(1) = twice.src(0);
  return LeavesSrc0(s, {twice});
}

/// Of `s` with sources of `values`: (a, b), c is a, (b, c).
Verdict AssociatesIn(Sample s, Values values) {
  const isa::Operand third = s.Add(s.call.dst().bytes);
  const isa::Operand inner = s.Add(s.call.dst().bytes);
  s.Fill(third, DrawElementsOf(s, values));
  const isa::Call& c = s.call;
  return SameResult(
      s, {Of(c, inner, c.src(0), c.src(1)), Of(c, c.dst(), inner, third)},
      {Of(c, inner, c.src(1), third), Of(c, c.dst(), c.src(0), inner)});
}

Verdict Associates(const Signature& signature) {
  const Sample s = Counted(DrawSurroundings(signature));
  return AssociatesIn(Filled(s, OrderlessValues(s)), OrderlessValues(s));
}

/// Of integers whose low bits are kept.
Verdict AssociatesModulo(const Signature& signature) {
  return AssociatesIn(Filled(Counted(DrawModular(signature))), Values::kAny);
}

/// A call whose dst is src1 and stays where it is, in `s` and with `values`:
/// its iterations give the same in any order.
Verdict RunsInAnyOrder(Sample s, Values values) {
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
  const Sample filled = Filled(std::move(s), values);
  std::vector<isa::Step> backwards;
  for (std::int64_t r = times - 1; r >= 0; --r) {
    backwards.emplace_back(Iteration(filled.call, r));
  }
  return SameMemory(filled, std::move(backwards));
}

/// A running minimum or maximum.
Verdict RunningExtremeHasNoOrder(const Signature& signature) {
  const auto s = DrawSurroundings(signature, /*with_int16=*/false);
  return RunsInAnyOrder(s, OrderlessValues(s));
}

/// A running sum or product of integers whose low bits are kept.
Verdict RunningIntegersHaveNoOrder(const Signature& signature) {
  return RunsInAnyOrder(DrawModular(signature, /*with_int16=*/false),
                        Values::kAny);
}

/// With `neutral` in every element of src1, src0 comes out.
Verdict LeavesSrc0With(const Signature& signature,
                       std::uint64_t (*neutral)(isa::DType)) {
  auto s = Counted(DrawSurroundings(signature));
  s.Fill(s.call.src(0), DrawElementsOf(s));
  s.Fill(s.call.src(1), {neutral(s.call.dtype)});
  return LeavesSrc0(s, {s.call});
}

// ---- Add --------------------------------------------------------------------

/// −0 changes no value, not even a zero.
Verdict MinusZeroIsNeutral(const Signature& signature) {
  return LeavesSrc0With(signature, [](isa::DType type) {
    return IsFloating(type) ? Compose(type, true, 0, 0) : 0;
  });
}

Verdict PowerOfTwoScales(const Signature& signature) {
  Sample s = Counted(DrawFloating(signature, isa::DType::kHalf));
  const isa::DType type = s.call.dtype;
  // Sums of integers up to 64 are exact in both types at every scale from the
  // smallest subnormal up to 2^15 and 2^127.
  s.Fill(s.call.src(0), DrawElements(IntegerElement(type, 64)));
  s.Fill(s.call.src(1), DrawElements(IntegerElement(type, 64)));
  const bool half = type == isa::DType::kHalf;
  const int exponent = half ? Draw("up to", -24, 8) : Draw("up to", -149, 120);
  Sample scaled = s;
  for (Sample::Data& data : scaled.data) {
    for (std::uint64_t& bits : data.elements) {
      bits = TimesPowerOfTwo(type, bits, exponent);
    }
  }
  return SameWritten(CaseOf(s), CaseOf(scaled),
                     [=](isa::DType, std::uint64_t a, std::uint64_t b) {
                       return TimesPowerOfTwo(type, a, exponent) == b;
                     });
}

// ---- Max --------------------------------------------------------------------

/// The values in the opposite order: of integers all bits are turned, which the
/// smallest one has no negative for.
std::uint64_t Mirrored(isa::DType type, std::uint64_t bits) {
  if (IsFloating(type)) return Negative(type, bits);
  return ~bits & isa::WidthMask(type);
}

/// Max(a, b) is the mirror image of Min of the mirror images. Where a NaN comes
/// in, saturation makes +0 of both.
Verdict IsMirroredMin(const Signature& signature) {
  Sample s = Counted(DrawSurroundings(signature));
  // Min is not on all of Max's products.
  if (s.product == isa::Product::kAtlasA3) s.product = isa::Product::kAtlasA2;
  s = Filled(std::move(s));
  Sample mirrored = s;
  for (Sample::Data& data : mirrored.data) {
    for (std::uint64_t& bits : data.elements) {
      bits = Mirrored(s.call.dtype, bits);
    }
  }
  const isa::DType type = s.call.dtype;
  return WrittenRelated(
      CaseOf(s), CaseOf(mirrored, {As("Min", s.call)}),
      [&](std::int64_t i, std::uint64_t a, std::uint64_t b) -> std::string {
        if (SameElement(type, a, Mirrored(type, b))) return "";
        const bool of_nan =
            std::ranges::any_of(s.data, [&](const Sample::Data& data) {
              return IsNan(type, data.elements.at(static_cast<std::size_t>(i)));
            });
        if (of_nan && NanIsZero(s) && (a | b) == 0) return "";
        return fmt::format("element {} is {} and, mirrored, {}", i,
                           DescribeElement(type, a), DescribeElement(type, b));
      });
}

// ---- Mul --------------------------------------------------------------------

Verdict OneIsNeutral(const Signature& signature) {
  return LeavesSrc0With(
      signature, [](isa::DType type) { return ElementOfInteger(type, 1); });
}

/// Whatever src0 holds: overflow, subnormals and NaNs among it.
Verdict TwiceIsAddedToItself(const Signature& signature) {
  auto s = Counted(DrawSurroundings(signature));
  s.Fill(s.call.src(0), DrawElementsOf(s));
  s.Fill(s.call.src(1), {ElementOfInteger(s.call.dtype, 2)});
  const auto sum = As("Add", s.call);
  return SameMemory(s, {Of(sum, sum.dst(), sum.src(0), sum.src(0))});
}

/// (-a) · b is -(a · b), zeros and underflow among it. Where both are +0, they
/// were no numbers before saturation.
Verdict SignsMultiply(const Signature& signature) {
  auto s = Counted(DrawFloating(signature, isa::DType::kHalf));
  const isa::Operand negative = s.Add(s.call.dst().bytes);
  const auto left = DrawElementsOf(s);
  s.Fill(s.call.src(0), left);
  s.Fill(s.call.src(1), DrawElementsOf(s));
  s.Fill(negative, Negatives(s.call.dtype, left));
  const isa::Call& c = s.call;
  return OppositeResult(CaseOf(s),
                        CaseOf(s, {Of(c, c.dst(), negative, c.src(1))}),
                        [&](std::uint64_t a, std::uint64_t b) {
                          return !NanIsZero(s) || (a | b) != 0;
                        });
}

/// a · (b + c) is a · b + a · c for integers whose low bits are kept.
Verdict DistributesModulo(const Signature& signature) {
  auto s = Filled(Counted(DrawModular(signature)));
  const std::int64_t bytes = s.call.dst().bytes;
  const isa::Operand third = s.Add(bytes);
  const isa::Operand inner = s.Add(bytes);
  const isa::Operand other = s.Add(bytes);
  s.Fill(third, DrawElements(AnIntegerElement(s.call.dtype)));
  const isa::Call& c = s.call;
  const auto add = As("Add", c);
  return SameResult(
      s, {Of(add, inner, c.src(1), third), Of(c, c.dst(), c.src(0), inner)},
      {Of(c, inner, c.src(0), c.src(1)), Of(c, other, c.src(0), third),
       Of(add, c.dst(), inner, other)});
}

// ---- Sub --------------------------------------------------------------------

/// +0 taken away changes no value, not even a zero.
Verdict ZeroIsNeutral(const Signature& signature) {
  return LeavesSrc0With(signature, [](isa::DType) { return std::uint64_t{0}; });
}

/// Any type; integers where their low bits are kept, as the smallest one has no
/// negative.
Sample DrawReversible(const Signature& signature) {
  if (DrawFlag("integers")) return Counted(DrawModular(signature));
  return Counted(DrawFloating(signature, isa::DType::kFloat));
}

Verdict IsAddOfNegative(const Signature& signature) {
  auto s = DrawReversible(signature);
  const isa::Operand negative = s.Add(s.call.dst().bytes);
  const auto right = DrawElementsOf(s);
  s.Fill(s.call.src(0), DrawElementsOf(s));
  s.Fill(s.call.src(1), right);
  s.Fill(negative, Negatives(s.call.dtype, right));
  const auto sum = As("Add", s.call);
  return SameMemory(s, {Of(sum, sum.dst(), sum.src(0), negative)});
}

/// But for differences that are zero or no number.
Verdict IsOppositeOfReversed(const Signature& signature) {
  const Sample s = Filled(DrawReversible(signature));
  const isa::Call& c = s.call;
  const isa::DType type = c.dtype;
  const std::uint64_t minus_zero = IsFloating(type) ? Negative(type, 0) : 0;
  return OppositeResult(CaseOf(s),
                        CaseOf(s, {Of(c, c.dst(), c.src(1), c.src(0))}),
                        [&](std::uint64_t a, std::uint64_t b) {
                          return (a & ~minus_zero) != 0 &&
                                 (b & ~minus_zero) != 0 && !IsNan(type, a);
                        });
}

/// (a + b) - b is a for integers whose low bits are kept.
Verdict UndoesAddModulo(const Signature& signature) {
  auto s = Filled(Counted(DrawModular(signature)));
  const isa::Operand sum = s.Add(s.call.dst().bytes);
  const isa::Call& c = s.call;
  return LeavesSrc0(s, {Of(As("Add", c), sum, c.src(0), c.src(1)),
                        Of(c, c.dst(), sum, c.src(1))});
}

// ---- Which call keeps which -------------------------------------------------

struct LaneLaw {
  std::string_view name;
  Verdict (*law)(const Signature& signature);
  std::vector<std::string_view> ops = {};  ///< none: all
};

bool GiveLanewiseLaws() {
  const LaneLaw laws[] = {
      {"BitwiseMaskIsContiguous", BitwiseIsContiguous},
      {"ComplementaryMasksAreWhole", ComplementaryMasksAreWhole},
      {"RepeatIsSingleRepeats", RepeatIsSingles},
      {"CountIsMasks", CountIsMasks},
      {"RegisterMaskIsBitwiseMask", RegisterIsBitwise},
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
  for (const Signature& signature : isa::kLanewiseRows) {
    if (signature.PacksBits()) continue;  // laws are of elements
    for (const LaneLaw& one : laws) {
      if (!one.ops.empty() &&
          std::ranges::find(one.ops, signature.op) == one.ops.end()) {
        continue;
      }
      // The numbers of lanes, or their bits, go on from call to call.
      if ((signature.NumbersLanes() || signature.Has(Param::kSelMode)) &&
          (one.law == RepeatIsSingles || one.law == CountIsMasks)) {
        continue;
      }
      if (!signature.Has(Param::kIsSetMask) && one.law == RegisterIsBitwise) {
        continue;
      }
      if (one.law == CountIsMasks && !signature.Has(Param::kCount)) continue;
      const auto law = [&signature, law = one.law] { return law(signature); };
      GiveLaws(signature.slug, {{one.name, law}});
    }
  }
  return true;
}

[[maybe_unused]] const bool kGiven = GiveLanewiseLaws();

}  // namespace
}  // namespace lanediff::properties
