#pragma once

#include "isa/rule.h"
#include "isa/scalar.h"
#include "isa/step.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

/// The steps that read and write one element.
namespace lanediff::oracle {

/// Reads or writes the element, or returns the rules that forbid it.
isa::StepResult Run(const isa::GetValue& call, Oracle::State& state);
isa::StepResult Run(const isa::SetValue& call, Oracle::State& state);

/// The reject rules that a call breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::GetValue& call,
                            const Oracle::State& state);
isa::RuleSet BrokenAnywhere(const isa::SetValue& call,
                            const Oracle::State& state);

/// Reads or writes the element, whatever the call breaks, if it lies in its
/// memory.
Extended RunExtended(const isa::GetValue& call, Oracle::State& state);
Extended RunExtended(const isa::SetValue& call, Oracle::State& state);

}  // namespace lanediff::oracle
