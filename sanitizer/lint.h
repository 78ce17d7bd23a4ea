#pragma once

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"

namespace lanediff::lint {

/// Judges the program of `c` as it was meant, by the oracle alone: no value is
/// computed and nothing compared. `c.lint` states how it is synchronized, what
/// the start is and how strict INIT-READ is. Throws std::bad_alloc alone.
Verdict Lint(const Case& c);

}  // namespace lanediff::lint
