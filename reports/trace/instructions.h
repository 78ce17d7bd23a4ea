#pragma once

#include "isa/catalogue.h"
#include "isa/step.h"
#include "reports/trace/facts.h"
#include "reports/trace/phases.h"

/// What is particular to a family of instructions when a step is shown.
namespace lanediff::view {

/// Whether the executed step made use of `rule`, a semantics rule of its own
/// instruction: a call of one iteration has no order of iterations.
bool Uses(const isa::Step& step, const isa::Rule& rule, const StepFacts& facts);

/// Empty for steps that set machine state.
Portrait PortraitOf(const isa::Step& step, const StepFacts& facts);

}  // namespace lanediff::view
