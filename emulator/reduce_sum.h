#pragma once

#include <cstdint>
#include <span>

#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/step.h"

/// What RepeatReduceSum and WholeReduceSum have in common: which lanes they sum
/// is all that differs behind their parameters.
namespace lanediff::emulator {

/// Where a legal call reads and writes. Addresses and strides are bytes of the
/// Unified Buffer; iteration r starts at `src + r * src_repeat_stride`.
struct ReduceSumPlan {
  isa::DType dtype = isa::DType::kHalf;
  std::int64_t repeats = 0;
  LaneMask lanes;
  std::int64_t src = 0;
  std::int64_t src_block_stride = 0;
  std::int64_t src_repeat_stride = 0;
  std::int64_t dst = 0;
  std::int64_t dst_repeat_stride = 0;
  bool saturation = true;

  /// Whether nothing is read or written.
  bool empty() const { return repeats == 0 || lanes.empty(); }
};

/// The sum of one iteration, as bits of the element type. `lanes` is not empty.
using ReduceSumKernel = std::uint32_t (*)(const ReduceSumPlan& plan,
                                          std::int64_t iteration,
                                          std::span<const std::uint8_t> ub);

using ReduceSumWriteBack = void (*)(const ReduceSumPlan& plan,
                                    std::int64_t iteration, std::uint32_t bits,
                                    std::span<std::uint8_t> ub);

/// Kernel and write-back of all iterations at once, for a legal plan that has
/// iterations and lanes and whose source DataBlocks lie in `ub`. Never
/// `Path::kPlain`.
using ReduceSumVectors = Path (*)(const ReduceSumPlan& plan,
                                  std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
template <class Call>
struct ReduceSumSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const Call& call, const State& state);
  ReduceSumPlan (*plan)(const Call& call, const State& state);
  ReduceSumKernel half_kernel;
  ReduceSumKernel float_kernel;
  ReduceSumWriteBack write_back;
  /// In the place of kernel and write-back, where not null.
  ReduceSumVectors vectors = nullptr;
};

// ---- The plain implementation -----------------------------------------------

/// Strides as calls have them.
struct ReduceSumStrides {
  std::int64_t dst_rep_elements;
  std::int64_t src_blk_blocks;
  std::int64_t src_rep_blocks;
};

ReduceSumPlan PlanReduceSum(isa::DType type, const isa::Operand& dst,
                            const isa::Operand& src, std::int64_t repeats,
                            const LaneMask& lanes,
                            const ReduceSumStrides& strides, bool saturation);

/// The names that an instruction's rules of stages 2 and 3 have.
struct ReduceSumPlaceRules {
  isa::RuleId bounds;
  isa::RuleId overlap_iteration;
  isa::RuleId overlap_dependency;
};

/// What a call that passed stage 1 breaks in a Unified Buffer of `ub_bytes`.
isa::RuleSet BrokenPlaces(const ReduceSumPlan& plan, const isa::Operand& dst,
                          const isa::Operand& src, std::size_t ub_bytes,
                          const ReduceSumPlaceRules& rules);

/// Neighbours added level by level, over halves and over floats.
std::uint32_t TreeSumOfHalves(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub);
std::uint32_t TreeSumOfFloats(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub);

/// Writes one element, through saturation where that is on.
void WriteSum(const ReduceSumPlan& plan, std::int64_t iteration,
              std::uint32_t bits, std::span<std::uint8_t> ub);

/// Computes a plan that is not empty: with `vectors`, unless they are null or a
/// source DataBlock leaves `ub`, else iteration after iteration.
Path RunSums(const ReduceSumPlan& plan, ReduceSumKernel kernel,
             ReduceSumWriteBack write_back, ReduceSumVectors vectors,
             std::span<std::uint8_t> ub);

/// The plan of a legal `call`, which has been executed on `state`'s memories.
template <class Call>
ReduceSumPlan RunReduceSum(const Call& call, const ReduceSumSeams<Call>& seams,
                           State& state) {
  const ReduceSumPlan plan = seams.plan(call, state);
  if (!plan.empty()) {
    state.paths.Count(RunSums(
        plan,
        plan.dtype == isa::DType::kHalf ? seams.half_kernel
                                        : seams.float_kernel,
        seams.write_back, seams.vectors, state.memories[isa::Memory::kUb]));
  }
  return plan;
}

using RepeatReduceSumSeams = ReduceSumSeams<isa::RepeatReduceSum>;
using WholeReduceSumSeams = ReduceSumSeams<isa::WholeReduceSum>;

/// The plain implementations.
extern const RepeatReduceSumSeams kRepeatReduceSum;
extern const WholeReduceSumSeams kWholeReduceSum;

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::RepeatReduceSum& call,
                    const RepeatReduceSumSeams& seams, State& state);
isa::StepResult Run(const isa::WholeReduceSum& call,
                    const WholeReduceSumSeams& seams, State& state);

}  // namespace lanediff::emulator
