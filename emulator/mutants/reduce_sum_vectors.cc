// Sums: the seam of vectors, in the place of kernel and write-back.

#include <span>

#include "emulator/half.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants {
namespace {

using emulator::LaneMask;
using emulator::Path;
using Plan = emulator::ReduceSumPlan;
using Ub = std::span<std::uint8_t>;

template <class Call>
Path Real(const Plan& plan, Ub ub) {
  return (emulator::FastestSeams().*kReduceSumRow<Call>).vectors(plan, ub);
}

template <class Call>
Mutant Computed(const Label& label, emulator::ReduceSumVectors vectors) {
  return PlantedIn<Call>(&emulator::ReduceSumSeams<Call>::vectors, vectors,
                         label);
}

template <class Call>
Table Vectors() {
  using rule = ReduceSumRules<Call>;
  return {
      Computed<Call>(
          {"vectors-odd-repeats-lost", rule::kAddress,
           "vectors sum iterations in eights and leave out what is left "
           "of more than eight",
           "a loop over groups without its remainder"},
          [](const Plan& plan, Ub ub) {
            Plan other = plan;
            if (plan.repeats > 8) other.repeats -= plan.repeats % 8;
            return Real<Call>(other, ub);
          }),
      Computed<Call>(
          {"vectors-saturate-at-the-end", rule::kSaturate,
           "vectors saturate the sum instead of each node"},
          [](const Plan& plan, Ub ub) {
            Plan other = plan;
            other.saturation = false;
            const Path path = Real<Call>(other, ub);
            if (plan.dtype != isa::DType::kHalf || !plan.saturation) {
              return path;
            }
            for (std::int64_t r = 0; r < plan.repeats; ++r) {
              const std::int64_t at = plan.dst + r * plan.dst_repeat_stride;
              emulator::Store(ub, at,
                              emulator::SaturateHalf(
                                  emulator::Load<std::uint16_t>(ub, at)));
            }
            return path;
          }),
      Computed<Call>(
          {"vectors-whole-blocks", rule::kTree,
           "vectors sum every lane between the first and the last one "
           "that takes part",
           "a mask that is taken for a count"},
          [](const Plan& plan, Ub ub) {
            Plan other = plan;
            const LaneMask to = LaneMask::First(plan.lanes.Highest() + 1);
            const LaneMask from = LaneMask::First(plan.lanes.Lowest());
            other.lanes = {.low = to.low & ~from.low,
                           .high = to.high & ~from.high};
            return Real<Call>(other, ub);
          }),
      Computed<Call>(
          {"vectors-halves-summed-in-halves", rule::kTree,
           "vectors sum lanes 64 to 127 apart, the two words of the mask "
           "being one vector each, and keep the first sum only"},
          [](const Plan& plan, Ub ub) {
            Plan other = plan;
            if (plan.lanes.low != 0) other.lanes.high = 0;
            return Real<Call>(other, ub);
          }),
      Computed<Call>({"vectors-source-without-gaps", rule::kAddress,
                      "vectors read the blocks of an iteration side by side"},
                     [](const Plan& plan, Ub ub) {
                       Plan other = plan;
                       const bool fits =
                           plan.src +
                               (plan.repeats - 1) * plan.src_repeat_stride +
                               emulator::kIterationBytes <=
                           static_cast<std::int64_t>(ub.size());
                       if (fits) other.src_block_stride = emulator::kBlockBytes;
                       return Real<Call>(other, ub);
                     }),
  };
}

}  // namespace

Table ReduceSumVectorKernels() {
  return OfBothReduceSums([]<class Call>() { return Vectors<Call>(); });
}

}  // namespace lanediff::mutants
