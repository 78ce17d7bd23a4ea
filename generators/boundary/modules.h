#pragma once

#include "generators/boundary/emitter.h"
#include "isa/step.h"

/// One generator for each instruction; sweep.cc lists them.
namespace lanediff::make::sweep {

/// All cases of a kind of step, in the file of its name.
void SweepModule(const isa::RepeatReduceSum&, Emitter& out);
void SweepModule(const isa::DataCopy&, Emitter& out);
void SweepModule(const isa::Trowprod&, Emitter& out);
void SweepModule(const isa::VecTrans&, Emitter& out);
void SweepModule(const isa::WholeReduceSum&, Emitter& out);
void SweepModule(const isa::Call& blank, Emitter& out);

/// Machine state. Ends with `SweepFlags`.
void SweepProgram(Emitter& out);
/// Flags, mask modes and single elements.
void SweepFlags(Emitter& out);

}  // namespace lanediff::make::sweep
