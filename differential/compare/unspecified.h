#pragma once

#include <cstddef>
#include <vector>

#include "differential/compare/scratch.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// The bytes that the documents leave unspecified once the first `steps` steps
/// of `c` have been executed, in ascending order of memory and place: the
/// scratch tile of each from then on until something writes them, and what was
/// computed from unspecified bytes. Lane by lane for Min and its family, byte
/// by byte for what only moves bytes, element by element where it converts
/// them, as a whole for a sum or product over lanes of which one term is
/// unspecified.
///
/// A side that executes what the documents refuse is followed as
/// `oracle::Oracle::ExecuteExtended` goes on, as far as it does.
std::vector<ByteRange> UnspecifiedAfter(const Case& c, std::size_t steps);

}  // namespace lanediff::diff
