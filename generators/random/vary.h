#pragma once

#include <cstdint>
#include <span>

#include "differential/testcase/case.h"
#include "generators/random.h"

namespace lanediff::make {

/// Gives one integer field of a step any value of its legal range or, half of
/// the time where there are any, one of `hints`; sometimes also spreads the
/// operands of the step over their memories, so that there is space for the new
/// value. The case stays well formed.
///
/// `Mutate` looks for boundaries, this for values that mean something to a
/// target alone.
void Vary(Random& random, Case& c, std::span<const std::int64_t> hints);

}  // namespace lanediff::make
