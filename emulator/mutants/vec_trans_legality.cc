// vec_trans: seams of legality.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::State;
using isa::Call;
using isa::DType;
using isa::Param;
using isa::Position;
using isa::Product;
using isa::RuleSet;
using Plan = emulator::VecTransPlan;

Table Overlaps() {
  return {
      kTransposeRow("vt-overlap-first-iteration-only", kOverlap,
                    "looks at the first iteration's blocks only")
          .WeakenedBy<kOverlap>([](Call& c) {
            auto& times = c[Param::kRepeatTimes];
            times = std::min<std::int64_t>(times, 1);
          }),
      kTransposeRow(
          "vt-overlap-same-start-accepted", kOverlap,
          "takes every call that starts in place for one that stays there")
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlap),
                            c.src(0).at != c.dst().at);
          }),
      kTransposeRow(
          "vt-overlap-bounding-box", kOverlap,
          "takes blocks between the other side's blocks for overlapping",
          "a checker that compares address ranges, not bytes")
          .StricterOn<kOverlap>([](const Plan& p) {
            return p.src.begin != p.dst.begin &&
                   ExtentOf(p.src).Meets(ExtentOf(p.dst));
          }),
      kTransposeRow(
          "vt-overlap-touching", kOverlap,
          "takes a destination right behind the source for overlapping",
          "<= for < in a comparison of ranges")
          .StricterOn<kOverlap>([](const Plan& p) {
            return Touch(ExtentOf(p.src), ExtentOf(p.dst));
          }),
      kTransposeRow("vt-in-place-refused", kOverlap, "refuses to work in place")
          .StricterOn<kOverlap>(
              [](const Plan& p) { return p.src.begin == p.dst.begin; }),
  };
}

Table Ranges() {
  return {
      kTransposeRow("vt-repeat-4096-accepted", kRepeat,
                    "accepts repeat_times = 4096")
          .MisreadBy([](Call& c) {
            if (c[Param::kRepeatTimes] == 4096) c[Param::kRepeatTimes] = 4095;
          }),
      kTransposeRow("vt-repeat-zero-accepted", kRepeat,
                    "accepts repeat_times = 0",
                    "0 is allowed by the other instructions")
          .MisreadBy([](Call& c) {
            if (c[Param::kRepeatTimes] == 0) c[Param::kRepeatTimes] = 1;
          }),
      kTransposeRow("vt-src-stride-4096-accepted", kSrcStride,
                    "accepts src_rep_stride = 4096")
          .MisreadBy([](Call& c) {
            auto& stride = c[Param::kSrc0RepStride];
            if (stride == 4096) stride = 4095;
          }),
      kTransposeRow("vt-dst-stride-zero-refused", kDstStride,
                    "refuses dst_rep_stride = 0")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.RepStride(0) == 0, c.Rule(kDstStride));
          }),
      kTransposeRow("vt-dst-align-16", kAlign,
                    "is content with a destination aligned to 16 bytes")
          .MisreadBy([](Call& c) { c.dst() = AlignedTo16(c.dst()); }),
      kTransposeRow("vt-bounds-next-repeat", kBounds,
                    "wants space for a stride behind the last block, too",
                    "n * stride for (n - 1) * stride + length")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(
                c[Param::kRepeatTimes] * c.RepStride(1) * 512 > c.src(0).bytes,
                c.Rule(kBounds));
          }),
      kTransposeRow("vt-product-a3-accepted", kProduct,
                    "takes atlas-a3 for a product that has the instruction")
          .ConfusedOn<Product::kAtlasA3, Product::kAtlasA2>(),
      kTransposeRow("vt-dtype-int32-accepted", kDtype,
                    "takes int32 for a supported type")
          .MisreadBy([](Call& c) {
            if (c.dtype == DType::kInt32) c.dtype = DType::kInt16;
          }),
      kTransposeRow("vt-dtype-of-same-width-accepted", kDtypeMatch,
                    "accepts a dst of another 16-bit type", "a check of sizes")
          .MisreadBy([](Call& c) {
            if (c.dst().dtype && emulator::ElementBytes(*c.dst().dtype) == 2) {
              c.dst().dtype = std::nullopt;
            }
          }),
      kTransposeRow("vt-scope-of-src-unchecked", kScope,
                    "does not look at the position of src")
          .MisreadBy([](Call& c) { c.src(0).position = Position::kUb; }),
      kTransposeRow("vt-dst-stride-reported-as-src", kDstStride,
                    "reports VT-SRC-STRIDE where VT-DST-STRIDE is broken")
          .Instead<kDstStride, kSrcStride>(),
  };
}

}  // namespace

Table VecTransLegality() { return Joined(Overlaps(), Ranges()); }

}  // namespace lanediff::mutants
