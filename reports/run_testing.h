#pragma once

#include "reports/mutant_record.h"
#include "reports/record.h"

namespace lanediff::reports::test {

/// A run that has every verdict, kind of record and optional part, and text
/// that must be escaped.
RunRecord SampleRun();

/// One mutant that was found and one that survived.
MutantsRecord SampleMutants();

}  // namespace lanediff::reports::test
