#pragma once

#include "differential/testcase/case.h"

/// For those who change a case: it stays one that the case format can express.
namespace lanediff {

/// Cuts memories to the product's capacities and drops regions that lie beyond,
/// so that the case is well formed again.
void FitMemories(Case& c);

/// As `FitMemories`, and gives `c` a GM if its program names one and there is
/// none.
void MakeWellFormed(Case& c);

}  // namespace lanediff
