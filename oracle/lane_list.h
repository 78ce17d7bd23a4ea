#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/operand.h"
#include "oracle/listing.h"
#include "oracle/oracle.h"
#include "oracle/vector_lanes.h"

/// The bytes that an operand's lanes read or write, listed.
namespace lanediff::oracle {

/// Consecutive lanes at consecutive addresses, as many as there are.
struct LaneRun {
  std::int64_t lane = 0;   ///< the first one
  Address offset = 0;      ///< of its first byte, from the iteration's start
  std::int64_t bytes = 0;  ///< of all of them
};

/// The lanes of one operand that take part, ascending. They are the same in
/// each iteration, so they stand here once, by their offsets.
struct LaneList {
  Address at = 0;               ///< where iteration 0 starts
  Address iteration_bytes = 0;  ///< from the start of one to the next
  std::int64_t element_bytes = 0;
  std::vector<LaneRun> runs;

  /// Of all lanes of one iteration.
  std::int64_t BytesOfIteration() const {
    std::int64_t bytes = 0;
    for (const LaneRun& run : runs) bytes += run.bytes;
    return bytes;
  }
  Address StartOf(std::int64_t iteration) const {
    return at + iteration * iteration_bytes;
  }
  Address AddressOf(std::int64_t iteration, const LaneRun& run) const {
    return StartOf(iteration) + run.offset;
  }
};

/// `lanes` of `grid`.
LaneList ListLanes(const LaneGrid& grid,
                   const std::vector<std::int64_t>& lanes);

/// Lanes 0 to `count` - 1, one behind the other from `at` on; iterations start
/// `iteration_bytes` after each other.
LaneList ListContiguous(std::int64_t at, std::int64_t element_bytes,
                        std::int64_t count, Address iteration_bytes);

/// BOUNDS: whether all lanes of all iterations lie in the operand's window.
bool LanesAreInWindow(const isa::Operand& operand, const LaneList& list,
                      std::int64_t iterations);

/// From the first to the last byte of all iterations, at least one of them; no
/// bytes if there are no lanes.
struct ByteSpan {
  Address first = 0;
  Address end = 0;
};
ByteSpan SpanOf(const LaneList& list, std::int64_t iterations);

/// Whether the spans of the two have a byte in common. If not, no lane of `a`
/// shares one with a lane of `b`, and nothing need be listed.
bool SpansMeet(const LaneList& a, std::int64_t a_iterations, const LaneList& b,
               std::int64_t b_iterations);

/// Whether every lane of `a` is at the same address as in `b`.
bool Coincide(const LaneList& a, const LaneList& b, std::int64_t iteration);

// What follows needs lanes inside their memory.

/// Whether the lanes of `a`, in that many iterations, and those of `b` have a
/// byte in common: all of `a` are marked and all of `b` looked up.
bool ShareBytes(const LaneList& a, std::int64_t a_iterations, const LaneList& b,
                std::int64_t b_iterations);

/// Marks the lanes of one iteration, or removes their marks.
void MarkLanes(ByteMarks& marks, const LaneList& list, std::int64_t iteration);
void ClearLanes(ByteMarks& marks, const LaneList& list, std::int64_t iteration);
/// Whether a lane of the iteration has a marked byte.
bool AnyLane(const ByteMarks& marks, const LaneList& list,
             std::int64_t iteration);

/// The iteration's lanes as they are in memory, in their order; replaces what
/// `values` held.
void LoadLanes(std::span<const std::uint8_t> memory, const LaneList& list,
               std::int64_t iteration, std::vector<std::uint64_t>& values);

/// Writes one value for each lane.
void StoreLanes(std::span<std::uint8_t> memory, const LaneList& list,
                std::int64_t iteration,
                const std::vector<std::uint64_t>& values);

/// Appends the iteration's accesses, one for each run; what they have in common
/// is taken from `common`.
void AppendAccesses(const isa::Access& common, const LaneList& list,
                    std::int64_t iteration, std::vector<isa::Access>& accesses);

}  // namespace lanediff::oracle
