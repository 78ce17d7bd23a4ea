#pragma once

#include <cstddef>
#include <optional>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"

namespace lanediff::lint {

/// A program that was cut down to one finding.
struct AloneCase {
  Case c;
  std::size_t step = 0;    ///< where the finding is reported now
  std::size_t others = 0;  ///< findings that could not be got rid of
};

/// The smallest program in reach that shows `hazard` of `c`, or its rejected
/// step: steps, regions, memories and facts that don't matter are gone. `Lint`
/// has reported it: it breaks the same rule, between the same calls and
/// operands. Looks at a bounded number of programs; none where there is none.
/// What it expected and was evidence for is left out.
std::optional<AloneCase> ShowAlone(const Case& c, const Hazard& hazard);
std::optional<AloneCase> ShowAlone(const Case& c, const RejectedStep& rejected);

}  // namespace lanediff::lint
