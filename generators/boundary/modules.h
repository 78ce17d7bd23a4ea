#pragma once

#include <string_view>

#include "generators/boundary/emitter.h"

/// One generator for each instruction; sweep.cc lists them.
namespace lanediff::make::sweep {

/// All cases of an instruction; one for each, in the file of its name.
template <isa::Intrinsic Call>
void SweepModule(Emitter& out);
template <>
void SweepModule<isa::RepeatReduceSum>(Emitter& out);
template <>
void SweepModule<isa::DataCopy>(Emitter& out);
template <>
void SweepModule<isa::Trowprod>(Emitter& out);
template <>
void SweepModule<isa::VecTrans>(Emitter& out);
template <>
void SweepModule<isa::WholeReduceSum>(Emitter& out);

/// Those of the element-wise call `op`.
void SweepElementwise(Emitter& out, std::string_view op);
template <isa::Intrinsic Call>
  requires isa::Elementwise<Call>
void SweepModule(Emitter& out) {
  SweepElementwise(out, Call::kOp);
}

/// Machine state. Ends with `SweepFlags`.
void SweepProgram(Emitter& out);
/// Flags, mask modes and single elements.
void SweepFlags(Emitter& out);

}  // namespace lanediff::make::sweep
