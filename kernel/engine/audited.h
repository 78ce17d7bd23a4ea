#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/access.h"
#include "isa/step.h"
#include "kernel/engine/operands.h"
#include "lanediff/kernel_abi.h"

namespace lanediff::kernel {

/// Whether the documents of this project have rules of the call.
bool IsAudited(std::string_view name);

/// The call as a step: parameters by the documents' names, as they were passed.
/// Else why it is not one of the documented calls.
std::expected<isa::Step, std::string> AuditedStep(
    const lanediff_call& call, std::span<const Placed> operands);

/// `step` with the positions of its operands replaced by such as the documents
/// allow between the same memories (KRN-POSITION).
isa::Step WithLegalPositions(isa::Step step, isa::Product product);

/// `step` with operands in GM moved by `bytes`; its accesses likewise.
isa::Step MovedInGm(isa::Step step, std::int64_t bytes);
std::vector<isa::Access> MovedInGm(std::vector<isa::Access> accesses,
                                   std::int64_t bytes);

}  // namespace lanediff::kernel
