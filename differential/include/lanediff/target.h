#pragma once

#include "differential/targets/find_target.h"
#include "differential/targets/target.h"

/// Implementations under comparison: derive from `Target`, or from
/// `StepwiseTarget` to be compared after each step, and register the object;
/// every verb then knows it by its `name()`.
namespace lanediff {

using diff::Capabilities;
using diff::FindStepwiseTarget;
using diff::FindTarget;
using diff::NoOutcome;
using diff::RegisterTarget;
using diff::Session;
using diff::StepwiseTarget;
using diff::Target;

}  // namespace lanediff
