#pragma once

#include "tools/cli/verbs/finish.h"

namespace lanediff::cli {

/// Audits each of `options.targets` by `audit`, one after the other, in a
/// process of its own and into a folder of its own below --out. Then leaves and
/// prints what they come to side by side. Returns the worst of the statuses.
int AuditEach(const AuditOptions& options,
              int (*audit)(const AuditOptions& options));

}  // namespace lanediff::cli
