#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "sanitizer/hazard_repair.h"

namespace lanediff::lint {

/// Hazards of `verdict`, those after a rejected step too.
std::size_t HazardsIn(const Verdict& verdict);

/// Whether `a` and `b` are one hazard of a program of which a value changed.
bool IsSame(const Hazard& a, const Hazard& b);

template <class Visit>
void VisitFlag(isa::Step& step, const Visit& visit) {
  if (auto* set = std::get_if<isa::SetFlag>(&step)) visit(*set);
  if (auto* wait = std::get_if<isa::WaitFlag>(&step)) visit(*wait);
}

/// Event and id of a flag step; else nothing.
std::optional<std::pair<isa::Event, std::int64_t>> FlagOf(
    const isa::Step& step);

/// "event V_MTE3 instead of MTE3_V".
std::string InsteadText(const HazardRepair::Change& change);

/// Tries repairs of one hazard of `c`, of which `Lint` reports `verdict`. Each
/// look is at the whole program; their number is bounded.
class HazardTrial {
 public:
  HazardTrial(const Case& program, const Verdict& found, const Hazard& one)
      : c(program), verdict(found), hazard(one) {}

  std::size_t later() const { return hazard.later.step; }
  const isa::Step& step() const { return c.program[later()]; }

  /// None of the repair, which leaves that hazard or more of others.
  static constexpr std::size_t kNoHelp = static_cast<std::size_t>(-1);

  /// The hazards that are left with the repair, at least `fewer` less than
  /// before; kNoHelp if the hazard is still there, or more is rejected.
  std::size_t Left(const HazardRepair& repair, std::size_t fewer);

  /// The first of those that leave the fewest hazards.
  std::optional<HazardRepair> Best(const std::vector<HazardRepair>& tried,
                                   std::size_t fewer);

  /// A look at another program; none when there were too many.
  std::optional<Verdict> Look(const Case& changed);

  const Case& c;
  const Verdict& verdict;
  const Hazard& hazard;

 private:
  int looks_ = 0;
};

/// Flags and barriers that the product does not have: the nearest that it has.
std::optional<HazardRepair> ReplaceAbsent(HazardTrial& trial);

/// Flags and barriers that are there and whose event, id or pipe is another
/// one than was meant: of a flag that lacks its other end, of a pair or barrier
/// that orders nothing. Fewest fields first.
std::optional<HazardRepair> ReplaceWrong(HazardTrial& trial);

/// INIT-READ: what it follows from, less to read, or what must be written.
std::optional<HazardRepair> ReadWritten(HazardTrial& trial);

}  // namespace lanediff::lint
