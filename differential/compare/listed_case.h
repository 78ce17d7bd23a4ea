#pragma once

#include "differential/testcase/case.h"

namespace lanediff::diff {

/// `c` without series: of each the elements are listed that the program
/// touches, as the oracle runs it; the rest is what its memory is filled with.
/// For those who change a case or write it as source text.
Case Listed(const Case& c);

}  // namespace lanediff::diff
