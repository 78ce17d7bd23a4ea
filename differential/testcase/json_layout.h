#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "differential/testcase/json.h"

namespace lanediff {

/// `json` as text for people: what fits in a line stands in a line, lists of
/// scalars fill lines, everything else is broken up and indented by two. A
/// binary value is the text of a number.
std::string LayOut(const nlohmann::ordered_json& json);
std::string LayOut(const Json& json);

/// `json` for those who build documents of several parts.
nlohmann::ordered_json ToOrdered(const Json& json);

}  // namespace lanediff
