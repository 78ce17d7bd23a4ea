// Sums: seams of legality.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/judge.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants {
namespace {

using emulator::Extent;
using emulator::ReduceSumPlan;
using emulator::State;
using emulator::Wide;
using isa::DType;
using isa::Product;
using isa::RuleSet;

/// `count` iterations of `call` from `first` on.
template <class Call>
Call Iterations(Call call, std::int64_t first, std::int64_t count) {
  call.src = Advanced(call.src, first * call.src_rep_stride * 32);
  call.dst = Advanced(call.dst, first * call.dst_rep_stride *
                                    emulator::ElementBytes(call.dtype));
  RepeatOf(call) = count;
  return call;
}

/// What iteration `r` reads, from the first to the last byte.
Extent Box(const ReduceSumPlan& plan, std::int64_t r) {
  const Extent lanes = emulator::LanesExtent(
      plan.lanes, emulator::ElementBytes(plan.dtype), plan.src_block_stride);
  const Wide start = Wide{plan.src} + r * plan.src_repeat_stride;
  return {start + lanes.begin, start + lanes.end};
}

Extent Element(const ReduceSumPlan& plan, std::int64_t r) {
  const Wide start = Wide{plan.dst} + r * plan.dst_repeat_stride;
  return {start, start + emulator::ElementBytes(plan.dtype)};
}

/// The real verdict, and `added` where the call is legal and `Objects(box,
/// element)` holds for some iteration.
template <class Call, class Objects>
RuleSet Stricter(const Call& call, const State& state, isa::RuleId added,
                 Objects objects) {
  RuleSet broken = Real(call, state);
  if (!broken.empty()) return broken;
  const ReduceSumPlan plan = PlainRow<Call>().plan(call, state);
  if (plan.lanes.empty()) return broken;
  for (std::int64_t r = 0; r < plan.repeats; ++r) {
    broken.AddIf(objects(Box(plan, r), Element(plan, r)), added);
  }
  return broken;
}

template <class Call>
Table Overlaps() {
  using rule = ReduceSumRules<Call>;
  return {
      JudgedBy<Call>(
          {"overlap-iteration-first-only", rule::kOverlapIteration,
           "looks for overlap within an iteration in the first one only",
           "a checker written for repeat = 1, the document's first case"},
          [](const Call& c, const State& s) {
            return Weakened(
                Real(c, s), rule::kOverlapIteration,
                Real(Iterations(c, 0, 1), s).Contains(rule::kOverlapIteration));
          }),
      JudgedBy<Call>({"overlap-iteration-bounding-box", rule::kOverlapIteration,
                      "takes an element in a gap between blocks for an overlap",
                      "a checker that compares address ranges, not bytes"},
                     [](const Call& c, const State& s) {
                       return Stricter(
                           c, s, rule::kOverlapIteration,
                           [](const Extent& box, const Extent& element) {
                             return element.begin != box.begin &&
                                    box.Meets(element);
                           });
                     }),
      JudgedBy<Call>(
          {"overlap-iteration-touching", rule::kOverlapIteration,
           "takes an element right before or behind the source for one that "
           "overlaps it",
           "<= for < in a comparison of ranges"},
          [](const Call& c, const State& s) {
            return Stricter(c, s, rule::kOverlapIteration, Touch);
          }),
      JudgedBy<Call>(
          {"overlap-iteration-in-place-refused", rule::kOverlapIteration,
           "refuses an element written where the lowest lane starts"},
          [](const Call& c, const State& s) {
            return Stricter(c, s, rule::kOverlapIteration,
                            [](const Extent& box, const Extent& element) {
                              return element.begin == box.begin;
                            });
          }),
      JudgedBy<Call>(
          {"overlap-dependency-next-only", rule::kOverlapDependency,
           "looks for a dependency of an iteration on the one before only",
           "the document speaks of iterations N and N+1"},
          [](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(rule::kOverlapDependency)) return broken;
            bool next = false;
            for (std::int64_t r = 0; r + 1 < RepeatOf(c); ++r) {
              next = next || Real(Iterations(c, r, 2), s)
                                 .Contains(rule::kOverlapDependency);
            }
            return Weakened(broken, rule::kOverlapDependency, next);
          }),
      JudgedBy<Call>(
          {"overlap-dependency-first-write-only", rule::kOverlapDependency,
           "looks who reads the first iteration's element and no other's"},
          [](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(rule::kOverlapDependency)) return broken;
            bool first = false;
            for (std::int64_t q = 1; q < RepeatOf(c); ++q) {
              Call pair = Iterations(c, 0, 2);
              pair.src_rep_stride = q * c.src_rep_stride;
              first = first || Real(pair, s).Contains(rule::kOverlapDependency);
            }
            return Weakened(broken, rule::kOverlapDependency, first);
          }),
      JudgedBy<Call>(
          {"overlap-dependency-both-ways", rule::kOverlapDependency,
           "refuses an element that an earlier iteration has read",
           "a checker that compares the operands' whole ranges"},
          [](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            if (!broken.empty() || RepeatOf(c) < 2) return broken;
            const ReduceSumPlan p = PlainRow<Call>().plan(c, s);
            if (p.lanes.empty()) return broken;
            const Extent read = {Box(p, 0).begin, Box(p, p.repeats - 1).end};
            const Extent written = {Element(p, 0).begin,
                                    Element(p, p.repeats - 1).end};
            broken.AddIf(read.Meets(written), rule::kOverlapDependency);
            return broken;
          }),
  };
}

