#pragma once

#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::oracle {

/// STATE-UB-RESERVED: whether a window of an executed step shares a byte with
/// what lies at the end of UB and is not the kernel's.
bool UsesReservedUb(const isa::Step& step, isa::Product product,
                    isa::Edition edition);

}  // namespace lanediff::oracle
