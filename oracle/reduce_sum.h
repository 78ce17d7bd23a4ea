#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/memories.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/extended.h"
#include "oracle/lane_list.h"
#include "oracle/oracle.h"
#include "oracle/vector_lanes.h"
#include "oracle/vector_rules.h"

/// RepeatReduceSum and WholeReduceSum: each iteration sums the lanes of src
/// that take part and writes one element. The two differ in their masks, in
/// products and ranges, and in their rules' names.
namespace lanediff::oracle {

/// The names that their common rules have for one of them.
struct ReduceSumRules {
  isa::RuleId product;
  isa::RuleId dtype;
  isa::RuleId dtype_match;
  isa::RuleId position;
  isa::RuleId dst_align;
  isa::RuleId src_align;
  isa::RuleId repeat;
  isa::RuleId stride_range;
  isa::RuleId dst_rep_stride_zero;
  isa::RuleId bounds;
  isa::RuleId overlap_iteration;
  isa::RuleId overlap_dependency;
  isa::RuleId repeat_zero;
  isa::RuleId mask_empty;
};

/// One call of either.
struct ReduceSum {
  const ReduceSumRules& rules;
  isa::DType dtype;
  const isa::Operand& dst;
  const isa::Operand& src;
  MaskArgument mask;
  std::int64_t repeat;
  std::int64_t dst_rep_stride;  ///< in elements, the others in DataBlocks
  std::int64_t src_blk_stride;
  std::int64_t src_rep_stride;
};

/// *-ADDRESS: what a call reads and writes.
struct SumListing {
  SumListing(const ReduceSum& call, const LaneMask& mask);

  std::int64_t element_bytes;
  /// The lanes that take part, ascending; the same in each iteration. If there
  /// are none, nothing is read and nothing written.
  std::vector<std::int64_t> lanes;
  std::int64_t iterations;
  LaneList read;
  /// One element an iteration: dst.at + r·dstRepStride·sizeof(T).
  LaneList written;
};

// ---- The rules that the two have in common, stage by stage ------------------

/// Stage 1, but for the masks and what one of the two has to itself.
isa::RuleSet CommonParameterRules(const ReduceSum& call,
                                  std::span<const isa::Product> products,
                                  isa::Product product);

/// Stage 2, after a clean stage 1: *-BOUNDS.
bool IsOutOfBounds(const ReduceSum& call, const SumListing& listing,
                   isa::Memory dst, isa::Memory src,
                   const isa::Memories& memories);

/// Stage 3, for operands in the same memory and all lanes inside it:
/// *-OVERLAP-ITERATION, *-OVERLAP-DEPENDENCY.
isa::RuleSet OverlapRules(const ReduceSum& call, const SumListing& listing);

/// Of stages 2 and 3, those that the call breaks, each judged by itself.
isa::RuleSet AccessRulesBrokenAnywhere(const ReduceSum& call,
                                       const Oracle::State& state);

// ---- Running ----------------------------------------------------------------

/// Runs a call that keeps the rules of stage 1, or returns the later rules that
/// forbid it.
isa::StepResult RunReduceSum(const ReduceSum& call, Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunReduceSumExtended(const ReduceSum& call, Oracle::State& state);

}  // namespace lanediff::oracle
