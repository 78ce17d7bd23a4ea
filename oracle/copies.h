#pragma once

#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/listing.h"

/// Runs of bytes that copies read and write, and the copies under way.
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

/// An executed DataCopy since the last barrier of its pipe (DC-BARRIER).
struct CopyUnderWay {
  isa::Pipe pipe = isa::Pipe::kV;
  isa::Memory memory = isa::Memory::kUb;
  std::vector<ByteRun> written;
};

}  // namespace lanediff::oracle
