#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "diff/finding.h"
#include "isa/step.h"
#include "oracle/numeric_events.h"

/// Which semantics rules a step rests on, and which of them a wrong result
/// speaks against.
namespace lanediff::diff::audit {

/// The rules of the machine (ARITH-*, STATE-SATURATION) and the saturation rule
/// of the instruction that numeric events of an executed step put to use.
std::vector<isa::RuleId> RulesInUse(const isa::Step& step,
                                    const oracle::NumericEvents& events);

/// The semantics rules that a wrong result of an executed step speaks against,
/// judged by what is wrong with the first element that differs: a NaN, the sign
/// of a zero, a byte that nothing was to write, … `finding` is about memory.
std::vector<isa::RuleId> RulesAgainst(const isa::Step& step,
                                      const Finding& finding);

}  // namespace lanediff::diff::audit
