#pragma once

#include <string>
#include <vector>

namespace lanediff::cli {

/// `lint --compare`: holds lint against the oracle's model of hazards in each
/// case of `paths` and prints what differs. Where `out` is not empty there is
/// one path, and the smallest case that differs in the same way is written
/// there. Returns the exit status: 1, a difference; 2, not all was compared.
int CompareLint(const std::vector<std::string>& paths, const std::string& out);

}  // namespace lanediff::cli
