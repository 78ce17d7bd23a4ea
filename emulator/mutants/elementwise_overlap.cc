// Element-wise calls: legality that gets an overlap rule wrong.

#include <algorithm>
#include <utility>

#include "emulator/address.h"
#include "emulator/mutants/elementwise.h"
#include "emulator/mutants/judge.h"

namespace lanediff::mutants {
namespace {

using emulator::ElementwisePlan;
using emulator::Extent;
using emulator::State;
using emulator::VectorOperand;
using emulator::Wide;
using isa::DType;
using isa::RuleSet;

/// `count` iterations of `call` from `first` on.
template <class Call>
Call Iterations(Call call, std::int64_t first, std::int64_t count) {
  const isa::BinaryRepeatParams& p = call.repeat_params;
  call.dst = Advanced(call.dst, first * p.dst_rep_stride * 32);
  call.src0 = Advanced(call.src0, first * p.src0_rep_stride * 32);
  call.src1 = Advanced(call.src1, first * p.src1_rep_stride * 32);
  call.repeat_times = count;
  return call;
}

/// The same call with the sources in the other order.
template <class Call>
Call Swapped(Call call) {
  isa::BinaryRepeatParams& p = call.repeat_params;
  std::swap(call.src0, call.src1);
  std::swap(p.src0_blk_stride, p.src1_blk_stride);
  std::swap(p.src0_rep_stride, p.src1_rep_stride);
  return call;
}

/// From the first to the last byte of one iteration.
Extent Box(const ElementwisePlan& plan, const VectorOperand& operand,
           std::int64_t r) {
  const Extent lanes =
      emulator::LanesExtent(plan.LanesOf(r), emulator::ElementBytes(plan.dtype),
                            operand.block_stride);
  const Wide start = operand.BlockAt(r, 0);
  return {start + lanes.begin, start + lanes.end};
}

/// From the first to the last byte of the call, which has an iteration.
Extent Whole(const ElementwisePlan& plan, const VectorOperand& operand) {
  return {Box(plan, operand, 0).begin,
          Box(plan, operand, plan.iterations - 1).end};
}

/// A mutant for which `Change(broken, plan)` adds what a legal call breaks that
/// has an iteration and is of the count form or not.
template <class Call, bool kCountForm, class Change>
Mutant Stricter(const Label& label, Change) {
  return StricterBy<Call>(
      label, [](RuleSet& broken, const Call& call, const State& state) {
        if ((call.form == Call::kCount) != kCountForm) return;
        const ElementwisePlan plan = PlainRow<Call>().plan(call, state);
        if (plan.iterations > 0) Change{}(broken, plan);
      });
}

/// Whether `visit(dst box, source box, source)` holds in some iteration.
template <class Visit>
bool AnyIteration(const ElementwisePlan& plan, Visit visit) {
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    const Extent dst = Box(plan, plan.dst, r);
    if (visit(dst, Box(plan, plan.src0, r), plan.src0) ||
        visit(dst, Box(plan, plan.src1, r), plan.src1)) {
      return true;
    }
  }
  return false;
}

/// Whether an iteration of a call that breaks no rule reads from src1 what an
/// earlier one wrote: src0 in its place would break *-OVERLAP-DEPENDENCY.
template <class Call>
bool UsesException(const Call& call, const State& state) {
  return Real(Swapped(call), state).Contains(RulesOf<Call>::kOverlapDependency);
}

template <class Call>
Table WithinIterations() {
  using rule = RulesOf<Call>;
  return {
      JudgedBy<Call>(
          {"overlap-iteration-first-only", rule::kOverlapIteration,
           "looks for overlap within an iteration in the first one only"},
          [](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(rule::kOverlapIteration)) return broken;
            return Weakened(
                broken, rule::kOverlapIteration,
                Real(Iterations(c, 0, 1), s).Contains(rule::kOverlapIteration));
          }),
      JudgedBy<Call>({"overlap-iteration-src0-only", rule::kOverlapIteration,
                      "holds the destination against src0 only"},
                     [](const Call& c, const State& s) {
                       const RuleSet broken = Real(c, s);
                       if (!broken.Contains(rule::kOverlapIteration))
                         return broken;
                       Call other = c;
                       other.src1 = c.src0;
                       other.repeat_params.src1_blk_stride =
                           c.repeat_params.src0_blk_stride;
                       other.repeat_params.src1_rep_stride =
                           c.repeat_params.src0_rep_stride;
                       return Weakened(
                           broken, rule::kOverlapIteration,
                           Real(other, s).Contains(rule::kOverlapIteration));
                     }),
      Stricter<Call, false>(
          {"overlap-iteration-bounding-box", rule::kOverlapIteration,
           "takes blocks that lie between one another for overlapping ones",
           "a checker that compares address ranges, not bytes"},
          [](RuleSet& broken, const ElementwisePlan& p) {
            broken.AddIf(AnyIteration(p,
                                      [&](const Extent& dst, const Extent& src,
                                          const VectorOperand& operand) {
                                        return dst.Meets(src) &&
                                               (dst.begin != src.begin ||
                                                p.dst.block_stride !=
                                                    operand.block_stride);
                                      }),
                         rule::kOverlapIteration);
          }),
      Stricter<Call, false>(
          {"overlap-iteration-touching", rule::kOverlapIteration,
           "takes a destination right behind a source for one that overlaps",
           "<= for < in a comparison of ranges"},
          [](RuleSet& broken, const ElementwisePlan& p) {
            broken.AddIf(
                AnyIteration(
                    p, [](const Extent& dst, const Extent& src,
                          const VectorOperand&) { return Touch(dst, src); }),
                rule::kOverlapIteration);
          }),
  };
}

