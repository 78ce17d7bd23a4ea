#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "differential/testcase/case.h"
#include "generators/random.h"
#include "generators/random/intent.h"
#include "isa/fields.h"
#include "isa/step.h"

namespace lanediff::make {

/// Changes one thing of `c`: a field of a step to a boundary of its range or to
/// a neighbour, the place or size of an operand, one element of the data, the
/// product, or the order of two steps. In the uniform style integers become any
/// within thrice their range and operands move anywhere, boundary or not. The
/// case stays well formed.
void Mutate(Random& random, Case& c, Style style = Style::kByIntent);

/// A value for the integer field `name` of `op`: an end of its range in the
/// rule catalogue or one beyond it, a neighbour of `now`, or an extreme.
std::int64_t InterestingInteger(Random& random, std::string_view op,
                                std::string_view name, std::int64_t now);

/// Gives one integer field of a step any value of its legal range or, half of
/// the time where there are any, one of `hints`; sometimes also spreads the
/// operands of the step over their memories, so that there is space for the new
/// value. The case stays well formed.
///
/// `Mutate` looks for boundaries, this for values that mean something to a
/// target alone.
void Vary(Random& random, Case& c, std::span<const std::int64_t> hints);

/// Makes the value of `to` that of `from`; both refer to the same field of two
/// steps of one type. False if the fields are of different kinds.
bool CopyField(const isa::FieldRef& from, const isa::FieldRef& to);

/// Cuts an element that `step` has to the width of its type.
void FitElement(isa::Step& step);

/// Gives the fields of forms that `step` does not have their initial values, as
/// the step types require. Call it after the form was changed.
void ClearHiddenFields(isa::Step& step);

/// A well-formed case with parts of both: the program of one with steps of the
/// other spliced in, steps of one op mixed field by field (the parts of an
/// operand are fields), and each memory from either or with regions of both.
/// The product is one parent's; what has no space on it is cut.
Case Cross(Random& random, const Case& a, const Case& b);

/// A step of `a`'s type and the form of either, each field of it from `a` or,
/// where `b` has the same, from `b`. Steps of different types give `a`.
isa::Step CrossSteps(Random& random, const isa::Step& a, const isa::Step& b);

/// Adds those regions of `from` that lie where `into` has none and within
/// its size.
void JoinRegions(const MemoryImage& from, MemoryImage& into);

}  // namespace lanediff::make
