#pragma once

#include <cstdint>

#include "emulator/address.h"
#include "emulator/elementwise.h"
#include "emulator/mask.h"
#include "emulator/state.h"
#include "isa/elementwise.h"

namespace lanediff::emulator {

inline VectorOperand OperandOf(std::int64_t at, std::int64_t blk_stride_blocks,
                               std::int64_t rep_stride_blocks) {
  return {.at = at,
          .block_stride = blk_stride_blocks * kBlockBytes,
          .repeat_stride = rep_stride_blocks * kBlockBytes};
}

/// Iterations of 256 bytes without gaps, the last one perhaps not full.
template <isa::Elementwise Call>
void LayOutCount(const Call& call, ElementwisePlan& plan) {
  const std::int64_t lanes = kIterationBytes / ElementBytes(call.dtype);
  plan.iterations = (call.count + lanes - 1) / lanes;
  plan.lanes = LaneMask::First(lanes);
  if (plan.iterations > 0) {
    plan.last_lanes =
        LaneMask::First(call.count - (plan.iterations - 1) * lanes);
  }
  plan.dst = OperandOf(call.dst.at, 1, kBlocksPerIteration);
  plan.src0 = OperandOf(call.src0.at, 1, kBlocksPerIteration);
  plan.src1 = OperandOf(call.src1.at, 1, kBlocksPerIteration);
}

template <isa::Elementwise Call>
void LayOutRepeats(const Call& call, const State& state,
                   ElementwisePlan& plan) {
  const LaneMask lanes = LanesOf(call, state);
  const isa::BinaryRepeatParams& p = call.repeat_params;
  plan.iterations = lanes.empty() ? 0 : call.repeat_times;
  plan.lanes = lanes;
  plan.last_lanes = lanes;
  plan.dst = OperandOf(call.dst.at, p.dst_blk_stride, p.dst_rep_stride);
  plan.src0 = OperandOf(call.src0.at, p.src0_blk_stride, p.src0_rep_stride);
  plan.src1 = OperandOf(call.src1.at, p.src1_blk_stride, p.src1_rep_stride);
}

/// The plain address plan.
template <isa::Elementwise Call>
ElementwisePlan PlanElementwise(const Call& call, const State& state) {
  ElementwisePlan plan;
  plan.dtype = call.dtype;
  plan.saturation = state.saturation;
  if (call.form == Call::kCount) {
    LayOutCount(call, plan);
  } else {
    LayOutRepeats(call, state, plan);
  }
  return plan;
}

}  // namespace lanediff::emulator
