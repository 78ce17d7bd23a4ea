#pragma once

#include <string_view>

#include "audit/audit.h"
#include "differential/targets/target.h"

namespace lanediff::audit {

/// Judges the target on the documents' disagreements that `options` request,
/// about `op` (a `kOp`; empty: all of them), and adds them, those that touch
/// most legal calls first, with their cases, to `audit`. Each runs in a process
/// of its own; a target that ends or hangs there leaves its entry undecided.
void AddDisagreements(const diff::Target& target, const AuditOptions& options,
                      std::string_view op, Audit& audit);

}  // namespace lanediff::audit
