#pragma once

#include <string>
#include <vector>

namespace lanediff::diff {

/// The variables for a process that loads the library at `path`: ours, and
/// where it was built with a sanitizer, the runtime that must be there before
/// all others, and that a report ends the process, unless set otherwise.
std::vector<std::string> EnvironmentFor(const std::string& path);

/// Whether one must.
bool NeedsPreload(const std::string& path);

}  // namespace lanediff::diff
