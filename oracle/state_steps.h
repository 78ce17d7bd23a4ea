#pragma once

#include "isa/rule.h"
#include "isa/state.h"
#include "isa/step.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

/// The steps that set machine state.
namespace lanediff::oracle {

isa::StepResult Run(const isa::SetVectorMask& step, Oracle::State& state);
isa::StepResult Run(const isa::SetSaturation& step, Oracle::State& state);
isa::StepResult Run(const isa::PipeBarrier& step, Oracle::State& state);

/// The reject rules that a step breaks, each judged by itself.
isa::RuleSet BrokenAnywhere(const isa::SetVectorMask& step,
                            const Oracle::State& state);
isa::RuleSet BrokenAnywhere(const isa::SetSaturation& step,
                            const Oracle::State& state);
isa::RuleSet BrokenAnywhere(const isa::PipeBarrier& step,
                            const Oracle::State& state);

/// Sets the state, on products that cannot too.
Extended RunExtended(const isa::SetVectorMask& step, Oracle::State& state);
Extended RunExtended(const isa::SetSaturation& step, Oracle::State& state);
Extended RunExtended(const isa::PipeBarrier& step, Oracle::State& state);

}  // namespace lanediff::oracle
