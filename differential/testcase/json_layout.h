#pragma once

#include <string>

#include "differential/testcase/json.h"

namespace lanediff {

/// `json` as text for people: what fits in a line stands in a line, lists of
/// scalars fill lines, everything else is broken up and indented by two.
std::string LayOut(const Json& json);

}  // namespace lanediff
