#pragma once

#include "reports/mutant_record.h"
#include "reports/record.h"

namespace lanediff::reports::test {

/// A run that has every verdict, kind of record and optional part, and text
/// that must be escaped.
RunRecord SampleRun();

/// A mutant that was found, one that was not, and one whose hunt was not
/// finished.
MutantsRecord SampleMutants();

}  // namespace lanediff::reports::test
