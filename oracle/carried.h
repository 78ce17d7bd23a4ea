#pragma once

#include "isa/carried.h"
#include "isa/resource.h"
#include "isa/rule.h"
#include "oracle/extended.h"
#include "oracle/oracle.h"

/// Steps of kernels: calls that are replayed, and those that touch no byte.
namespace lanediff::oracle {

isa::StepResult Run(const isa::Carried& call, Oracle::State& state);
isa::RuleSet BrokenAnywhere(const isa::Carried& call,
                            const Oracle::State& state);
/// Writes where windows don't reach, too.
Extended RunExtended(const isa::Carried& call, Oracle::State& state);

/// TPipe's constructor and InitSocState set the mask's mode to normal, and on
/// atlas-a2 and atlas-a3 the register to all ones. Launch and Block begin with
/// no copy and no flag under way: DC-BARRIER is between the copies of one
/// block. Nothing else does anything.
Extended RunExtended(const isa::Resource& step, Oracle::State& state);
inline isa::StepResult Run(const isa::Resource& step, Oracle::State& state) {
  RunExtended(step, state);
  return {};
}
inline isa::RuleSet BrokenAnywhere(const isa::Resource&, const Oracle::State&) {
  return {};
}

}  // namespace lanediff::oracle
