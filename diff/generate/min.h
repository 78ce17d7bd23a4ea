#pragma once

#include "diff/case.h"
#include "diff/generate/random.h"

namespace lanediff::diff {

/// A program around Min calls: every form, type and mask; operands apart, in
/// place, with the running minimum through src1 and its near misses. About a
/// third have one thing broken.
Case GenerateMin(Random& random);

}  // namespace lanediff::diff
