#include "kernel/engine/carried_step.h"

#include <algorithm>
#include <cstdint>

#include "kernel/engine/operands.h"

namespace lanediff::kernel {
namespace {

isa::CarriedMask MaskOf(const CarriedPlan& plan) {
  constexpr std::uint64_t kOnes = ~std::uint64_t{0};
  isa::CarriedMask mask;
  mask.masked = plan.masked;
  mask.is_set_mask = !plan.reads_register;
  switch (plan.leaves) {
    case CarriedPlan::Leaves::kUnchanged:
      break;
    case CarriedPlan::Leaves::kOwnMask:
      mask.leaves = {plan.mask_low, plan.mask_high};
      break;
    case CarriedPlan::Leaves::kNormalAllOnes:
      mask.sets_normal = true;
      mask.leaves = {kOnes, kOnes};
      break;
    case CarriedPlan::Leaves::kAllOnes:
      mask.leaves = {kOnes, kOnes};
      break;
    case CarriedPlan::Leaves::kNormal:
      mask.sets_normal = true;
      break;
    case CarriedPlan::Leaves::kNormalUnknown:
      mask.sets_normal = true;
      mask.leaves_unknown = true;
      break;
    case CarriedPlan::Leaves::kUnknown:
      mask.leaves_unknown = true;
      break;
  }
  return mask;
}

/// Beyond its window at most one DataBlock of a touch is reported: a wrong
/// count makes its length arbitrary.
std::int64_t BytesOf(const Touch& touch, const CarriedOperand& operand) {
  constexpr std::int64_t kBeyond = 32;
  const std::int64_t end = std::max(operand.at + operand.window, touch.at);
  return std::min(touch.bytes, end - touch.at + kBeyond);
}

}  // namespace

isa::Carried StepOf(const CarriedCall& call, const CarriedPlan& plan) {
  isa::Carried step;
  step.name = call.call->name;
  step.pipe = plan.pipe;
  step.parameters = plan.parameters;
  step.mask = MaskOf(plan);
  // As docs/case-format.md has them.
  for (const CarriedPlan::Contents& one : plan.contents) {
    step.parameters.push_back(
        {(one.open ? "open contents of " : "contents of ") +
             std::string(isa::Name(one.operand)),
         one.text});
  }
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const CarriedOperand& one = call.operands[i];
    isa::CarriedOperand operand{
        .name = one.name,
        .operand = {one.position, one.at, one.window, TypeOf(one.dtype)}};
    if (i < plan.align.size()) operand.align = plan.align[i];
    step.operands.push_back(operand);
  }
  for (const Touch& touch : plan.reads) {
    step.reads.push_back({call.operands[touch.operand].memory, touch.at,
                          BytesOf(touch, call.operands[touch.operand]),
                          touch.iteration, call.operands[touch.operand].name});
  }
  for (const Touch& touch : plan.writes) {
    step.writes.push_back(
        {.memory = call.operands[touch.operand].memory,
         .at = touch.at,
         .bytes = {},
         .iteration = touch.iteration,
         .count = BytesOf(touch, call.operands[touch.operand]),
         .operand = call.operands[touch.operand].name});
  }
  return step;
}

}  // namespace lanediff::kernel
