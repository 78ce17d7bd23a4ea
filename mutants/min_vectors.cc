// Min: the seam of vectors, in the place of kernel and write-back.

#include <algorithm>
#include <span>
#include <vector>

#include "emulator/block_range.h"
#include "mutants/plant.h"
#include "mutants/rooms.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::min;
using emulator::kBlockBytes;
using emulator::kIterationBytes;
using emulator::kMin;
using emulator::LaneMask;
using emulator::Path;
using Plan = emulator::MinPlan;
using Ub = std::span<std::uint8_t>;

Path Real(const Plan& plan, Ub ub) {
  return emulator::FastestSeams().min.vectors(plan, ub);
}

Mutant Computed(const Label& label, emulator::MinVectors vectors) {
  return Plant(isa::Min::kRoom, &emulator::Seams::min,
               &emulator::MinSeams::vectors, vectors, label);
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

/// The kernel for the type of `plan`, element by element.
emulator::MinKernel KernelOf(const Plan& plan) {
  switch (plan.dtype) {
    case isa::DType::kHalf:
      return kMin.half_kernel;
    case isa::DType::kInt16:
      return kMin.int16_kernel;
    case isa::DType::kInt32:
      return kMin.int32_kernel;
    default:
      return kMin.float_kernel;
  }
}

}  // namespace

Table MinVectorKernels() {
  return {
      Computed({"min-vectors-write-whole-blocks", rule::kUnmasked,
                "vectors write every lane of a DataBlock that takes part",
                "a masked store that lost its mask"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 other.lanes = WholeBlocks(plan.lanes, plan.dtype);
                 other.last_lanes = WholeBlocks(plan.last_lanes, plan.dtype);
                 return Real(other, ub);
               }),
      Computed({"min-vectors-last-lanes-lost", rule::kAddress,
                "vectors leave out the last iteration of the count form if it "
                "is not whole",
                "a loop over whole vectors without its remainder"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 other.iterations -= plan.lanes == plan.last_lanes ? 0 : 1;
                 return other.iterations == 0 ? Path::kMasked : Real(other, ub);
               }),
      Computed(
          {"min-vectors-read-before-all-writes", rule::kInOrder,
           "vectors compute every iteration before they write one",
           "loads hoisted out of the loop"},
          [](const Plan& plan, Ub ub) {
            const auto count = static_cast<std::size_t>(plan.iterations);
            std::vector<emulator::MinLanes> lanes(count);
            for (std::size_t r = 0; r < count; ++r) {
              KernelOf(plan)(plan, static_cast<std::int64_t>(r), ub, lanes[r]);
            }
            for (std::size_t r = 0; r < count; ++r) {
              kMin.write_back(plan, static_cast<std::int64_t>(r), lanes[r], ub);
            }
            return Path::kStrided;
          }),
      Computed({"min-vectors-contiguous-by-blocks", rule::kAddress,
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
                 return Real(other, ub);
               }),
      Computed({"min-vectors-floats-by-bits", rule::kValue,
                "vectors compare floats as integers",
                "an order that holds for what is not negative"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 if (plan.dtype == isa::DType::kFloat) {
                   other.dtype = isa::DType::kInt32;
                 }
                 return Real(other, ub);
               }),
      Computed({"min-vectors-never-saturate", rule::kValue,
                "vectors keep infinity and NaN in saturation mode"},
               [](const Plan& plan, Ub ub) {
                 Plan other = plan;
                 other.saturation = false;
                 return Real(other, ub);
               }),
  };
}

}  // namespace lanediff::mutants
