#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/rule.h"

namespace lanediff {

/// What a target makes of a case, or was seen to make of it elsewhere: the
/// content of an outcome document (docs/own-implementation.md). What is absent
/// the target doesn't report or was not observed, and it is not compared.
struct Outcome {
  enum class Status : unsigned char { kExecuted, kRejected, kUnsupported };

  Status status = Status::kExecuted;
  std::size_t step = 0;  ///< rejected or unsupported: the step
  /// Sorted; there for a rejected case only.
  std::optional<std::vector<isa::RuleId>> rules;
  /// Of all executed steps, sorted, unique.
  std::optional<std::vector<isa::RuleId>> notes;
  /// Maximal ranges of bytes that differ from the initial memory, those left
  /// out that are unspecified (differential/compare/unspecified.h). Always
  /// there for an executed case.
  std::optional<RegionsByMemory> memory;
  /// What was observed, free text; empty where the document doesn't state it.
  std::string observed;

  bool operator==(const Outcome&) const = default;

  bool rejected() const { return status == Status::kRejected; }
  /// None where nothing is stated of them.
  std::vector<isa::RuleId> RulesOrNone() const {
    return rules.value_or(std::vector<isa::RuleId>());
  }
  std::vector<isa::RuleId> NotesOrNone() const {
    return notes.value_or(std::vector<isa::RuleId>());
  }
};

/// How many steps of `c` were executed by a target that ended with `outcome`.
inline std::size_t StepsExecuted(const Case& c, const Outcome& outcome) {
  return outcome.status == Outcome::Status::kExecuted ? c.program.size()
                                                      : outcome.step;
}

}  // namespace lanediff
