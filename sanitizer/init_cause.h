#pragma once

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"

namespace lanediff::lint {

/// Fills `Hazard::cause` of the first INIT-READs of `verdict`, which `Lint`
/// reports of `c`, whether before or after a rejected step: the rejected step
/// that would write the lowest byte; else the step before that writes most of
/// what the operand reads in the reported iteration, the last of equals. None
/// where nothing near is written, where what was read was computed from
/// unwritten bytes, and in programs of more than 2000 steps.
void FindCauses(const Case& c, Verdict& verdict);

}  // namespace lanediff::lint
