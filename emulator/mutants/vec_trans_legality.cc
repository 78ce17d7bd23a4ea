// vec_trans: seams of legality.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/judge.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::vt;
using emulator::State;
using isa::DType;
using isa::Position;
using isa::Product;
using isa::RuleSet;
using Call = isa::VecTrans;
using Plan = emulator::VecTransPlan;

Table Overlaps() {
  return {
      JudgedBy<Call>({"vt-overlap-first-iteration-only", rule::kOverlap,
                      "looks at the first iteration's blocks only"},
                     [](const Call& c, const State& s) {
                       Call first = c;
                       first.repeat_times =
                           std::min<std::int64_t>(c.repeat_times, 1);
                       return Weakened(Real(c, s), rule::kOverlap,
                                       Real(first, s).Contains(rule::kOverlap));
                     }),
      JudgedBy<Call>(
          {"vt-overlap-same-start-accepted", rule::kOverlap,
           "takes every call that starts in place for one that stays there"},
          [](const Call& c, const State& s) {
            return Weakened(Real(c, s), rule::kOverlap, c.src.at != c.dst.at);
          }),
      StricterOn<Call>(
          {"vt-overlap-bounding-box", rule::kOverlap,
           "takes blocks between the other side's blocks for overlapping",
           "a checker that compares address ranges, not bytes"},
          [](RuleSet& broken, const Plan& p) {
            const bool same = p.src.begin == p.dst.begin;
            broken.AddIf(!same && emulator::ExtentOf(p.src).Meets(
                                      emulator::ExtentOf(p.dst)),
                         rule::kOverlap);
          }),
      StricterOn<Call>(
          {"vt-overlap-touching", rule::kOverlap,
           "takes a destination right behind the source for overlapping",
           "<= for < in a comparison of ranges"},
          [](RuleSet& broken, const Plan& p) {
            broken.AddIf(
                Touch(emulator::ExtentOf(p.src), emulator::ExtentOf(p.dst)),
                rule::kOverlap);
          }),
      StricterOn<Call>(
          {"vt-in-place-refused", rule::kOverlap, "refuses to work in place"},
          [](RuleSet& broken, const Plan& p) {
            broken.AddIf(p.src.begin == p.dst.begin, rule::kOverlap);
          }),
  };
}

Table Ranges() {
  return {
      MisreadBy<Call>({"vt-repeat-4096-accepted", rule::kRepeat,
                       "accepts repeat_times = 4096"},
                      [](Call& c) {
                        if (c.repeat_times == 4096) c.repeat_times = 4095;
                      }),
      MisreadBy<Call>(
          {"vt-repeat-zero-accepted", rule::kRepeat, "accepts repeat_times = 0",
           "0 is allowed by the other instructions"},
          [](Call& c) {
            if (c.repeat_times == 0) c.repeat_times = 1;
          }),
      MisreadBy<Call>({"vt-src-stride-4096-accepted", rule::kSrcStride,
                       "accepts src_rep_stride = 4096"},
                      [](Call& c) {
                        if (c.src_rep_stride == 4096) c.src_rep_stride = 4095;
                      }),
      StricterBy<Call>({"vt-dst-stride-zero-refused", rule::kDstStride,
                        "refuses dst_rep_stride = 0"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.dst_rep_stride == 0, rule::kDstStride);
                       }),
      MisreadBy<Call>({"vt-dst-align-16", rule::kAlign,
                       "is content with a destination aligned to 16 bytes"},
                      [](Call& c) { c.dst = AlignedTo16(c.dst); }),
      StricterBy<Call>({"vt-bounds-next-repeat", rule::kBounds,
                        "wants space for a stride behind the last block, too",
                        "n * stride for (n - 1) * stride + length"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.repeat_times * c.src_rep_stride * 512 >
                                          c.src.bytes,
                                      rule::kBounds);
                       }),
      ConfusedOn<Call, Product::kAtlasA3, Product::kAtlasA2>(
          {"vt-product-a3-accepted", rule::kProduct,
           "takes atlas-a3 for a product that has the instruction"}),
      MisreadBy<Call>({"vt-dtype-int32-accepted", rule::kDtype,
                       "takes int32 for a supported type"},
                      [](Call& c) {
                        if (c.dtype == DType::kInt32) c.dtype = DType::kInt16;
                      }),
      MisreadBy<Call>(
          {"vt-dtype-of-same-width-accepted", rule::kDtypeMatch,
           "accepts a dst of another 16-bit type", "a check of sizes"},
          [](Call& c) {
            if (c.dst.dtype && emulator::ElementBytes(*c.dst.dtype) == 2) {
              c.dst.dtype = std::nullopt;
            }
          }),
      MisreadBy<Call>({"vt-scope-of-src-unchecked", rule::kScope,
                       "does not look at the position of src"},
                      [](Call& c) { c.src.position = Position::kUb; }),
      JudgedBy<Call>({"vt-dst-stride-reported-as-src", rule::kDstStride,
                      "reports VT-SRC-STRIDE where VT-DST-STRIDE is broken"},
                     [](const Call& c, const State& s) {
                       return Instead(Real(c, s), rule::kDstStride,
                                      rule::kSrcStride);
                     }),
  };
}

}  // namespace

Table VecTransLegality() { return Joined(Overlaps(), Ranges()); }

}  // namespace lanediff::mutants
