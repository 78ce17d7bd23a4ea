#pragma once

#include "emulator/state.h"
#include "isa/rule.h"
#include "isa/trowprod.h"

namespace lanediff::emulator {

/// The reject rules that the call breaks, in closed form.
isa::RuleSet TrowprodLegality(const isa::Trowprod& call, const State& state);

}  // namespace lanediff::emulator
