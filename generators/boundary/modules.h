#pragma once

#include "generators/boundary/emitter.h"
#include "isa/signature.h"

/// A generator for each family of instructions, and for machine state; sweep.cc
/// lists them.
namespace lanediff::make::sweep {

/// All cases of an instruction, in the order of their numbers.
void SweepLanewise(Emitter& out, const isa::Signature& row);
void SweepReduction(Emitter& out, const isa::Signature& row);
void SweepCopy(Emitter& out, const isa::Signature& row);
void SweepTranspose(Emitter& out, const isa::Signature& row);
void SweepTiles(Emitter& out, const isa::Signature& row);

/// Machine state. Ends with `SweepFlags`.
void SweepProgram(Emitter& out);
/// Flags, mask modes and single elements.
void SweepFlags(Emitter& out);

}  // namespace lanediff::make::sweep
