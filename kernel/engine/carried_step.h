#pragma once

#include "isa/carried.h"
#include "kernel/carried/carried.h"

namespace lanediff::kernel {

/// The call as cases have it; of what it writes the places alone.
isa::Carried StepOf(const CarriedCall& call, const CarriedPlan& plan);

}  // namespace lanediff::kernel
