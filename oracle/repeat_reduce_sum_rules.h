#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/memories.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/vector_lanes.h"

/// What a RepeatReduceSum reads and writes, and the rules about it, stage by
/// stage.
namespace lanediff::oracle {

/// The mask with which a call runs. Nothing where it names a number of lanes
/// that no iteration has, and for types of 8 bits, whose 256 lanes have more
/// than the mask's bits.
std::optional<LaneMask> MaskOf(const isa::RepeatReduceSum& call,
                               const LaneMask& mask_register);

/// RRS-ADDRESS.
struct SumListing {
  SumListing(const isa::RepeatReduceSum& call, const LaneMask& mask);

  std::int64_t element_bytes;
  /// The lanes that take part, ascending; the same in each iteration. If there
  /// are none, nothing is read and nothing written.
  std::vector<std::int64_t> lanes;
  std::int64_t iterations;
  LaneList read;
  /// One element an iteration: dst.at + r·dstRepStride·sizeof(T).
  LaneList written;
};

/// Stage 1.
isa::RuleSet ParameterRules(const isa::RepeatReduceSum& call,
                            isa::Product product);

/// Stage 2, after a clean stage 1: RRS-BOUNDS.
bool IsOutOfBounds(const isa::RepeatReduceSum& call, const SumListing& listing,
                   isa::Memory dst, isa::Memory src,
                   const isa::Memories& memories);

// Stage 3, for operands in the same memory and all lanes inside it.

/// RRS-OVERLAP-ITERATION: some iteration's element shares a byte with the lanes
/// read and does not start where the lowest participating lane starts.
bool OverlapsWithinIteration(const SumListing& listing);

/// RRS-OVERLAP-DEPENDENCY: some iteration reads a byte that an earlier one
/// wrote.
bool DependsOnEarlierIteration(const SumListing& listing);

}  // namespace lanediff::oracle
