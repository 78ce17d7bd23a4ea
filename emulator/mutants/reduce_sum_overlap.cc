// Sums: legality that gets an overlap rule wrong.

#include "emulator/address.h"
#include "emulator/mutants/judge.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants {
namespace {

using emulator::Extent;
using emulator::ReduceSumPlan;
using emulator::State;
using emulator::Wide;
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

}  // namespace

Table ReduceSumOverlaps() {
  return OfBothReduceSums([]<class Call>() { return Overlaps<Call>(); });
}

}  // namespace lanediff::mutants
