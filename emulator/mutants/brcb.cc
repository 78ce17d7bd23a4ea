// Brcb: all seams.

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::kBrcb;
using isa::Call;
using isa::DType;
using isa::Param;
using isa::Product;
using isa::RuleSet;
using Constant = std::span<const std::uint8_t>;
using Elements = emulator::BrcbElements;
using Plan = emulator::BrcbPlan;
using Seams = emulator::BrcbSeams;
using Ub = std::span<std::uint8_t>;

Table Rules() {
  return {
      kBroadcastRow("brcb-repeat-256-accepted", kRepeat,
                    "accepts repeatTime = 256")
          .MisreadBy([](Call& c) {
            if (c[Param::kRepeatTimes] == 256) c[Param::kRepeatTimes] = 255;
          }),
      kBroadcastRow("brcb-repeat-zero-refused", kRepeat,
                    "refuses repeatTime = 0")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c[Param::kRepeatTimes] == 0, c.Rule(kRepeat));
          }),
      kBroadcastRow("brcb-blk-stride-zero-as-one", kDstBlkStrideZero,
                    "takes dstBlkStride = 0 for 1",
                    "the pseudo-code of the page does")
          .Without<kDstBlkStrideZero>(),
      kBroadcastRow("brcb-rep-stride-8-bit", kStrideRange,
                    "refuses a dstRepStride of more than 8 bits",
                    "the width of most other instructions' strides")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.RepStride(0) > 255, c.Rule(kStrideRange));
          }),
      kBroadcastRow("brcb-stride-65536-accepted", kStrideRange,
                    "accepts dstRepStride = 65536")
          .MisreadBy([](Call& c) {
            if (c.RepStride(0) == 65536) c.RepStride(0) = 65535;
          }),
      kBroadcastRow("brcb-dst-align-16", kAlign,
                    "is content with a destination aligned to 16 bytes")
          .MisreadBy([](Call& c) { c.dst() = AlignedTo16(c.dst()); }),
      kBroadcastRow("brcb-src-align-16", kAlign,
                    "is content with a source aligned to 16 bytes",
                    "an iteration reads 16 bytes of a 16-bit type")
          .MisreadBy([](Call& c) { c.src(0) = AlignedTo16(c.src(0)); }),
      kBroadcastRow("brcb-product-200i-500-accepted", kProduct,
                    "takes atlas-200i-500-a2 for a product that has it")
          .ConfusedOn<Product::kAtlas200i500A2, Product::kAtlasA2>(),
      kBroadcastRow("brcb-bfloat16-on-aicore-accepted", kDtype,
                    "takes bfloat16 for a type of atlas-inference-aicore")
          .JudgedBy([](const Call& c, const emulator::State& s) {
            return Weakened(Real(c, s), c.Rule(kDtype),
                            c.dtype != DType::kBfloat16);
          }),
      kBroadcastRow("brcb-dtype-int8-accepted", kDtype,
                    "takes int8 for a supported type")
          .JudgedBy([](const Call& c, const emulator::State& s) {
            return Weakened(Real(c, s), c.Rule(kDtype),
                            c.dtype != DType::kInt8);
          }),
      kBroadcastRow("brcb-dtype-of-same-width-accepted", kDtypeMatch,
                    "accepts a src of another type of 16 bits",
                    "a check of sizes")
          .MisreadBy([](Call& c) {
            if (c.src(0).dtype &&
                emulator::ElementBytes(*c.src(0).dtype) == 2 &&
                emulator::ElementBytes(c.dtype) == 2) {
              c.src(0).dtype = std::nullopt;
            }
          }),
      kBroadcastRow("brcb-position-of-src-unchecked", kPosition,
                    "does not look at the position of src")
          .MisreadBy(
              [](Call& c) { c.src(0).position = isa::Position::kVecin; }),
      kBroadcastRow("brcb-bounds-first-block-only", kBounds,
                    "looks at the first DataBlock of each iteration")
          .WeakenedBy<kBounds>([](Call& c) {
            if (c.BlkStride(0) > 0) c.BlkStride(0) = 1;
          }),
      kBroadcastRow("brcb-bounds-next-repeat", kBounds,
                    "wants space for a stride behind the last iteration, too",
                    "n * stride for (n - 1) * stride + length")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(
                c[Param::kRepeatTimes] * c.RepStride(0) * 32 > c.dst().bytes,
                c.Rule(kBounds));
          }),
      kBroadcastRow("brcb-bounds-src-of-a-block", kBounds,
                    "wants 32 bytes of src for each iteration",
                    "operands are read in DataBlocks elsewhere")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c[Param::kRepeatTimes] * 32 > c.src(0).bytes,
                         c.Rule(kBounds));
          }),
      kBroadcastRow("brcb-in-place-accepted", kOverlap,
                    "accepts a dst that starts where src does",
                    "most other instructions work in place")
          .JudgedBy([](const Call& c, const emulator::State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlap),
                            c.src(0).at != c.dst().at);
          }),
      kBroadcastRow("brcb-overlap-first-iteration-only", kOverlap,
                    "looks at the first iteration's bytes only")
          .WeakenedBy<kOverlap>([](Call& c) {
            auto& times = c[Param::kRepeatTimes];
            times = std::min<std::int64_t>(times, 1);
          }),
      kBroadcastRow("brcb-overlap-bounding-box", kOverlap,
                    "takes a source between two DataBlocks for overlapping",
                    "a checker that compares address ranges, not bytes")
          .StricterOn<kOverlap>([](const Plan& p) {
            emulator::Extent dst = ExtentOf(p.dst);
            if (!dst.empty()) dst.end += 7 * p.dst_block_stride;
            return dst.Meets(ExtentOf(p.src));
          }),
      kBroadcastRow("brcb-overlap-touching", kOverlap,
                    "takes a dst right behind src for overlapping",
                    "<= for < in a comparison of ranges")
          .StricterOn<kOverlap>([](const Plan& p) {
            return Touch(ExtentOf(p.src), ExtentOf(p.dst));
          }),
  };
}

