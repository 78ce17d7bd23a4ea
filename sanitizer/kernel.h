#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "sanitizer/witness.h"

/// What lint reports of kernels beside what it reports of every program.
namespace lanediff::lint {

/// "Adds, add.cpp:24": what step `step` is and where it was called, as far as
/// its name does not show it; empty where nothing is left.
std::string WhereOf(const Case& c, std::size_t step);

/// "step 3 is Adds, add.cpp:24; step 1 is at add.cpp:21" of both places.
std::string WhereOf(const Case& c, const Hazard& hazard);

/// Of an unaudited call and one of its reject rules.
std::vector<Witness> KernelWitnesses(const Situation& situation,
                                     isa::RuleId rule);

}  // namespace lanediff::lint
