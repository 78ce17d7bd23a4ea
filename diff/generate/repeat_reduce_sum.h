#pragma once

#include "diff/case.h"
#include "diff/generate/random.h"

namespace lanediff::diff {

/// A program around one or two RepeatReduceSum calls: legal for the most part,
/// with operands laid out by intent (apart, touching, in place, interleaved)
/// and data by intent; about a third have one thing broken.
Case GenerateRepeatReduceSum(Random& random);

}  // namespace lanediff::diff
