#pragma once

#include "differential/testcase/json_cursor.h"
#include "tools/history/part.h"

namespace lanediff::campaign {

/// One rule of an audit.
void FoldRule(const Cursor& rule, Part& part);
/// All of an audit but its rules.
void FoldAudit(const Cursor& audit, Part& part);

}  // namespace lanediff::campaign
