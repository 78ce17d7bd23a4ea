#pragma once

#include <optional>

#include "differential/testcase/case.h"
#include "generators/random.h"

namespace lanediff::make {

/// A program as kernels leave it: blocks, a TPipe, queues whose tensors are
/// filled, passed on and freed, unaudited calls between them, atomic and mask
/// modes. If `right`, all is synchronized and no rule of queues is broken; else
/// one or two steps are left out, doubled or exchanged, or a number is another.
/// Absent: two of three are right. Memories have 16 KiB.
Case KernelProgram(Random& random, std::optional<bool> right = {});

}  // namespace lanediff::make
