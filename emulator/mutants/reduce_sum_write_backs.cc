// Sums: seams of write-back, and of vectors in the place of kernel and
// write-back.

#include <array>
#include <span>

#include "emulator/address.h"
#include "emulator/half.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants {
namespace {

using isa::DType;
using Plan = emulator::ReduceSumPlan;
using Ub = std::span<std::uint8_t>;
using emulator::LaneMask;
using emulator::Path;

void WriteReal(const Plan& plan, std::int64_t r, std::uint32_t bits, Ub ub) {
  emulator::WriteSum(plan, r, bits, ub);
}

template <class Call>
Table WriteBacks() {
  using rule = ReduceSumRules<Call>;
  return {
      Written<Call>(
          {"passed-through-not-saturated", isa::state::kSaturation,
           "writes an infinity that met no arithmetic as it is"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            Plan plain = p;
            plain.saturation = false;
            WriteReal(plain, r, bits, ub);
          }),
      Written<Call>(
          {"writes-whole-block", rule::kAddress,
           "clears the rest of the DataBlock behind the element",
           "a store of the whole register"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            const std::int64_t at = p.dst + r * p.dst_repeat_stride;
            const std::int64_t rest = 32 - at % 32;
            std::array<std::uint8_t, 32> zeros{};
            emulator::StoreBytes(
                ub, at, std::span(zeros).first(static_cast<std::size_t>(rest)));
            WriteReal(p, r, bits, ub);
          }),
      Written<Call>(
          {"half-written-as-32-bits", rule::kAddress,
           "writes four bytes for a half"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            WriteReal(p, r, bits, ub);
            const std::int64_t at = p.dst + r * p.dst_repeat_stride;
            if (p.dtype == DType::kHalf) {
              emulator::Store(ub, at + 2, std::uint16_t{0});
            }
          }),
      Written<Call>(
          {"byte-before-written", rule::kAddress,
           "changes the byte before the element"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            const std::int64_t at = p.dst + r * p.dst_repeat_stride;
            const auto old = emulator::Load<std::uint8_t>(ub, at - 1);
            emulator::Store(ub, at - 1, static_cast<std::uint8_t>(~old));
            WriteReal(p, r, bits, ub);
          }),
      Written<Call>(
          {"nan-keeps-dst", isa::arith::kNan,
           "leaves what dst held where the sum is NaN",
           "a blend on an ordered comparison"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            const bool half = p.dtype == DType::kHalf;
            const std::uint32_t infinity = half ? 0x7c00u : 0x7f800000u;
            const std::uint32_t magnitude = half ? 0x7fffu : 0x7fffffffu;
            if ((bits & magnitude) <= infinity) WriteReal(p, r, bits, ub);
          }),
  };
}

template <class Call>
Table Vectors() {
  using rule = ReduceSumRules<Call>;
  return {
      ComputedFrom<Call>(
          {"vectors-odd-repeats-lost", rule::kAddress,
           "vectors sum iterations in eights and leave out what is left "
           "of more than eight",
           "a loop over groups without its remainder"},
          [](Plan& p) {
            if (p.repeats > 8) p.repeats -= p.repeats % 8;
          }),
      Computed<Call>(
          {"vectors-saturate-at-the-end", rule::kSaturate,
           "vectors saturate the sum instead of each node"},
          [](const Plan& plan, Ub ub) {
            Plan other = plan;
            other.saturation = false;
            const Path path = RealVectors<Call>(other, ub);
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
      ComputedFrom<Call>(
          {"vectors-whole-blocks", rule::kTree,
           "vectors sum every lane between the first and the last one "
           "that takes part",
           "a mask that is taken for a count"},
          [](Plan& p) {
            const LaneMask to = LaneMask::First(p.lanes.Highest() + 1);
            const LaneMask from = LaneMask::First(p.lanes.Lowest());
            p.lanes = {.low = to.low & ~from.low, .high = to.high & ~from.high};
          }),
      ComputedFrom<Call>(
          {"vectors-halves-summed-in-halves", rule::kTree,
           "vectors sum lanes 64 to 127 apart, the two words of the mask "
           "being one vector each, and keep the first sum only"},
          [](Plan& p) {
            if (p.lanes.low != 0) p.lanes.high = 0;
          }),
      ComputedFrom<Call>(
          {"vectors-source-without-gaps", rule::kAddress,
           "vectors read the blocks of an iteration side by side"},
          [](Plan& p, Ub ub) {
            const bool fits = p.src + (p.repeats - 1) * p.src_repeat_stride +
                                  emulator::kIterationBytes <=
                              static_cast<std::int64_t>(ub.size());
            if (fits) p.src_block_stride = emulator::kBlockBytes;
          }),
  };
}

}  // namespace

Table ReduceSumWriteBacks() {
  return OfBothReduceSums([]<class Call>() { return WriteBacks<Call>(); });
}

Table ReduceSumVectorKernels() {
  return OfBothReduceSums([]<class Call>() { return Vectors<Call>(); });
}

}  // namespace lanediff::mutants
