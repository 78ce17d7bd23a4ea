#pragma once

#include "case/case.h"
#include "diff/compare.h"
#include "diff/target.h"

namespace lanediff::cli::explain {

/// Prints whether target and reference agree with each other and with the case,
/// every finding, and what was expected beside what came out: outcome, rules,
/// notes and elements, those that differ before any others. `compared` is what
/// `diff::CheckCase` found.
void PrintOutcome(const Case& c, const diff::Comparison& compared,
                  const diff::Target& target, const diff::Target& reference);

}  // namespace lanediff::cli::explain
