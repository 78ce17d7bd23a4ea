#pragma once

#include <cstdint>
#include <string_view>

#include "case/json_cursor.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// Turns what the JSON printers write back into records. What does not fit is
/// thrown as a `diff::CaseError`, as by every reader with a cursor. Changes
/// since a baseline are not read.
namespace lanediff::reports {

/// A document of `RunJson`. Of the cases it has what the document tells.
RunRecord ReadRunRecord(const Cursor& root);

/// A document of `MutantsJson`.
MutantsRecord ReadMutantsRecord(const Cursor& root);

}  // namespace lanediff::reports
