#pragma once

#include "differential/compare/examine.h"
#include "differential/testcase/case.h"

namespace lanediff::cli::explain {

/// Prints whether target and reference agree with each other and with the case,
/// every finding, and what was expected beside what came out: outcome, rules,
/// notes and elements, those that differ before any others.
void PrintOutcome(const Case& c, const diff::Examination& examined);

/// "DISAGREE", "all agree", or why nothing was compared.
std::string VerdictText(const diff::Comparison& compared);

}  // namespace lanediff::cli::explain
