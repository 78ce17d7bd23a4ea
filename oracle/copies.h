#pragma once

#include <cstdint>
#include <vector>

#include "oracle/listing.h"

/// Runs of bytes that copies read and write.
namespace lanediff::oracle {

/// Bytes [at, at + bytes) of a memory.
struct ByteRun {
  Address at = 0;
  std::int64_t bytes = 0;

  Address end() const { return at + bytes; }
  bool operator==(const ByteRun&) const = default;
};

/// The same bytes as runs that ascend and neither overlap nor touch.
std::vector<ByteRun> Merged(std::vector<ByteRun> runs);

/// Whether the two lists share a byte. Both ascend and don't overlap in
/// themselves.
bool ShareBytes(const std::vector<ByteRun>& a, const std::vector<ByteRun>& b);

}  // namespace lanediff::oracle
