#pragma once

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "lanediff/plugin.h"

namespace lanediff::diff {

/// `step` as the C ABI has it, on `product`. Fields that it doesn't use are 0.
void ToPluginStep(const isa::Step& step, isa::Product product,
                  lanediff_step& into);

}  // namespace lanediff::diff
