#include "isa/sub.h"

#include "fuzz/properties/elementwise_laws.h"
#include "isa/add.h"

/// Laws of Sub. No law defines a difference.
namespace lanediff::properties {
namespace {

using isa::Add;
using isa::DType;
using isa::Sub;

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

[[maybe_unused]] const bool kGiven =
    GiveLaws<Sub>({{"ZeroIsNeutral", ZeroIsNeutral},
                   {"IsAddOfNegative", IsAddOfNegative},
                   {"IsOppositeOfReversed", IsOppositeOfReversed},
                   {"UndoesAddModulo", UndoesAddModulo}});

}  // namespace
}  // namespace lanediff::properties
