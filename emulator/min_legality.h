#pragma once

#include "emulator/state.h"
#include "isa/min.h"
#include "isa/rule.h"

namespace lanediff::emulator {

/// The reject rules that the call breaks, in closed form.
isa::RuleSet MinLegality(const isa::Min& call, const State& state);

}  // namespace lanediff::emulator
