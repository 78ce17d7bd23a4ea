#pragma once

#include <cstdint>
#include <vector>

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

/// Runs a call that keeps the rules of stage 1, or returns the later rules that
/// forbid it.
isa::StepResult RunReduceSum(const ReduceSum& call, Oracle::State& state);

/// Runs the call whatever it breaks.
Extended RunReduceSumExtended(const ReduceSum& call, Oracle::State& state);

}  // namespace lanediff::oracle