Table Plans() {
  return {
      kBroadcastRow("brcb-last-repeat-skipped", kAddress,
                    "leaves out the last iteration of several")
          .Planned([](Plan& p) {
            if (p.dst.count > 1) --p.dst.count;
          }),
      kBroadcastRow("brcb-rep-stride-ignored", kAddress,
                    "puts iterations side by side, whatever dstRepStride is")
          .Planned([](Plan& p) { p.dst.stride = 256; }),
      kBroadcastRow("brcb-rep-stride-from-tail", kAddress,
                    "counts dstRepStride from an iteration's tail")
          .Planned([](Plan& p) { p.dst.stride += 8 * p.dst_block_stride; }),
      kBroadcastRow("brcb-strides-swapped", kAddress,
                    "takes one stride for the other")
          .Planned(
              [](Plan& p) { std::swap(p.dst.stride, p.dst_block_stride); }),
      kBroadcastRow("brcb-src-in-blocks", kAddress,
                    "reads iterations of src 32 bytes apart",
                    "operands advance by DataBlocks elsewhere")
          .Planned([](Plan& p) { p.src.stride = 32; }),
      kBroadcastRow("brcb-iterations-reversed", kInOrder,
                    "runs the iterations from the last to the first")
          .Planned([](Plan& p) {
            for (auto* blocks : {&p.src, &p.dst}) {
              blocks->begin += (p.dst.count - 1) * blocks->stride;
              blocks->stride = -blocks->stride;
            }
          }),
  };
}

Mutant Read(const Label& label, emulator::BrcbKernel kernel) {
  return PlantedIn(&Seams::kernel, kernel, label);
}

