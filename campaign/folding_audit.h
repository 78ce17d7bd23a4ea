#pragma once

#include "campaign/part.h"
#include "case/json_cursor.h"

namespace lanediff::campaign {

/// One rule of an audit.
void FoldRule(const Cursor& rule, Part& part);
/// All of an audit but its rules.
void FoldAudit(const Cursor& audit, Part& part);

}  // namespace lanediff::campaign
