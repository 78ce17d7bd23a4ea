#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/elementwise.h"
#include "isa/memory_map.h"
#include "isa/min.h"
#include "isa/rule.h"
#include "reports/trace/arithmetic.h"
#include "reports/trace/facts.h"
#include "reports/trace/lanes.h"
#include "reports/trace/portrait.h"

/// What is shown of a step of Min and its family; see
/// reports/trace/instructions.h.
namespace lanediff::view {

/// Whether an iteration reads a byte that an earlier one wrote.
bool ReadsWhatItWrote(const std::vector<isa::Access>& accesses);

/// Whether two iterations write the same byte.
bool WritesTwice(const std::vector<isa::Access>& accesses);

/// "no mask, count is 5".
std::string CountOrigin(std::int64_t count);

/// Min's page states less about writes outside the mask and the order of
/// iterations than the others: nothing on the count form, nothing on bytes
/// that are written twice.
template <class Tag>
bool Uses(const isa::ElementwiseCall<Tag>& call, isa::RuleId rule,
          const StepFacts& facts) {
  using rule_of = isa::ElementwiseRules<Tag>;
  constexpr bool kIsMin = std::same_as<Tag, isa::MinTag>;
  if (facts.accesses.empty()) return false;
  const bool masked = call.form != call.kCount;
  if (rule == rule_of::kMaskLanes) return masked && call.is_set_mask;
  if (rule == rule_of::kUnmasked) {
    if (masked) return HasMaskedLane(facts, "dst", call.dtype);
    return !kIsMin && call.dst.bytes / isa::SizeBytes(call.dtype) > call.count;
  }
  if (rule == rule_of::kInOrder) {
    return ReadsWhatItWrote(facts.accesses) ||
           (!kIsMin && WritesTwice(facts.accesses));
  }
  if (rule == rule_of::kIntegerOverflow) {
    return std::ranges::any_of(facts.nodes, LeavesItsType);
  }
  return true;
}

template <class Tag>
Portrait PortraitOf(const isa::ElementwiseCall<Tag>& call,
                    const StepFacts& facts) {
  const bool masked = call.form != call.kCount;
  Portrait portrait{
      .masked_operand = "dst",
      .dtype = call.dtype,
      .mask_origin = masked ? MaskOrigin(call, facts) : CountOrigin(call.count),
      .arithmetic = Arithmetic::kLanes};
  if (!masked) return portrait;
  const isa::BinaryRepeatParams& p = call.repeat_params;
  portrait.lanes = {
      {"src0", call.src0.at, p.src0_blk_stride, p.src0_rep_stride},
      {"src1", call.src1.at, p.src1_blk_stride, p.src1_rep_stride},
      {"dst", call.dst.at, p.dst_blk_stride, p.dst_rep_stride}};
  return portrait;
}

}  // namespace lanediff::view
