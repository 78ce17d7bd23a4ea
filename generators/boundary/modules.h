#pragma once

#include "generators/boundary/emitter.h"
#include "isa/step.h"

/// One generator for each instruction; sweep.cc lists them.
namespace lanediff::make::sweep {

/// All cases of a kind of step, in the file of its name.
void SweepModule(const isa::DataCopy&, Emitter& out);
void SweepModule(const isa::Trowprod&, Emitter& out);
void SweepModule(const isa::VecTrans&, Emitter& out);
void SweepLanewise(Emitter& out, const isa::Signature& row);
void SweepReduction(Emitter& out, const isa::Signature& row);
inline void SweepModule(const isa::Call& blank, Emitter& out) {
  const isa::Signature& row = *blank.signature;
  const bool reduces = row.family == isa::Family::kReduction;
  (reduces ? SweepReduction : SweepLanewise)(out, row);
}

/// Machine state. Ends with `SweepFlags`.
void SweepProgram(Emitter& out);
/// Flags, mask modes and single elements.
void SweepFlags(Emitter& out);

}  // namespace lanediff::make::sweep
