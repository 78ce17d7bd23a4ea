#pragma once

#include "oracle/format.h"
#include "oracle/rounder.h"
#include "oracle/wide.h"

/// The rounder over arbitrarily wide integers, for tests: what the rounder and
/// the nodes of the oracle are compared with.
namespace lanediff::oracle {

/// RoundToNearestEven for a magnitude of any size.
Rounded RoundWide(Format format, bool negative, const Wide& magnitude,
                  int exponent);

}  // namespace lanediff::oracle
