// Sums: seams of legality, overlap aside.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/judge.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants {
namespace {

using emulator::State;
using isa::DType;
using isa::Product;
using isa::RuleSet;

template <class Call>
Table Ranges() {
  using rule = ReduceSumRules<Call>;
  return {
      JudgedBy<Call>(
          {"repeat-256-accepted", rule::kRepeat, "accepts a repeat of 256"},
          [](const Call& c, const State& s) {
            Call other = c;
            if (RepeatOf(c) == 256) RepeatOf(other) = 255;
            return Real(other, s);
          }),
      JudgedBy<Call>(
          {"repeat-255-refused", rule::kRepeat, "refuses a repeat of 255",
           "< for <= at the end of a range"},
          [](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            if (RepeatOf(c) == 255) broken = {};
            broken.AddIf(RepeatOf(c) == 255, rule::kRepeat);
            return broken;
          }),
      JudgedBy<Call>({"src-align-16", rule::kSrcAlign,
                      "is content with a source aligned to 16 bytes"},
                     [](const Call& c, const State& s) {
                       Call other = c;
                       other.src = AlignedTo16(c.src);
                       return Real(other, s);
                     }),
      JudgedBy<Call>({"dst-align-32", rule::kDstAlign,
                      "wants the destination aligned to 32 bytes",
                      "other instructions of the family want it"},
                     [](const Call& c, const State& s) {
                       RuleSet broken = Real(c, s);
                       if (broken.empty()) {
                         broken.AddIf(c.dst.at % 32 != 0, rule::kDstAlign);
                       }
                       return broken;
                     }),
      JudgedBy<Call>({"stride-8-bit-limit", rule::kStrideRange,
                      "refuses a source stride above 255",
                      "strides of other instructions are uint8_t"},
                     [](const Call& c, const State& s) {
                       RuleSet broken = Real(c, s);
                       if (broken.empty()) {
                         broken.AddIf(
                             std::max(c.src_blk_stride, c.src_rep_stride) > 255,
                             rule::kStrideRange);
                       }
                       return broken;
                     }),
      JudgedBy<Call>({"bounds-full-iteration", rule::kBounds,
                      "wants space for the lanes that take no part, too",
                      "a checker that reserves 256 bytes for every iteration"},
                     [](const Call& c, const State& s) {
                       const RuleSet broken = Real(c, s);
                       if (!broken.empty()) return broken;
                       const auto full = WithFirstLanes(
                           c, 256 / emulator::ElementBytes(c.dtype));
                       RuleSet wider = Real(full, s);
                       return wider.Contains(rule::kBounds) ? wider : broken;
                     }),
      JudgedBy<Call>({"bounds-one-byte-more", rule::kBounds,
                      "lets the last element end one byte behind its window"},
                     [](const Call& c, const State& s) {
                       Call other = c;
                       other.dst = Longer(c.dst, 1);
                       return Weakened(Real(c, s), rule::kBounds,
                                       Real(other, s).Contains(rule::kBounds));
                     }),
  };
}

template <class Call>
Table Tables() {
  using rule = ReduceSumRules<Call>;
  return {
      JudgedBy<Call>({"position-ub-accepted", rule::kPosition,
                      "takes the literal position UB for a queue position",
                      "a check of the physical memory"},
                     [](const Call& c, const State& s) {
                       Call other = c;
                       for (auto* operand : {&other.dst, &other.src}) {
                         if (operand->position == isa::Position::kUb) {
                           operand->position = isa::Position::kVecin;
                         }
                       }
                       return Real(other, s);
                     }),
      JudgedBy<Call>({"dtype-bfloat16-accepted", rule::kDtype,
                      "takes bfloat16 for a supported type"},
                     [](const Call& c, const State& s) {
                       Call other = c;
                       if (c.dtype == DType::kBfloat16)
                         other.dtype = DType::kHalf;
                       return Real(other, s);
                     }),
      JudgedBy<Call>({"dst-rep-stride-zero-refused", rule::kDstRepStrideZero,
                      "refuses dstRepStride = 0 on every product"},
                     [](const Call& c, const State& s) {
                       RuleSet broken = Real(c, s);
                       if (broken.empty()) {
                         broken.AddIf(c.dst_rep_stride == 0,
                                      rule::kDstRepStrideZero);
                       }
                       return broken;
                     }),
      JudgedBy<Call>(
          {"first-rule-only", rule::kDtypeMatch,
           "reports one of several broken rules",
           "a checker that returns at the first failure"},
          [](const Call& c, const State& s) { return FirstOnly(Real(c, s)); }),
  };
}

/// What RepeatReduceSum has alone.
Table OfRepeatReduceSum() {
  namespace rule = isa::rrs;
  using Call = isa::RepeatReduceSum;
  return {
      JudgedBy<Call>({"elems-of-half-for-float", rule::kElems,
                      "allows 128 lanes for float as well",
                      "a limit written for the 16-bit type alone"},
                     [](const Call& c, const State& s) {
                       Call other = c;
                       if (c.dtype == DType::kFloat && c.is_set_mask &&
                           c.elems_in_one_repeat <= 128) {
                         other.elems_in_one_repeat =
                             std::min<std::int64_t>(c.elems_in_one_repeat, 64);
                       }
                       return Real(other, s);
                     }),
      JudgedBy<Call>({"elems-zero-accepted", rule::kElems,
                      "accepts elemsInOneRepeat = 0 with isSetMask"},
                     [](const Call& c, const State& s) {
                       Call other = c;
                       if (c.is_set_mask && c.elems_in_one_repeat == 0) {
                         other.elems_in_one_repeat = 1;
                       }
                       return Real(other, s);
                     }),
      JudgedBy<Call>({"product-a3-refused", rule::kProduct, "refuses atlas-a3",
                      "the page of 2024 doesn't list it"},
                     [](const Call& c, const State& s) {
                       return Real(c, Confused(s, Product::kAtlasA3,
                                               Product::kAtlas200_300_500));
                     }),
      JudgedBy<Call>(
          {"product-200i-refused", rule::kProduct, "refuses atlas-200i-500-a2",
           "the page of 2024 doesn't list it"},
          [](const Call& c, const State& s) {
            return Real(c, Confused(s, Product::kAtlas200i500A2,
                                    Product::kAtlas200_300_500));
          }),
      JudgedBy<Call>(
          {"edition-ignored", rule::kProduct,
           "has the products of the newest edition in 2024 as well"},
          [](const Call& c, const State& s) { return Real(c, Newest(s)); }),
      JudgedBy<Call>({"placeholder-reported-as-elems", rule::kPlaceholder,
                      "reports RRS-ELEMS where RRS-PLACEHOLDER is broken"},
                     [](const Call& c, const State& s) {
                       return Instead(Real(c, s), rule::kPlaceholder,
                                      rule::kElems);
                     }),
  };
}

}  // namespace

Table ReduceSumLegality() {
  return Joined(OfBothReduceSums([]<class Call>() {
                  return Joined(Ranges<Call>(), Tables<Call>());
                }),
                OfRepeatReduceSum(), WholeReduceSumLegality());
}

}  // namespace lanediff::mutants
