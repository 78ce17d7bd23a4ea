#pragma once

#include <cstdint>
#include <string_view>

#include "diff/json_cursor.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// Turns what the JSON printers write back into records. What does not fit is
/// thrown as a `diff::CaseError`, as by every reader with a cursor. Changes
/// since a baseline are not read.
namespace lanediff::reports {

/// A document of `RunJson`. Of the cases it has what the document tells.
RunRecord ReadRunRecord(const diff::Cursor& root);

/// A document of `MutantsJson`.
MutantsRecord ReadMutantsRecord(const diff::Cursor& root);

/// A count, 0 to 2^64 - 1.
std::uint64_t ReadCount(const diff::Cursor& place);

double ReadDouble(const diff::Cursor& place);

/// Refuses any other text than `allowed`.
void MustBe(const diff::Cursor& place, std::string_view allowed);

}  // namespace lanediff::reports
