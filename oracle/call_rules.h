#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/call.h"
#include "isa/memories.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/extended.h"
#include "oracle/lane_list.h"
#include "oracle/oracle.h"
#include "oracle/vector_lanes.h"

/// What lane-wise calls and reductions read and write, and transposes; the
/// rules of the first two, stage by stage. They are the same for all of a
/// family, but for their names and the limits.
namespace lanediff::oracle {

inline bool Reduces(const isa::Call& call) {
  return call.Is(isa::Family::kReduction);
}

/// Of an iteration: as many as 256 bytes have elements of the widest operand.
std::int64_t LanesEach(const isa::Call& call);

/// Of how many lanes a reduction makes one result: 256 bytes, 32, or two.
std::int64_t LanesOfResult(const isa::Call& call);

/// Of a call with an order: the bytes that an iteration writes.
std::int64_t OrderedBytes(const isa::Call& call);

/// *-ADDRESS, *-MASK-LANES. The count form is one iteration of as many lanes as
/// there are elements, contiguous. A reduction writes the results of iteration
/// r side by side from dst.at + r·dstRepStride·n·sizeof(T) on, where n is how
/// many an iteration has; their numbers are dst's lanes. *-UNMASKED: a result
/// of no lane is written on Atlas 200I/500 A2 alone. With an order the elements
/// that it names stand for results. VT-ADDRESS: a transpose
/// has a matrix of 512 bytes an iteration, as 256 lanes, head to head in units
/// of 512 bytes. SELECT-ADDRESS: a
/// byte of selMask is read where it has a bit of a lane that takes part.
/// BRCB-ADDRESS: eight elements of src, without gaps, and all
/// lanes of dst.
struct CallListing {
  CallListing(const isa::Call& call, const Oracle::State& state);

  /// With which a masked call runs, if there is such a mask; the count form's
  /// is not used.
  std::optional<LaneMask> mask;
  std::vector<std::int64_t> lanes;    ///< of the masked forms, ascending
  std::vector<std::int64_t> results;  ///< that a reduction writes, ascending
  std::int64_t iterations = 0;        ///< none without a mask
  /// Dst first.
  std::array<LaneList, isa::Call::kMostOperands> operands;
  /// Behind the operands' positions; nothing where there is none.
  std::array<std::optional<isa::Memory>, isa::Call::kMostOperands> memories;
};

/// The operands' lanes, which stay in `listing`.
std::vector<LanesOfOperand> LanesOf(const isa::Call& call,
                                    const CallListing& listing);

/// Appends what iteration `r` reads, and then what it writes, of operands that
/// have memories.
void ListAccesses(const isa::Call& call, const CallListing& listing,
                  std::int64_t r, std::vector<isa::Access>& accesses);

// ---- The stages, each after a clean one before ------------------------------

isa::RuleSet ParameterRules(const isa::Call& call, const Oracle::State& state);

/// *-BOUNDS.
bool IsOutOfBounds(const isa::Call& call, const CallListing& listing,
                   const isa::Memories& memories);

/// *-OVERLAP-*, between operands in the same memory. It holds all their
/// lanes.
isa::RuleSet OverlapRules(const isa::Call& call, const CallListing& listing);

/// *-BOUNDS of all operands, each as far as it has an answer.
bool BreaksBounds(const isa::Call& call,
                  const std::vector<LanesOfOperand>& lanes,
                  std::int64_t iterations, const isa::Memories& memories);
/// Each rule by itself.
isa::RuleSet LaneRulesAnywhere(const isa::Call& call,
                               const Oracle::State& state);

}  // namespace lanediff::oracle
