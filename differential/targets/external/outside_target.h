#pragma once

#include <expected>
#include <string>

#include "differential/targets/target.h"

namespace lanediff::diff {

/// What `lanediff target check` asks of a target in a process of its own beside
/// cases.
class Outside {
 public:
  virtual ~Outside() = default;

  /// What it says of itself, in one line.
  virtual std::string SelfText() const = 0;
  /// What it answers to an instruction that there is none of: "unsupported",
  /// "rejected", "error" or "executed".
  virtual std::expected<std::string, NoOutcome> AskUnknown() const = 0;
};

}  // namespace lanediff::diff
