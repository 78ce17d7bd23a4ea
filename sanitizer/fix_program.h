#pragma once

#include <string>
#include <vector>

#include "differential/testcase/case.h"

namespace lanediff::lint {

/// A program with repairs and missing calls put in.
struct FixedProgram {
  Case c;
  /// What was done, a line each; steps have the numbers that they had when it
  /// was done.
  std::vector<std::string> done;
  /// What the program did and does no more: iterations that a repair left out.
  /// A line each, numbers likewise.
  std::vector<std::string> left;
};

/// Repairs every rejected step for which a repair is found, then ids of flags,
/// and puts in the missing calls of hazards as long as each makes the hazards
/// fewer and rejects nothing. What the case expects and is evidence for is left
/// out, as it spoke of another program. Bounded: does not report what it
/// leaves, `Lint` does.
FixedProgram FixProgram(const Case& c);

}  // namespace lanediff::lint
