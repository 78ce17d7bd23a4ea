#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/access.h"
#include "isa/call.h"
#include "kernel/engine/operands.h"
#include "lanediff/kernel_abi.h"

namespace lanediff::kernel {

/// Whether the documents of this project have rules of the call, and kernels
/// make it. TIK's programs have transpositions, as steps.
bool IsAudited(std::string_view name);
/// The same of a call in its form: not of Axpy or MulAddDst from half to float,
/// nor of a conversion of int4b_t, nor of one to half by the scale of
/// SetDeqScale, which cases don't have.
bool IsAudited(const lanediff_call& call, isa::Product product);

/// The call as a step: parameters by the documents' names, as they were passed.
/// Else why it is not one of the documented calls.
std::expected<isa::Call, std::string> AuditedStep(
    const lanediff_call& call, std::span<const Placed> operands,
    isa::Product product = isa::Product::kAtlasA2);

/// `call` with the positions of its operands replaced by such as the documents
/// allow between the same memories (KRN-POSITION).
isa::Call WithLegalPositions(isa::Call call, isa::Product product);

/// `call` with operands in GM moved by `bytes`; its accesses likewise.
isa::Call MovedInGm(isa::Call call, std::int64_t bytes);
std::vector<isa::Access> MovedInGm(std::vector<isa::Access> accesses,
                                   std::int64_t bytes);

}  // namespace lanediff::kernel
