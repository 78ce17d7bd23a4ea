#pragma once

#include "isa/catalogue.h"
#include "isa/step.h"
#include "reports/trace/facts.h"
#include "reports/trace/phases.h"

/// What is particular to an instruction when a step is shown. A new instruction
/// adds its two overloads in instructions.cc; one with a row adds nothing.
namespace lanediff::view {

/// Whether the executed step made use of `rule`, a semantics rule of its own
/// instruction: a call of one iteration has no order of iterations.
bool Uses(const isa::Step& step, const isa::Rule& rule, const StepFacts& facts);

/// Empty for steps that set machine state.
Portrait PortraitOf(const isa::Step& step, const StepFacts& facts);

}  // namespace lanediff::view
