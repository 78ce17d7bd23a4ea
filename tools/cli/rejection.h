#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/rule.h"
#include "reports/trace/case_view.h"

/// Why a step was rejected, from lint, for printers.
namespace lanediff::cli {

/// "step 3 Min, MIN-BOUNDS: src0 needs 4096 bytes from 1024, has 2048; …", one
/// for each witness of the rejected step.
std::vector<std::string> WitnessLines(const Case& c, std::size_t step,
                                      const std::vector<isa::RuleId>& rules);

/// Adds witnesses and repair to the rejected step of `view`, a view of `c`.
void AddWitnesses(const Case& c, view::CaseView& view);

}  // namespace lanediff::cli
