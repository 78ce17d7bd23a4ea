#pragma once

#include "differential/testcase/case.h"
#include "generators/random.h"

namespace lanediff::make {

/// A well-formed case with parts of both: the program of one with steps of the
/// other spliced in, steps of one op mixed field by field (the parts of an
/// operand are fields), and each memory from either or with regions of both.
/// The product is one parent's; what has no space on it is cut.
Case Cross(Random& random, const Case& a, const Case& b);

/// A step of `a`'s type and the form of either, each field of it from `a` or,
/// where `b` has the same, from `b`. Steps of different types give `a`.
isa::Step CrossSteps(Random& random, const isa::Step& a, const isa::Step& b);

}  // namespace lanediff::make
