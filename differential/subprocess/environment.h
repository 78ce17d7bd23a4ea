#pragma once

#include <string>
#include <vector>

namespace lanediff::diff {

/// The variables of this process, "NAME=value".
std::vector<std::string> OwnEnvironment();

}  // namespace lanediff::diff
