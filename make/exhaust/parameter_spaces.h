#pragma once

#include <memory>

#include "make/exhaust/space.h"

/// The parameter spaces of the five instructions. Each integer field runs
/// through small values and the neighbours on both sides of its range, in every
/// form; operands start around each other, in steps that reach every way of
/// overlapping. The bounds are in the grids themselves, from where `Bounds()`
/// lists them. Saturation mode is on; data is `PatternBytes`.
namespace lanediff::make::exhaust {

/// 2 million calls on 1 KiB of UB.
std::unique_ptr<Space> RepeatReduceSumParameters();
/// 2 million calls on 3 KiB of UB.
std::unique_ptr<Space> MinParameters();
/// 0.9 million calls on 1 KiB of each memory, some of two copies.
std::unique_ptr<Space> DataCopyParameters();
/// 2 million calls on 4 KiB of UB.
std::unique_ptr<Space> TrowprodParameters();
/// 0.1 million calls on 4 KiB of UB.
std::unique_ptr<Space> VecTransParameters();

}  // namespace lanediff::make::exhaust