template <class Call>
Table Ranges() {
  using rule = ReduceSumRules<Call>;
  return {
      MisreadBy<Call>(
          {"repeat-256-accepted", rule::kRepeat, "accepts a repeat of 256"},
          [](Call& c) {
            if (RepeatOf(c) == 256) RepeatOf(c) = 255;
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
      MisreadBy<Call>({"src-align-16", rule::kSrcAlign,
                       "is content with a source aligned to 16 bytes"},
                      [](Call& c) { c.src = AlignedTo16(c.src); }),
      StricterBy<Call>({"dst-align-32", rule::kDstAlign,
                        "wants the destination aligned to 32 bytes",
                        "other instructions of the family want it"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.dst.at % 32 != 0, rule::kDstAlign);
                       }),
      StricterBy<Call>({"stride-8-bit-limit", rule::kStrideRange,
                        "refuses a source stride above 255",
                        "strides of other instructions are uint8_t"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(
                             std::max(c.src_blk_stride, c.src_rep_stride) > 255,
                             rule::kStrideRange);
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
      MisreadBy<Call>({"position-ub-accepted", rule::kPosition,
                       "takes the literal position UB for a queue position",
                       "a check of the physical memory"},
                      [](Call& c) {
                        for (auto* operand : {&c.dst, &c.src}) {
                          if (operand->position == isa::Position::kUb) {
                            operand->position = isa::Position::kVecin;
                          }
                        }
                      }),
      MisreadBy<Call>({"dtype-bfloat16-accepted", rule::kDtype,
                       "takes bfloat16 for a supported type"},
                      [](Call& c) {
                        if (c.dtype == DType::kBfloat16) c.dtype = DType::kHalf;
                      }),
      StricterBy<Call>({"dst-rep-stride-zero-refused", rule::kDstRepStrideZero,
                        "refuses dstRepStride = 0 on every product"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.dst_rep_stride == 0,
                                      rule::kDstRepStrideZero);
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
      MisreadBy<Call>({"elems-of-half-for-float", rule::kElems,
                       "allows 128 lanes for float as well",
                       "a limit written for the 16-bit type alone"},
                      [](Call& c) {
                        if (c.dtype == DType::kFloat && c.is_set_mask &&
                            c.elems_in_one_repeat <= 128) {
                          c.elems_in_one_repeat =
                              std::min<std::int64_t>(c.elems_in_one_repeat, 64);
                        }
                      }),
      MisreadBy<Call>({"elems-zero-accepted", rule::kElems,
                       "accepts elemsInOneRepeat = 0 with isSetMask"},
                      [](Call& c) {
                        if (c.is_set_mask && c.elems_in_one_repeat == 0) {
                          c.elems_in_one_repeat = 1;
                        }
                      }),
      ConfusedOn<Call, Product::kAtlasA3, Product::kAtlas200_300_500>(
          {"product-a3-refused", rule::kProduct, "refuses atlas-a3",
           "the page of 2024 doesn't list it"}),
      ConfusedOn<Call, Product::kAtlas200i500A2, Product::kAtlas200_300_500>(
          {"product-200i-refused", rule::kProduct, "refuses atlas-200i-500-a2",
           "the page of 2024 doesn't list it"}),
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

Table ReduceSumOverlaps() {
  return OfBothReduceSums([]<class Call>() { return Overlaps<Call>(); });
}

Table ReduceSumLegality() {
  return Joined(OfBothReduceSums([]<class Call>() {
                  return Joined(Ranges<Call>(), Tables<Call>());
                }),
                OfRepeatReduceSum(), WholeReduceSumLegality());
}

}  // namespace lanediff::mutants
