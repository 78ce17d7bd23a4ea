#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "diff/case.h"
#include "diff/outcome.h"
#include "isa/rule.h"

namespace lanediff::diff {

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

/// Why there is nothing to compare.
struct NotRecorded {
  /// There is a document, but it can't be read or is no outcome of the case.
  bool malformed = false;
  std::string why;  ///< one line with the file; where malformed, the place too
};

/// The outcomes that were recorded of cases, by their ids. Safe to ask from
/// several threads.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual std::expected<RecordedOutcome, NotRecorded> Find(
      const Case& c) const = 0;
};

}  // namespace lanediff::diff
