#pragma once

#include "emulator/address.h"
#include "emulator/elementwise.h"

namespace lanediff::emulator {

/// Bytes from the first to the last one that a call touches of an operand of
/// `plan`, which passed stage 1.
Extent ExtentOf(const ElementwisePlan& plan, const VectorOperand& operand);

/// The extents of a call's operands.
struct ElementwiseExtents {
  Extent dst;
  Extent src0;
  Extent src1;
};

/// Which of the overlap rules of the mask forms a call breaks.
struct ElementwiseOverlaps {
  bool iteration = false;
  bool dependency = false;
  bool sources = false;
};

/// Stage 3 of the mask forms, in closed form.
ElementwiseOverlaps OverlapsOf(const ElementwisePlan& plan,
                               const ElementwiseExtents& extents);

}  // namespace lanediff::emulator
