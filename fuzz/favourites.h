#pragma once

#include <cstddef>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random.h"

/// Cases that were the first to reach some place of the target's own code. What
/// lies behind it is mostly one more parameter away, so they are varied one
/// parameter at a time; libFuzzer alone would pick each of them once in
/// hundreds of inputs.
namespace lanediff::fuzz {

/// `places` of the target's code no case had reached before `c`. `legal`: both
/// sides have executed it to its end, so that a wrong result of one like it
/// would be a finding.
void AddFavourite(const Case& c, std::vector<std::size_t> places, bool legal);

/// One to be varied now: mostly the one whose place was looked at least so far.
/// Null where it is something else's turn.
const Case* NextFavourite(make::Random& random);

}  // namespace lanediff::fuzz