template <class Call>
Table Dependencies() {
  using rule = RulesOf<Call>;
  return {
      JudgedBy<Call>(
          {"overlap-dependency-next-only", rule::kOverlapDependency,
           "looks for a dependency of an iteration on the one before only",
           "the document speaks of iterations N and N+1"},
          [](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(rule::kOverlapDependency)) return broken;
            bool next = false;
            for (std::int64_t r = 0; r + 1 < c.repeat_times; ++r) {
              next = next || Real(Iterations(c, r, 2), s)
                                 .Contains(rule::kOverlapDependency);
            }
            return Weakened(broken, rule::kOverlapDependency, next);
          }),
      Stricter<Call, false>(
          {"overlap-dependency-both-ways", rule::kOverlapDependency,
           "refuses a byte that an earlier iteration has read",
           "a checker that compares the operands' whole ranges"},
          [](RuleSet& broken, const ElementwisePlan& p) {
            const Extent dst = Whole(p, p.dst);
            const bool same = p.dst.at == p.src0.at &&
                              p.dst.repeat_stride == p.src0.repeat_stride;
            broken.AddIf(
                p.iterations > 1 && !same && dst.Meets(Whole(p, p.src0)),
                rule::kOverlapDependency);
          }),
      JudgedBy<Call>({"overlap-exception-for-int16", rule::kOverlapDependency,
                      "grants int16 the exception for src1, too"},
                     [](const Call& c, const State& s) {
                       const RuleSet broken = Real(c, s);
                       if (c.dtype != DType::kInt16 ||
                           !broken.Contains(rule::kOverlapDependency)) {
                         return broken;
                       }
                       Call half = c;
                       half.dtype = DType::kHalf;
                       half.dst.dtype = half.src0.dtype = half.src1.dtype =
                           std::nullopt;
                       return Real(half, s);
                     }),
      JudgedBy<Call>(
          {"overlap-exception-both-strides", rule::kOverlapDependency,
           "grants the exception only where both strides are 0",
           "the page's \"/\" between two parameters read as \"and\""},
          [](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            const isa::BinaryRepeatParams& p = c.repeat_params;
            if ((p.src1_rep_stride == 0 && p.dst_rep_stride == 0) ||
                broken.Contains(rule::kOverlapDependency) ||
                !UsesException(c, s)) {
              return broken;
            }
            broken = Without(broken, rule::kOverlapSources);
            broken.Add(rule::kOverlapDependency);
            return broken;
          }),
      JudgedBy<Call>(
          {"overlap-exception-for-src0", rule::kOverlapDependency,
           "grants src0 the exception instead of src1"},
          [](const Call& c, const State& s) { return Real(Swapped(c), s); }),
  };
}

template <class Call>
Table Sources() {
  using rule = RulesOf<Call>;
  return {
      JudgedBy<Call>({"overlap-sources-ignored", rule::kOverlapSources,
                      "lets the sources overlap where the exception is used"},
                     [](const Call& c, const State& s) {
                       return Without(Real(c, s), rule::kOverlapSources);
                     }),
      JudgedBy<Call>(
          {"overlap-sources-same-start-only", rule::kOverlapSources,
           "objects to overlapping sources only if they start at one place"},
          [](const Call& c, const State& s) {
            return Weakened(Real(c, s), rule::kOverlapSources,
                            c.src0.at == c.src1.at);
          }),
      Stricter<Call, false>(
          {"overlap-sources-always", rule::kOverlapSources,
           "wants disjoint sources wherever a stride is 0, used or not"},
          [](RuleSet& broken, const ElementwisePlan& p) {
            broken.AddIf(
                p.dtype != DType::kInt16 &&
                    (p.src1.repeat_stride == 0 || p.dst.repeat_stride == 0) &&
                    Whole(p, p.src0).Meets(Whole(p, p.src1)),
                rule::kOverlapSources);
          }),
  };
}

template <class Call>
Table Counts() {
  using rule = RulesOf<Call>;
  return {
      JudgedBy<Call>({"overlap-count-ignored", rule::kOverlapCount,
                      "lets the operands of the count form overlap in any way"},
                     [](const Call& c, const State& s) {
                       return Without(Real(c, s), rule::kOverlapCount);
                     }),
      JudgedBy<Call>({"overlap-count-first-iteration", rule::kOverlapCount,
                      "looks at the first 256 bytes of the count form only"},
                     [](const Call& c, const State& s) {
                       Call first = c;
                       first.count = std::min<std::int64_t>(
                           c.count, 256 / emulator::ElementBytes(c.dtype));
                       return Weakened(
                           Real(c, s), rule::kOverlapCount,
                           Real(first, s).Contains(rule::kOverlapCount));
                     }),
      Stricter<Call, true>({"overlap-count-touching", rule::kOverlapCount,
                            "takes operands side by side for overlapping ones",
                            "<= for < in a comparison of ranges"},
                           [](RuleSet& broken, const ElementwisePlan& p) {
                             const Extent dst = Whole(p, p.dst);
                             broken.AddIf(Touch(dst, Whole(p, p.src0)) ||
                                              Touch(dst, Whole(p, p.src1)),
                                          rule::kOverlapCount);
                           }),
      Stricter<Call, true>(
          {"overlap-count-in-place-refused", rule::kOverlapCount,
           "refuses the count form in place"},
          [](RuleSet& broken, const ElementwisePlan& p) {
            broken.AddIf(p.dst.at == p.src0.at || p.dst.at == p.src1.at,
                         rule::kOverlapCount);
          }),
  };
}

}  // namespace

Table ElementwiseOverlaps() {
  return OfEachElementwise([]<class Call>() {
    return Joined(WithinIterations<Call>(), Dependencies<Call>(),
                  Sources<Call>(), Counts<Call>());
  });
}

}  // namespace lanediff::mutants
