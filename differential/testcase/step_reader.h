#pragma once

#include "differential/testcase/case.h"
#include "differential/testcase/json_cursor.h"

/// The steps of a case document. For readers only: what does not fit is thrown
/// as a `CaseError` that names its place.
namespace lanediff {

/// Appends a step and, in the format of kernels, where it was called.
void ReadStep(const Cursor& place, bool of_kernel, Case& c);

}  // namespace lanediff
