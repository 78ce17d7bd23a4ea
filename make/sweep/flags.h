#pragma once

#include "make/sweep/emitter.h"

namespace lanediff::make::sweep {

/// Flags, mask modes and single elements, in the room of programs.
void SweepFlags(Emitter& out);

}  // namespace lanediff::make::sweep
