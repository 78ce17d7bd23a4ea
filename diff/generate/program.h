#pragma once

#include "diff/case.h"
#include "diff/generate/random.h"

namespace lanediff::diff {

/// A program of 1 to 8 steps that joins programs of all instructions on the
/// same memories, so that what one step leaves is what the next one meets.
Case GenerateProgram(Random& random);

}  // namespace lanediff::diff
