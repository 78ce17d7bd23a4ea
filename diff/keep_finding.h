#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "case/case.h"
#include "diff/finding.h"

namespace lanediff::diff {

/// Saves `c`, in which `finding` was made, in `folder` under a name made from
/// `room`, the finding's kind and the content; the folder must exist. The file
/// says what was found and by which `tool`, and expects what the oracle does.
/// Returns the path, or one line that says why there is none.
std::expected<std::string, std::string> KeepFinding(Case c,
                                                    const Finding& finding,
                                                    std::string_view room,
                                                    std::string_view tool,
                                                    const std::string& folder);

}  // namespace lanediff::diff
