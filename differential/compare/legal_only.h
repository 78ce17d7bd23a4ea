#pragma once

#include "differential/targets/target.h"

namespace lanediff::diff {

/// `target`, of which only cases count that the documents allow from start to
/// end; one for each target, which lives as long as the process.
const Target& LegalOnly(const Target& target);

}  // namespace lanediff::diff
