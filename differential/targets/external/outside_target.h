#pragma once

#include <expected>
#include <string>

#include "differential/targets/target.h"

namespace lanediff::diff {

/// What `lanediff target check` queries of a target in a process of its own,
/// beside cases.
class Outside {
 public:
  virtual ~Outside() = default;

  /// What it reports of itself, in one line.
  virtual std::string SelfText() const = 0;
  /// What it answers to an unknown instruction: "unsupported",
  /// "rejected", "error" or "executed".
  virtual std::expected<std::string, NoOutcome> ProbeUnknown() const = 0;
};

}  // namespace lanediff::diff
