#pragma once

#include "isa/step.h"
#include "lanediff/plugin.h"

namespace lanediff::diff::test {

/// The inverse of `ToPluginStep`. Operands all have a dtype of their own.
isa::Step FromPluginStep(const lanediff_step& step);

}  // namespace lanediff::diff::test
