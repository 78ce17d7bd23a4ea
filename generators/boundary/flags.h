#pragma once

#include "generators/boundary/emitter.h"

namespace lanediff::make::sweep {

/// Flags, mask modes and single elements, in the module of programs.
void SweepFlags(Emitter& out);

}  // namespace lanediff::make::sweep
