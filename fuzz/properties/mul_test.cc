#include "isa/mul.h"

#include "fuzz/properties/elementwise_laws.h"
#include "isa/add.h"

/// Laws of Mul. No law defines a product.
namespace lanediff::properties {
namespace {

using isa::Add;
using isa::DType;
using isa::Mul;

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

[[maybe_unused]] const bool kGiven = GiveLaws<Mul>(
    {{"Commutes", Commutes<Mul>},
     {"OneIsNeutral", OneIsNeutral},
     {"TwiceIsAddedToItself", TwiceIsAddedToItself},
     {"SignsMultiply", SignsMultiply},
     {"AssociatesModulo", AssociatesModulo<Mul>},
     {"DistributesModulo", DistributesModulo},
     {"RunningIntegersHaveNoOrder", RunningIntegersHaveNoOrder<Mul>}});

}  // namespace
}  // namespace lanediff::properties
