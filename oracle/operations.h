#pragma once

#include <optional>
#include <vector>

#include "isa/access.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// What notes and hazards look at in a step: the table of "Operations".
namespace lanediff::oracle {

/// The pipe of a legal step; nothing of one that is no operation.
std::optional<isa::Pipe> PipeOfStep(const isa::Step& step,
                                    isa::Product product);

/// What an executed step leaves unspecified behind its other accesses, under
/// the name of tmp: TROWPROD's tmp, or padding without a value.
std::vector<isa::Access> ScratchAccesses(const isa::Step& step,
                                         isa::Product product);

/// STATE-UB-RESERVED: whether a window of an executed step shares a byte with
/// what lies at the end of UB and is not the kernel's.
bool UsesReservedUb(const isa::Step& step, isa::Product product,
                    isa::Edition edition);

/// A reduction, or a lane-wise call with a mask.
bool IsMaskedCall(const isa::Step& step);
/// Of a masked call: whether it takes the register as it is.
bool UsesRegister(const isa::Step& step);
/// The count form of a lane-wise call, with elements.
bool IsCallByCount(const isa::Step& step);
/// A call without a mask that leaves the register all ones, in either mode.
bool LeavesMaskOnly(const isa::Step& step);
/// Lanes of an iteration of a masked call.
std::int64_t LanesOfType(const isa::Step& step);

}  // namespace lanediff::oracle
