#pragma once

#include <vector>

#include "differential/compare/examine.h"
#include "differential/testcase/case.h"

namespace lanediff::cli::explain {

/// What matters first, on one screen of 24 lines of 80 columns: the verdict; of
/// a case of kernels each finding and its rule; of a rejected step each rule,
/// what shows that it is broken, and a repair; of an executed program what it
/// wrote, as values. `kernel`: what `AddKernelFindings` found.
void PrintScreen(const Case& c, const diff::Examination& examined,
                 const std::vector<diff::Finding>& kernel);

}  // namespace lanediff::cli::explain
