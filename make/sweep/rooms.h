#pragma once

#include "make/sweep/emitter.h"

/// One generator for each room; sweep.cc lists them.
namespace lanediff::make::sweep {

void SweepRepeatReduceSum(Emitter& out);
void SweepMin(Emitter& out);
void SweepDataCopy(Emitter& out);
void SweepTrowprod(Emitter& out);
void SweepVecTrans(Emitter& out);
void SweepProgram(Emitter& out);

}  // namespace lanediff::make::sweep
