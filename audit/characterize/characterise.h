#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "differential/targets/target.h"
#include "reports/audit_record.h"
#include "reports/character_record.h"

/// What a target does where documents are silent or implementations differ,
/// determined by probes alone: cases that it answers with outcomes.
namespace lanediff::character {

struct Options {
  std::string instruction;  ///< a `kOp`; empty: all
  isa::Edition edition = isa::kNewestEdition;
  std::vector<std::size_t> lengths;  ///< of sums and products; empty: defaults
  /// Called before each probe; false ends the probing.
  std::function<bool()> goes_on;
};

Character Characterise(const diff::Target& target, const Options& options);

/// What the answers show of rules: orders, roundings, subnormal numbers, signs
/// of zero and mask registers other than the documented ones speak against
/// their rule, a rounding to nearest even for its own. Answers that decide
/// nothing, such as `unsupported`, show nothing.
std::vector<audit::Measurement> MeasurementsOf(const Character& character);

}  // namespace lanediff::character
