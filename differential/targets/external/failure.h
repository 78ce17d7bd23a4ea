#pragma once

#include <string>

#include "differential/targets/target.h"

namespace lanediff::diff {

/// The failure of an outside process that ended, with what it last wrote to
/// stderr. `why`: what it was doing, after "it".
NoOutcome Failure(NoOutcome::Kind kind, std::string why,
                  std::string error_tail = {});

}  // namespace lanediff::diff
