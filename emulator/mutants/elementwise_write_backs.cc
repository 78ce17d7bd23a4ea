// Element-wise calls: seams of write-back, and of vectors in the place of
// kernel and write-back.

#include <algorithm>
#include <span>
#include <vector>

#include "emulator/address.h"
#include "emulator/block_range.h"
#include "emulator/mutants/elementwise.h"

namespace lanediff::mutants {
namespace {

using emulator::ElementwiseLanes;
using Plan = emulator::ElementwisePlan;
using Ub = std::span<std::uint8_t>;
using emulator::kBlockBytes;
using emulator::kIterationBytes;
using emulator::LaneMask;
using emulator::Path;

/// The real write-back, the same for all calls.
void WriteReal(const Plan& plan, std::int64_t r, const ElementwiseLanes& lanes,
               Ub ub) {
  PlainRow<isa::Min>().write_back(plan, r, lanes, ub);
}

/// Calls `visit(byte offset in the result, address)` for each lane of an
/// iteration, taking part or not.
template <class Visit>
void EachLane(const Plan& plan, std::int64_t r, Visit visit) {
  const auto element = static_cast<int>(emulator::ElementBytes(plan.dtype));
  for (int block = 0; block < 8; ++block) {
    for (int byte = 0; byte < 32; byte += element) {
      visit(block * 32 + byte, plan.dst.BlockAt(r, block) + byte);
    }
  }
}

bool TakesPart(const Plan& plan, std::int64_t r, int offset) {
  const auto lane =
      static_cast<int>(offset / emulator::ElementBytes(plan.dtype));
  return plan.LanesOf(r).Slice(lane, 1) != 0;
}

template <class Call>
Table WriteBacks() {
  using rule = RulesOf<Call>;
  return {
      Written<Call>({"unmasked-lanes-zeroed", rule::kUnmasked,
                     "writes 0 to the lanes that take no part",
                     "zeroing instead of merging masking"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      EachLane(p, r, [&](int offset, std::int64_t at) {
                        if (TakesPart(p, r, offset)) return;
                        const auto element = emulator::ElementBytes(p.dtype);
                        for (std::int64_t byte = 0; byte < element; ++byte) {
                          emulator::Store(ub, at + byte, std::uint8_t{0});
                        }
                      });
                      WriteReal(p, r, lanes, ub);
                    }),
      Written<Call>({"byte-behind-written", rule::kUnmasked,
                     "changes the byte behind the last lane of an iteration"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      WriteReal(p, r, lanes, ub);
                      std::int64_t behind = -1;
                      EachLane(p, r, [&](int offset, std::int64_t at) {
                        if (!TakesPart(p, r, offset)) return;
                        behind = at + emulator::ElementBytes(p.dtype);
                      });
                      const auto old = emulator::Load<std::uint8_t>(ub, behind);
                      emulator::Store(ub, behind,
                                      static_cast<std::uint8_t>(~old));
                    }),
      Written<Call>({"full-mask-last-lane-lost", rule::kMaskLanes,
                     "never writes lane 127 of 16-bit types",
                     "(1 << n) - 1 built in a type that is too narrow"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      Plan fewer = p;
                      constexpr std::uint64_t kAllButLast =
                          ~std::uint64_t{0} >> 1;
                      fewer.lanes.high &= kAllButLast;
                      fewer.last_lanes.high &= kAllButLast;
                      WriteReal(fewer, r, lanes, ub);
                    }),
      Written<Call>({"last-iteration-not-written", rule::kAddress,
                     "never writes the last of several iterations",
                     "a store that waits for the next one"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      if (r == 0 || r + 1 < p.iterations)
                        WriteReal(p, r, lanes, ub);
                    }),
  };
}

/// Accumulates into dst by `Keep`, a function that takes one of two.
template <class Call, auto Keep>
Mutant Accumulated(const Label& label) {
  return Written<Call>(label, [](const Plan& p, std::int64_t r,
                                 const ElementwiseLanes& lanes, Ub ub) {
    if (p.dtype != isa::DType::kInt32) {
      WriteReal(p, r, lanes, ub);
      return;
    }
    EachLane(p, r, [&](int offset, std::int64_t at) {
      if (!TakesPart(p, r, offset)) return;
      const auto now = emulator::Load<std::int32_t>(lanes, offset);
      const auto old = emulator::Load<std::int32_t>(ub, at);
      emulator::Store(ub, at, Keep(now, old));
    });
  });
}

std::int32_t Smaller(std::int32_t a, std::int32_t b) { return std::min(a, b); }
std::int32_t Larger(std::int32_t a, std::int32_t b) { return std::max(a, b); }

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
      ComputedFrom<Call>(
          {"vectors-write-whole-blocks", rule::kUnmasked,
           "vectors write every lane of a DataBlock that takes part",
           "a masked store that lost its mask"},
          [](Plan& p) {
            p.lanes = WholeBlocks(p.lanes, p.dtype);
            p.last_lanes = WholeBlocks(p.last_lanes, p.dtype);
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
                                         : RealVectors<Call>(other, ub);
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
      ComputedFrom<Call>(
          {"vectors-contiguous-by-blocks", rule::kAddress,
           "vectors take sources without gaps inside an iteration for "
           "contiguous ones"},
          [](Plan& p, Ub ub) {
            for (auto* source : {&p.src0, &p.src1}) {
              const bool inside = source->at + p.iterations * kIterationBytes <=
                                  static_cast<std::int64_t>(ub.size());
              if (source->block_stride == kBlockBytes && inside) {
                source->repeat_stride = kIterationBytes;
              }
            }
          }),
      ComputedFrom<Call>({"vectors-never-saturate", rule::kValue,
                          "vectors keep infinity and NaN in saturation mode"},
                         [](Plan& p) { p.saturation = false; }),
  };
}

/// Of calls that give one of their operands.
template <class Call>
Table OfOneOfTwo() {
  using rule = RulesOf<Call>;
  return {
      ComputedFrom<Call>({"vectors-floats-by-bits", rule::kValue,
                          "vectors compare floats as integers",
                          "an order that holds for what is not negative"},
                         [](Plan& p) {
                           if (p.dtype == isa::DType::kFloat) {
                             p.dtype = isa::DType::kInt32;
                           }
                         }),
  };
}

/// Of calls that give a result of their own.
template <class Call>
Table OfResults() {
  using rule = RulesOf<Call>;
  return {
      ComputedFrom<Call>({"vectors-always-saturate", rule::kIntegerOverflow,
                          "vectors saturate integers with the mode off, too",
                          "an instruction that knows no other way"},
                         [](Plan& p) {
                           p.saturation = p.saturation ||
                                          p.dtype == isa::DType::kInt16 ||
                                          p.dtype == isa::DType::kInt32;
                         }),
      ComputedFrom<Call>(
          {"vectors-wrap-int32", rule::kIntegerOverflow,
           "vectors keep the low bits of int32 in saturation mode",
           "saturating instructions stop at 16 bits"},
          [](Plan& p) {
            p.saturation = p.saturation && p.dtype != isa::DType::kInt32;
          }),
  };
}

}  // namespace

Table ElementwiseWriteBacks() {
  return Joined(
      OfEachElementwise([]<class Call>() { return WriteBacks<Call>(); }),
      Table{Accumulated<isa::Min, Smaller>(
                {"smaller-than-dst-only", isa::min::kValue,
                 "writes only where the result is below what dst held",
                 "an accumulating minimum"}),
            Accumulated<isa::Max, Larger>(
                {"larger-than-dst-only", isa::max::kValue,
                 "writes only where the result is above what dst held",
                 "an accumulating maximum"})});
}

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
