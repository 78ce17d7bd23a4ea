#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "isa/rule.h"

/// Variants of a case whose result is wrong. Each changes one thing alone, so
/// that a result which is right then, or wrong still, clears rules: two defects
/// at once do not hide one another.
namespace lanediff::audit {

/// Of a target that answers whole cases: the first step of `c` that leaves a
/// wrong memory, which is not after `step`, and what is wrong there; nothing
/// where no shorter program is wrong.
std::optional<diff::Finding> FirstWrong(const Case& c, std::size_t step,
                                        const diff::Target& target);

/// Leaves of `suspects` those that no variant clears of `wrong`, the result of
/// the step `wrong.step`, the first that is wrong; all where that would leave
/// none.
///
/// 1. The lanes of the mask register as a mask of the call's own: a right
///    result speaks against STATE-MASK-REGISTER alone; the same wrong one
///    clears this rule.
/// 2. Small integers in place of all elements, which no order, rounding,
///    saturation or special value changes. A right result of several contents
///    clears all rules but those about values, but not where an element is
///    missing; a wrong one clears the rules about some values that no element
///    shows, but not of a zero of the wrong sign.
/// 3. Of sums that are right with small integers: two lanes alone, which have
///    one order. A wrong result clears all rules that it does not rest on.
/// 4. Of what is wrong with small integers: all lanes; a right result speaks
///    against the rule of the mask's lanes. A mask of the call's own, once
///    more: the same wrong result clears STATE-MASK-REGISTER. One lane of a
///    sum, or one iteration: a wrong result clears the rule of the sum or of
///    the order of iterations. Where one iteration alone is right, or the first
///    of several that share no byte, so are lanes and operation.
void ClearByVariants(const Case& c, const diff::Finding& wrong,
                     const diff::Target& target,
                     std::vector<isa::RuleId>& suspects);

}  // namespace lanediff::audit
