#pragma once

#include <string_view>

#include "make/sweep/emitter.h"

/// One generator for each room; sweep.cc lists them.
namespace lanediff::make::sweep {

/// All cases of an instruction's room; one for each, in the file of its name.
template <isa::Intrinsic Call>
void SweepRoom(Emitter& out);
template <>
void SweepRoom<isa::RepeatReduceSum>(Emitter& out);
template <>
void SweepRoom<isa::DataCopy>(Emitter& out);
template <>
void SweepRoom<isa::Trowprod>(Emitter& out);
template <>
void SweepRoom<isa::VecTrans>(Emitter& out);
template <>
void SweepRoom<isa::WholeReduceSum>(Emitter& out);

/// Those of the element-wise call `op`.
void SweepElementwise(Emitter& out, std::string_view op);
template <isa::Intrinsic Call>
  requires isa::Elementwise<Call>
void SweepRoom(Emitter& out) {
  SweepElementwise(out, Call::kOp);
}

void SweepProgram(Emitter& out);

}  // namespace lanediff::make::sweep
