#pragma once

#include <cstddef>
#include <string>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"

namespace lanediff::lint {

/// Judges the program of `c` as it was meant, by the oracle alone: no value is
/// computed and nothing compared. `c.lint` states how it is synchronized, what
/// the start is and how strict INIT-READ is. Throws std::bad_alloc alone.
Verdict Lint(const Case& c);

/// "Adds, add.cpp:24": what step `step` is and where it was called, as far as
/// its name does not show it; empty where nothing is left.
std::string WhereOf(const Case& c, std::size_t step);

/// "step 3 is Adds, add.cpp:24; step 1 is at add.cpp:21" of both places.
std::string WhereOf(const Case& c, const Hazard& hazard);

}  // namespace lanediff::lint
