#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "differential/compare/byte_range.h"
#include "differential/compare/open_elements.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// The scratch tiles of `step`, and what pads its blocks where no document
/// states with what: bytes that are unspecified once it has been executed. A
/// tile, and padding, that does not lie in its memory as a whole is left out:
/// no document gives it bytes.
std::vector<ByteRange> ScratchOf(const Case& c, const isa::Step& step);

/// Copies `ranges` from one set to the other, so that they compare equal.
void CopyRanges(const std::vector<ByteRange>& ranges, const MemorySet& from,
                MemorySet& to);

/// How many bytes `ranges` have, which are disjoint.
std::int64_t BytesIn(const std::vector<ByteRange>& ranges);

/// The bytes that the documents leave unspecified once the first `steps` steps
/// of `c` have been executed, in ascending order of memory and place: the
/// scratch of each until something writes them, and what was computed from
/// unspecified bytes. Lane by lane for Min and its family, byte by byte for
/// what only moves bytes, with the first element of a block what that fills,
/// element by element where it converts them, result by result for a reduction,
/// as a whole for a product.
/// What was computed from elements that are compared by their distance is
/// unspecified, too, but for whole copies of them.
/// A side that executes what the documents refuse is
/// followed as `oracle::Oracle::ExecuteExtended` goes on.
std::vector<ByteRange> UnspecifiedAfter(const Case& c, std::size_t steps);

/// The same, and the elements that are then compared by their distance: results
/// of steps, and whole copies of them.
struct Undetermined {
  std::vector<ByteRange> unspecified;
  std::vector<OpenRun> open;
};
Undetermined UndeterminedAfter(const Case& c, std::size_t steps);

}  // namespace lanediff::diff