Table Values() {
  return {
      Read(kBroadcastRow("brcb-first-element-everywhere", kValue,
                         "fills all DataBlocks with the first element",
                         "a broadcast of a scalar"),
           [](const Plan& p, std::int64_t r, Constant ub, Elements& out) {
             kBrcb.kernel(p, r, ub, out);
             out.fill(out[0]);
           }),
      Read(kBroadcastRow("brcb-elements-reversed", kValue,
                         "takes the elements from the last to the first"),
           [](const Plan& p, std::int64_t r, Constant ub, Elements& out) {
             kBrcb.kernel(p, r, ub, out);
             std::ranges::reverse(out);
           }),
      Read(kBroadcastRow("brcb-flushes-subnormals", kBits,
                         "loses bit patterns that are subnormal halves",
                         "a fill through floating-point registers"),
           [](const Plan& p, std::int64_t r, Constant ub, Elements& out) {
             kBrcb.kernel(p, r, ub, out);
             if (p.element_bytes != 2) return;
             for (std::uint64_t& bits : out) {
               bits = FlushedHalf(static_cast<std::uint16_t>(bits));
             }
           }),
      kBroadcastRow("brcb-16-bits-of-32", kBits,
                    "fills with the low half of a 32-bit element")
          .Written(
              [](const Plan& p, std::int64_t r, const Elements& in, Ub ub) {
                Elements low = in;
                for (std::uint64_t& bits : low)
                  bits = (bits & 0xffff) * 0x10001;
                kBrcb.write_back(p, r, p.element_bytes == 4 ? low : in, ub);
              }),
      kBroadcastRow("brcb-one-element-of-a-block", kValue,
                    "writes the first element of a DataBlock alone")
          .Written(
              [](const Plan& p, std::int64_t r, const Elements& in, Ub ub) {
                std::int64_t at = p.dst.begin + r * p.dst.stride;
                for (const std::uint64_t bits : in) {
                  if (p.element_bytes == 2) {
                    emulator::Store(ub, at, static_cast<std::uint16_t>(bits));
                  } else {
                    emulator::Store(ub, at, static_cast<std::uint32_t>(bits));
                  }
                  at += p.dst_block_stride;
                }
              }),
      kBroadcastRow("brcb-gaps-written", kAddress,
                    "fills the gaps between DataBlocks, too")
          .Written(
              [](const Plan& p, std::int64_t r, const Elements& in, Ub ub) {
                Plan gap = p;
                gap.dst.begin += p.dst_block_stride > 32 ? 32 : 0;
                kBrcb.write_back(gap, r, in, ub);
                kBrcb.write_back(p, r, in, ub);
              }),
      kBroadcastRow("brcb-vectors-half-a-block", kValue,
                    "vectors write 16 bytes of each DataBlock of 32 bits")
          .Computed([](const Plan& plan, Ub ub) {
            if (plan.element_bytes == 2) return RealVectors<Seams>(plan, ub);
            for (std::int64_t r = 0; r < plan.dst.count; ++r) {
              Elements in;
              kBrcb.kernel(plan, r, ub, in);
              std::array<std::array<std::uint8_t, 16>, 8> old;
              const auto at = [&](std::size_t i) {
                return plan.dst.begin + r * plan.dst.stride +
                       static_cast<std::int64_t>(i) * plan.dst_block_stride +
                       16;
              };
              for (std::size_t i = 0; i < 8; ++i) {
                emulator::LoadBytes(ub, at(i), old[i]);
              }
              kBrcb.write_back(plan, r, in, ub);
              for (std::size_t i = 0; i < 8; ++i) {
                emulator::StoreBytes(ub, at(i), old[i]);
              }
            }
            return emulator::Path::kContiguous;
          }),
      kBroadcastRow("brcb-vectors-last-iteration-lost", kAddress,
                    "vectors leave out the last iteration of several")
          .ComputedFrom([](Plan& p) {
            if (p.dst.count > 1) p.src.count = --p.dst.count;
          }),
      kBroadcastRow("brcb-vectors-first-iteration-only", kInOrder,
                    "vectors write the first of several iterations with "
                    "dstRepStride 0")
          .ComputedFrom([](Plan& p) {
            if (p.dst.stride == 0) p.src.count = p.dst.count = 1;
          }),
  };
}

}  // namespace

Table Broadcasts() { return Joined(Rules(), Plans(), Values()); }

}  // namespace lanediff::mutants
