#pragma once

#include <cstddef>
#include <vector>

#include "case/case.h"
#include "isa/rule.h"

namespace lanediff {

/// What a target made of a case.
struct Outcome {
  enum class Status : unsigned char { kExecuted, kRejected, kUnsupported };

  Status status = Status::kExecuted;
  std::size_t step = 0;            ///< rejected or unsupported: the step
  std::vector<isa::RuleId> rules;  ///< rejected: sorted
  std::vector<isa::RuleId> notes;  ///< of all executed steps, sorted, unique
  /// Maximal ranges of bytes that differ from the initial memory, those left
  /// out that are unspecified (diff/unspecified.h).
  RegionsByMemory changed;

  bool operator==(const Outcome&) const = default;
};

/// How many steps of `c` were executed by whoever ended with `status` at
/// `step`.
inline std::size_t StepsExecuted(const Case& c, Outcome::Status status,
                                 std::size_t step) {
  return status == Outcome::Status::kExecuted ? c.program.size() : step;
}

}  // namespace lanediff
