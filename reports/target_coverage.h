#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "differential/testcase/record.h"

/// What a fuzz run reached of a plugin's own code, as its compiler counts it
/// (-fsanitize-coverage).
namespace lanediff::reports {

struct TargetCoverageRecord {
  /// That the library has; 0 where it is not instrumented.
  std::uint64_t counters = 0;
  /// Places that they are folded into where there are too many; else the same.
  std::uint64_t places = 0;
  std::uint64_t reached = 0;
  /// Those that were reached, from 0 on, in order: "0-5 7 9-12".
  std::string which;

  template <class Self, class Visitor>
  static void Fields(Self& c, Visitor& v) {
    v.Required("counters", c.counters,
               {.description = "that the library has; 0 where it is not "
                               "instrumented"});
    v.Required("places", c.places,
               {.description = "that are distinct: as many, or fewer in which "
                               "they are folded"});
    v.Required("reached", c.reached);
    v.Required("which", c.which,
               {.description = "numbers of the places that were reached, as "
                               "ranges: 0-5 7 9-12"});
  }
};

/// Of a library with `counters`, of which `reached` were.
TargetCoverageRecord TargetCoverageOf(std::uint64_t counters,
                                      const std::set<std::uint64_t>& reached);

/// What two runs of one library reached together. Of libraries that differ, the
/// one that reached more.
TargetCoverageRecord Join(const TargetCoverageRecord& a,
                          const TargetCoverageRecord& b);

/// "target's own coverage: 37 of 112 counters", as a line.
std::string TargetCoverageText(const TargetCoverageRecord& record);

}  // namespace lanediff::reports
