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
  /// What the program did and does no more: iterations that a repair took away
  /// and no other call could be put in for. A line each, numbers likewise.
  std::vector<std::string> left;
};

/// Repairs every rejected step for which a repair is found, with further calls
/// behind it for iterations that it takes away, then flags and
/// barriers, then puts in the missing calls of hazards, as long as each makes
/// the hazards fewer and rejects nothing, and last lets calls read no more than
/// is written. What the case expects and is evidence for is left
/// out, as it spoke of another program. Bounded: does not report what it
/// leaves, `Lint` does.
FixedProgram FixProgram(const Case& c);

}  // namespace lanediff::lint
