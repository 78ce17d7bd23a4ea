#pragma once

#include "diff/case.h"
#include "diff/generate/random.h"

namespace lanediff::diff {

/// A program around a vec_trans: apart, in place, with gaps and stride 0. About
/// a third have one thing broken.
Case GenerateVecTrans(Random& random);

}  // namespace lanediff::diff
