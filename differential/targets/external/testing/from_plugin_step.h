#pragma once

#include <optional>

#include "isa/step.h"
#include "lanediff/plugin.h"

namespace lanediff::diff::test {

/// The inverse of `ToPluginStep`; nothing for a call with an unknown name.
/// Operands all have a dtype of their own.
std::optional<isa::Step> FromPluginStep(const lanediff_step& step);

}  // namespace lanediff::diff::test
