#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "case/case.h"
#include "case/outcome.h"
#include "isa/rule.h"

namespace lanediff {

/// What somebody saw elsewhere of one case: the content of an outcome document
/// (docs/recorded-outcomes.md). What is absent was not observed and is not
/// compared.
struct RecordedOutcome {
  Outcome::Status status = Outcome::Status::kExecuted;
  std::size_t step = 0;  ///< rejected or unsupported: the step
  /// Sorted; there for a rejected case only.
  std::optional<std::vector<isa::RuleId>> rules;
  std::optional<std::vector<isa::RuleId>> notes;  ///< sorted
  /// Maximal ranges of bytes that differ from the initial memory, unspecified
  /// ones left out. Always there for an executed case.
  std::optional<RegionsByMemory> memory;
  /// Who was observed, free text; empty where the document doesn't say.
  std::string observed;

  bool operator==(const RecordedOutcome&) const = default;
};

/// Everything that `outcome`, seen of a target named `observed`, says.
RecordedOutcome ToRecorded(const Outcome& outcome, std::string observed);

}  // namespace lanediff
