#pragma once

#include <cstdint>
#include <string_view>

#include "differential/testcase/case.h"
#include "generators/random.h"
#include "generators/random/intent.h"

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

}  // namespace lanediff::make
