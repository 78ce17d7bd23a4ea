#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "differential/records/hazard.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {

/// The best repair of fewest fields: numbers in other units before clamped
/// ones. None if there is none in reach; a bounded number of changes is tried.
std::optional<Repair> FindRepair(const Situation& situation,
                                 const std::vector<Witness>& witnesses);

/// The program with the repair in place of step `number`. Without the places
/// of its calls if it has more steps then.
Case Repaired(const Case& c, std::size_t number, const Repair& repair);

/// Whether `now` has at least `fewer` hazards less than `before`, rejects no
/// more steps and ends no earlier.
bool IsBetter(const Verdict& now, const Verdict& before, std::size_t fewer);

/// What takes away a hazard that lacks no call, with nothing worse: of a flag
/// that the product does not have another id; of unwritten bytes that they are
/// written before the program. `verdict` is what `Lint` reports of `c`,
/// `hazard` one of its hazards. None for every other hazard.
std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard);

/// Of the first hazards of such rules what was found.
HazardRepairs FindHazardRepairs(const Case& c, const Verdict& verdict);

/// As `c` was, if the repair has no changes and nothing to write.
Case Repaired(const Case& c, const HazardRepair& repair);

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
