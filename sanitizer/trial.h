#pragma once

#include <string>
#include <vector>

#include "differential/records/hazard.h"
#include "isa/step.h"
#include "sanitizer/slots.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {

/// Values for slots of a call that might make it legal.
struct Trial {
  std::vector<Repair::Change> changes;
  /// Of numbers in other units: why they are likely what was meant.
  std::string why = {};
  /// Which part of an amount is lost, 0 to 1.
  double lost = 0;

  isa::Step On(isa::Step step) const {
    for (const Repair::Change& change : changes) {
      step = With(step, change.field, change.to);
    }
    return step;
  }
};

/// Up to three strides, lengths, gaps or counts as if they were given in bytes
/// or elements.
std::vector<Trial> UnitTrials(const Situation& situation);

/// Single fields: of each witness the nearest value in the rule's range or, of
/// bytes outside, the most that the windows hold.
std::vector<Trial> ClampTrials(const Situation& situation,
                               const std::vector<Witness>& witnesses);

/// The calls for iterations that `lowered` takes away from `repaired`: windows
/// begin where the iterations do, and the calls touch exactly their bytes. None
/// if there are no such calls or more than 16 of them.
std::vector<isa::Step> CallsForRest(const Situation& situation,
                                    const isa::Step& repaired,
                                    const Repair::Change& lowered);

}  // namespace lanediff::lint
