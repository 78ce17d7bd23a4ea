#pragma once

#include <string_view>

#include "diff/case.h"
#include "diff/finding.h"

namespace lanediff::diff {

/// `c` as it is kept once it has shown `finding`: an id made from `room`,
/// kind and content, the finding's message as its note, what the oracle makes
/// of it as its expectation, and an origin that names `tool`, target and
/// signature.
Case CaseOfFinding(Case c, const Finding& finding, std::string_view room,
                   std::string_view tool);

}  // namespace lanediff::diff
