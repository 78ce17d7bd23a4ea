#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "isa/step.h"
#include "lint/slots.h"
#include "lint/witness.h"

namespace lanediff::lint {

/// A change of one step that was tried and makes it legal where it stands.
struct Repair {
  struct Change {
    std::string field;
    SlotValue from;
    SlotValue to;
    bool operator==(const Change&) const = default;
  };
  std::vector<Change> changes;  ///< up to `kMostChanges`
  /// Steps to put in right before this one.
  std::vector<isa::Step> before;
  /// The step as it is then.
  isa::Step step;
  std::string text;
  /// Later steps that are rejected then and were not before, none if possible.
  std::vector<std::size_t> then_rejected;

  bool operator==(const Repair&) const = default;
};

inline constexpr std::size_t kMostChanges = 3;
inline constexpr std::string_view kNoRepair =
    "no change of up to 3 fields makes this legal";

/// The smallest repair: fewest fields, then mistakes of units before other
/// values, beside other changes too, then the nearest values. None if there is
/// none in reach; looks at a bounded number of changes.
std::optional<Repair> FindRepair(const Situation& situation,
                                 const std::vector<Witness>& witnesses);

/// "count 64 instead of 72 makes the call legal; step 4 is then rejected".
std::string TextOf(const Repair& repair);

/// The program with the repair in place of step `number`.
Case Repaired(const Case& c, std::size_t number, const Repair& repair);

}  // namespace lanediff::lint
