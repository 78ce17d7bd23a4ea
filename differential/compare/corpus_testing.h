#pragma once

#include <vector>

#include "differential/testcase/case.h"

namespace lanediff::diff {

/// The cases of corpus/ in the source tree, for tests. An unreadable case fails
/// the first calling test, and is left out.
const std::vector<Case>& Corpus();

}  // namespace lanediff::diff
