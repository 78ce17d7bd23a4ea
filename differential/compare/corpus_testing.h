#pragma once

#include <vector>

#include "differential/testcase/case.h"

namespace lanediff::diff {

/// The cases of corpus/ in the source tree, for tests; one that can't be read
/// fails the test that asks first, and is left out.
const std::vector<Case>& Corpus();

}  // namespace lanediff::diff
