#pragma once

#include <expected>
#include <string>

#include "case/case.h"
#include "case/recorded_outcome.h"

namespace lanediff::diff {

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
