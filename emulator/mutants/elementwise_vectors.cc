// Element-wise calls: the seam of vectors, in the place of kernel and
// write-back.

#include <algorithm>
#include <span>
#include <vector>

#include "emulator/block_range.h"
#include "emulator/mutants/elementwise.h"

namespace lanediff::mutants {
namespace {

using emulator::kBlockBytes;
using emulator::kIterationBytes;
using emulator::LaneMask;
using emulator::Path;
using Plan = emulator::ElementwisePlan;
using Ub = std::span<std::uint8_t>;

template <class Call>
Path Real(const Plan& plan, Ub ub) {
  return emulator::RowOf<Call>(emulator::FastestSeams().elementwise)
      .vectors(plan, ub);
}

template <class Call>
Mutant Computed(const Label& label, emulator::ElementwiseVectors vectors) {
  return PlantedIn<Call>(&emulator::ElementwiseSeams<Call>::vectors, vectors,
                         label);
}

/// `lanes` and those beside them in the same DataBlocks.
LaneMask WholeBlocks(const LaneMask& lanes, isa::DType type) {
  const auto per_block =
      static_cast<int>(kBlockBytes / emulator::ElementBytes(type));
  const std::uint64_t block = (std::uint64_t{1} << per_block) - 1;
  LaneMask whole;
  for (int first = 0; first < emulator::kBlocksPerIteration * per_block;
       first += per_block) {
    if (lanes.Slice(first, per_block) == 0) continue;
    (first < 64 ? whole.low : whole.high) |= block << (first % 64);
  }
  return whole;
}

template <class Call>
Table Common() {
  using rule = RulesOf<Call>;
  return {
      Computed<Call>({"vectors-write-whole-blocks", rule::kUnmasked,
                      "vectors write every lane of a DataBlock that takes part",
                      "a masked store that lost its mask"},
                     [](const Plan& plan, Ub ub) {
                       Plan other = plan;
                       other.lanes = WholeBlocks(plan.lanes, plan.dtype);
                       other.last_lanes =
                           WholeBlocks(plan.last_lanes, plan.dtype);
                       return Real<Call>(other, ub);
                     }),
      Computed<Call>(
          {"vectors-last-lanes-lost", rule::kAddress,
           "vectors leave out the last iteration of the count form if it "
           "is not whole",
           "a loop over whole vectors without its remainder"},
          [](const Plan& plan, Ub ub) {
            Plan other = plan;
            other.iterations -= plan.lanes == plan.last_lanes ? 0 : 1;
            return other.iterations == 0 ? Path::kMasked
                                         : Real<Call>(other, ub);
          }),
      Computed<Call>(
          {"vectors-read-before-all-writes", rule::kInOrder,
           "vectors compute every iteration before they write one",
           "loads hoisted out of the loop"},
          [](const Plan& plan, Ub ub) {
            const auto count = static_cast<std::size_t>(plan.iterations);
            std::vector<emulator::ElementwiseLanes> lanes(count);
            const auto& row = PlainRow<Call>();
            for (std::size_t r = 0; r < count; ++r) {
              row.KernelOf(plan.dtype)(plan, static_cast<std::int64_t>(r), ub,
                                       lanes[r]);
            }
            for (std::size_t r = 0; r < count; ++r) {
              row.write_back(plan, static_cast<std::int64_t>(r), lanes[r], ub);
            }
            return Path::kStrided;
          }),
      Computed<Call>(
          {"vectors-contiguous-by-blocks", rule::kAddress,
           "vectors take sources without gaps inside an iteration for "
           "contiguous ones"},
          [](const Plan& plan, Ub ub) {
            Plan other = plan;
            for (auto* source : {&other.src0, &other.src1}) {
              const bool inside =
                  source->at + plan.iterations * kIterationBytes <=
                  static_cast<std::int64_t>(ub.size());
              if (source->block_stride == kBlockBytes && inside) {
                source->repeat_stride = kIterationBytes;
              }
            }
            return Real<Call>(other, ub);
          }),
      Computed<Call>({"vectors-never-saturate", rule::kValue,
                      "vectors keep infinity and NaN in saturation mode"},
                     [](const Plan& plan, Ub ub) {
                       Plan other = plan;
                       other.saturation = false;
                       return Real<Call>(other, ub);
                     }),
  };
}

/// Of calls that give one of their operands.
template <class Call>
Table OfOneOfTwo() {
  using rule = RulesOf<Call>;
  return {
      Computed<Call>({"vectors-floats-by-bits", rule::kValue,
                      "vectors compare floats as integers",
                      "an order that holds for what is not negative"},
                     [](const Plan& plan, Ub ub) {
                       Plan other = plan;
                       if (plan.dtype == isa::DType::kFloat) {
                         other.dtype = isa::DType::kInt32;
                       }
                       return Real<Call>(other, ub);
                     }),
  };
}

/// Of calls that give a result of their own.
template <class Call>
Table OfResults() {
  using rule = RulesOf<Call>;
  return {
      Computed<Call>({"vectors-always-saturate", rule::kIntegerOverflow,
                      "vectors saturate integers with the mode off, too",
                      "an instruction that knows no other way"},
                     [](const Plan& plan, Ub ub) {
                       Plan other = plan;
                       other.saturation = plan.saturation ||
                                          plan.dtype == isa::DType::kInt16 ||
                                          plan.dtype == isa::DType::kInt32;
                       return Real<Call>(other, ub);
                     }),
      Computed<Call>({"vectors-wrap-int32", rule::kIntegerOverflow,
                      "vectors keep the low bits of int32 in saturation mode",
                      "saturating instructions stop at 16 bits"},
                     [](const Plan& plan, Ub ub) {
                       Plan other = plan;
                       other.saturation =
                           plan.saturation && plan.dtype != isa::DType::kInt32;
                       return Real<Call>(other, ub);
                     }),
  };
}

}  // namespace

Table ElementwiseVectorKernels() {
  return OfEachElementwise([]<class Call>() {
    if constexpr (kGivesOneOfTwo<Call>) {
      return Joined(Common<Call>(), OfOneOfTwo<Call>());
    } else {
      return Joined(Common<Call>(), OfResults<Call>());
    }
  });
}

}  // namespace lanediff::mutants
