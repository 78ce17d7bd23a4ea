// Sums: seams of write-back, and of vectors in the place of kernel and
// write-back.

#include <array>
#include <span>

#include "emulator/address.h"
#include "emulator/half.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants::reductions {
namespace {

using Ub = std::span<std::uint8_t>;
using emulator::Path;

void WriteReal(const Plan& plan, std::int64_t r, std::uint32_t bits, Ub ub) {
  emulator::WriteSum(plan, r, bits, ub);
}

}  // namespace

Table WriteBacks(const SumRow& row) {
  return {
      row("passed-through-not-saturated", isa::state::kSaturation,
          "writes an infinity that met no arithmetic as it is")
          .Written(
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                Plan plain = p;
                plain.saturation = false;
                WriteReal(plain, r, bits, ub);
              }),
      row("writes-whole-block", kAddress,
          "clears the rest of the DataBlock behind the element",
          "a store of the whole register")
          .Written([](const Plan& p, std::int64_t r, std::uint32_t bits,
                      Ub ub) {
            const std::int64_t at = p.dst + r * p.dst_repeat_stride;
            const std::int64_t rest = 32 - at % 32;
            std::array<std::uint8_t, 32> zeros{};
            emulator::StoreBytes(
                ub, at, std::span(zeros).first(static_cast<std::size_t>(rest)));
            WriteReal(p, r, bits, ub);
          }),
      row("half-written-as-32-bits", kAddress, "writes four bytes for a half")
          .Written(
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                WriteReal(p, r, bits, ub);
                const std::int64_t at = p.dst + r * p.dst_repeat_stride;
                if (p.dtype == DType::kHalf) {
                  emulator::Store(ub, at + 2, std::uint16_t{0});
                }
              }),
      row("byte-before-written", kAddress,
          "changes the byte before the element")
          .Written(
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                const std::int64_t at = p.dst + r * p.dst_repeat_stride;
                const auto old = emulator::Load<std::uint8_t>(ub, at - 1);
                emulator::Store(ub, at - 1, static_cast<std::uint8_t>(~old));
                WriteReal(p, r, bits, ub);
              }),
      row("nan-keeps-dst", isa::arith::kNan,
          "leaves what dst held where the sum is NaN",
          "a blend on an ordered comparison")
          .Written(
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                const bool half = p.dtype == DType::kHalf;
                const std::uint32_t infinity = half ? 0x7c00u : 0x7f800000u;
                const std::uint32_t magnitude = half ? 0x7fffu : 0x7fffffffu;
                if ((bits & magnitude) <= infinity) WriteReal(p, r, bits, ub);
              }),
  };
}

Table VectorKernels(const SumRow& row) {
  return {
      row("vectors-odd-repeats-lost", kAddress,
          "vectors sum iterations in eights and leave out what is left "
          "of more than eight",
          "a loop over groups without its remainder")
          .ComputedFrom([](Plan& p) {
            if (p.repeats > 8) p.repeats -= p.repeats % 8;
          }),
      row("vectors-saturate-at-the-end", kSaturate,
          "vectors saturate the sum instead of each node")
          .Where(!row.groups() && row.sums())
          .Computed([](const Plan& plan, Ub ub) {
            Plan other = plan;
            other.saturation = false;
            const Path path = RealVectors<emulator::ReduceSumSeams>(other, ub);
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
      row("vectors-whole-blocks", row.value(),
          "vectors sum every lane between the first and the last one "
          "that takes part",
          "a mask that is taken for a count")
          .ComputedFrom([](Plan& p) {
            const LaneMask to = LaneMask::First(p.lanes.Highest() + 1);
            const LaneMask from = LaneMask::First(p.lanes.Lowest());
            p.lanes = {.low = to.low & ~from.low, .high = to.high & ~from.high};
          }),
      row("vectors-halves-summed-in-halves", row.value(),
          "vectors sum lanes 64 to 127 apart, the two words of the mask "
          "being one vector each, and keep the first sum only")
          .ComputedFrom([](Plan& p) {
            if (p.lanes.low != 0) p.lanes.high = 0;
          }),
      row("vectors-source-without-gaps", kAddress,
          "vectors read the blocks of an iteration side by side")
          .ComputedFrom([](Plan& p, Ub ub) {
            const bool fits = p.src + (p.repeats - 1) * p.src_repeat_stride +
                                  emulator::kIterationBytes <=
                              static_cast<std::int64_t>(ub.size());
            if (fits) p.src_block_stride = emulator::kBlockBytes;
          }),
  };
}

}  // namespace lanediff::mutants::reductions
