#pragma once

#include "diff/case.h"
#include "diff/generate/random.h"

namespace lanediff::diff {

/// A program around one to three DataCopy calls: every route and type of the
/// product, both forms, gaps, barriers left out now and then. About a third
/// have one thing broken.
Case GenerateDataCopy(Random& random);

}  // namespace lanediff::diff
