#pragma once

#include <cstddef>

#include "differential/testcase/case.h"
#include "isa/step.h"
#include "tools/cli/verbs/explain/facts.h"

namespace lanediff::cli::explain {

/// Prints what each rule of an executed step's instruction, and each rule of
/// the machine, had to do with it. Rules that had nothing to do are named, the
/// others shown with document and statement.
void PrintRules(const isa::Step& step, const StepFacts& facts);

/// The same for step `step` of `c`, which is rejected: broken rules in full,
/// with the fields that are out of range and the bytes that collide.
void PrintRejection(const Case& c, std::size_t step,
                    const isa::StepResult& result, bool all);

}  // namespace lanediff::cli::explain
