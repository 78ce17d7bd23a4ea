#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>

#include "emulator/address.h"
#include "emulator/mask.h"
#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/elementwise_calls.h"
#include "isa/step.h"

/// Min, Max, Add, Sub, Mul: what they compute is in elementwise_values.h, all
/// else they have in common.
namespace lanediff::emulator {

/// Where a call that passes stage 1 reads and writes, in bytes of the Unified
/// Buffer. The count form is laid out as iterations without gaps.
struct ElementwisePlan {
  isa::DType dtype = isa::DType::kHalf;
  std::int64_t iterations = 0;  // 0 where nothing is read or written
  LaneMask lanes;               // of all iterations but the last
  LaneMask last_lanes;
  VectorOperand dst;
  VectorOperand src0;
  VectorOperand src1;
  bool saturation = true;

  const LaneMask& LanesOf(std::int64_t iteration) const {
    return iteration + 1 < iterations ? lanes : last_lanes;
  }
};

/// The results of one iteration, block after block; only the lanes that take
/// part mean something.
using ElementwiseLanes = std::array<std::uint8_t, kIterationBytes>;

/// Fills `result` for the lanes that take part in `iteration`.
using ElementwiseKernel = void (*)(const ElementwisePlan& plan,
                                   std::int64_t iteration,
                                   std::span<const std::uint8_t> ub,
                                   ElementwiseLanes& result);

using ElementwiseWriteBack = void (*)(const ElementwisePlan& plan,
                                      std::int64_t iteration,
                                      const ElementwiseLanes& result,
                                      std::span<std::uint8_t> ub);

/// Kernel and write-back of all iterations at once, for a legal plan that has
/// iterations and lanes and whose DataBlocks lie in `ub`. Never `Path::kPlain`.
using ElementwiseVectors = Path (*)(const ElementwisePlan& plan,
                                    std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
template <isa::Elementwise Call>
struct ElementwiseSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const Call& call, const State& state);
  ElementwisePlan (*plan)(const Call& call, const State& state);
  ElementwiseKernel half_kernel;
  ElementwiseKernel float_kernel;
  ElementwiseKernel int16_kernel;
  ElementwiseKernel int32_kernel;
  ElementwiseWriteBack write_back;
  /// In the place of kernel and write-back, where not null.
  ElementwiseVectors vectors = nullptr;

  /// The kernel of a type that the call has.
  ElementwiseKernel KernelOf(isa::DType type) const {
    switch (type) {
      case isa::DType::kHalf:
        return half_kernel;
      case isa::DType::kInt16:
        return int16_kernel;
      case isa::DType::kInt32:
        return int32_kernel;
      default:
        return float_kernel;
    }
  }
};

template <class... Calls>
using ElementwiseRowsFor = std::tuple<ElementwiseSeams<Calls>...>;
/// A row of seams for each element-wise call among the steps.
using ElementwiseRows = isa::ElementwiseCalls<ElementwiseRowsFor>;

/// The plain implementation.
extern const ElementwiseRows kElementwise;

/// The row of `Call` in `rows`.
template <isa::Elementwise Call>
const ElementwiseSeams<Call>& RowOf(const ElementwiseRows& rows) {
  return std::get<ElementwiseSeams<Call>>(rows);
}
template <isa::Elementwise Call>
ElementwiseSeams<Call>& RowOf(ElementwiseRows& rows) {
  return std::get<ElementwiseSeams<Call>>(rows);
}

/// Computes a plan that has iterations: with `vectors`, unless they are null or
/// a DataBlock leaves `ub`, else iteration after iteration.
Path RunIterations(const ElementwisePlan& plan, ElementwiseKernel kernel,
                   ElementwiseWriteBack write_back, ElementwiseVectors vectors,
                   std::span<std::uint8_t> ub);

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
template <class Tag>
isa::StepResult Run(const isa::ElementwiseCall<Tag>& call,
                    const ElementwiseSeams<isa::ElementwiseCall<Tag>>& seams,
                    State& state) {
  using rule = isa::ElementwiseRules<Tag>;
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const ElementwisePlan plan = seams.plan(call, state);
  if (plan.iterations > 0) {
    state.paths.Count(RunIterations(plan, seams.KernelOf(plan.dtype),
                                    seams.write_back, seams.vectors,
                                    state.memories[isa::Memory::kUb]));
  }

  if (call.form != call.kCount) {
    // Without isSetMask this leaves the register as it is.
    state.mask_register = MaskOf(call, state);
  } else if (call.count > 0) {
    state.mask_register = LaneMask::First(128);
    state.counter_mode = false;
    result.notes.Add(rule::kClobbersMask);
  }
  result.notes.AddIf(plan.iterations == 0, rule::kNop);
  return result;
}

}  // namespace lanediff::emulator
