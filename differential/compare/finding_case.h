#pragma once

#include <string_view>

#include "differential/compare/finding.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// Who found a case that shows `finding`: `tool`, with what was under test and
/// the signature. For those who keep a case that disagrees.
Origin OriginOf(const Finding& finding, std::string_view tool);

/// `c` as it is kept once it has shown `finding`: an id made from `slug`,
/// kind and content, the finding's message as its note, what the oracle makes
/// of it as its expectation, unless only lint ran, and `OriginOf` the
/// finding.
Case CaseOfFinding(Case c, const Finding& finding, std::string_view slug,
                   std::string_view tool);

}  // namespace lanediff::diff
