#pragma once

#include <cstdint>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// Bytes of one memory.
struct ByteRange {
  isa::Memory memory;
  std::int64_t at;
  std::int64_t bytes;

  bool operator==(const ByteRange&) const = default;
};

/// The scratch tiles of `step`, whose bytes are unspecified once it has been
/// executed. A tile that does not lie in its memory as a whole is left out: no
/// document gives it bytes.
std::vector<ByteRange> ScratchOf(const Case& c, const isa::Step& step);

/// Copies `ranges` from one set to the other, so that they compare equal.
void CopyRanges(const std::vector<ByteRange>& ranges, const MemorySet& from,
                MemorySet& to);

/// How many bytes `ranges` have, which are disjoint.
std::int64_t BytesIn(const std::vector<ByteRange>& ranges);

}  // namespace lanediff::diff
