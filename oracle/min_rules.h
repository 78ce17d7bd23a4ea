#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/memories.h"
#include "isa/min.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/vector_lanes.h"

/// What a Min reads and writes, and the rules about it, stage by stage.
namespace lanediff::oracle {

/// The mask with which a call runs; of the count form none is used. Nothing
/// where a masked call names a number of lanes that no iteration has, and for
/// types of 8 bits, whose 256 lanes have more than the mask's bits.
std::optional<LaneMask> MaskOf(const isa::Min& call,
                               const LaneMask& mask_register);

/// MIN-ADDRESS, MIN-MASK-LANES. The count form is one iteration of as many
/// lanes as there are elements, contiguous.
struct MinListing {
  MinListing(const isa::Min& call, const LaneMask& mask);

  std::int64_t element_bytes;
  std::int64_t iterations = 0;
  std::vector<std::int64_t> lanes;  ///< of the masked forms, ascending
  LaneList dst, src0, src1;
};

/// The memory that holds all lanes of an operand; nothing where there is none.
struct MinHomes {
  std::optional<isa::Memory> dst, src0, src1;
};

/// Stage 1.
isa::RuleSet ParameterRules(const isa::Min& call, isa::Product product);

/// Stage 2, after a clean stage 1: MIN-BOUNDS.
bool IsOutOfBounds(const isa::Min& call, const MinListing& listing,
                   const isa::Memories& memories);

/// Stage 3: MIN-OVERLAP-*, between operands that have the same home.
isa::RuleSet OverlapRules(const isa::Min& call, const MinListing& listing,
                          const MinHomes& homes);

}  // namespace lanediff::oracle
