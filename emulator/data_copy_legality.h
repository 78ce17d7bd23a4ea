#pragma once

#include "emulator/state.h"
#include "isa/data_copy.h"
#include "isa/rule.h"

namespace lanediff::emulator {

/// The type of an operand: its own, else the step's.
inline isa::DType TypeOf(const isa::Operand& operand,
                         const isa::DataCopy& call) {
  return operand.dtype.value_or(call.dtype);
}

/// Whether the copy is the one that only the document's own example makes, not
/// its table of routes (DC-ROUTE-EXAMPLE).
inline bool IsExampleRoute(const isa::DataCopy& call) {
  return call.src.position == isa::Position::kVecin &&
         call.dst.position == isa::Position::kVecout;
}

/// Bytes that a call in count form names, before rounding down to whole blocks.
/// The count has passed DC-COUNT.
std::int64_t NamedBytes(const isa::DataCopy& call);

/// The reject rules that the call breaks, in closed form.
isa::RuleSet DataCopyLegality(const isa::DataCopy& call, const State& state);

}  // namespace lanediff::emulator
