// Lane-wise calls: legality that gets an overlap rule wrong.

#include <algorithm>
#include <utility>

#include "emulator/mutants/lanewise.h"

namespace lanediff::mutants::lanewise {
namespace {

using emulator::Extent;
using emulator::Wide;

bool Breaks(const Call& call, const State& state, isa::CallRule rule) {
  return Real(call, state).Contains(call.Rule(rule));
}

/// `count` iterations of `call` from `first` on.
Call Iterations(Call call, std::int64_t first, std::int64_t count) {
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    const bool packs = i == 0 && call.signature->PacksBits();
    const std::int64_t stride =
        packs ? 32 / ElementBytes(call.dtype) : call.RepStride(i) * 32;
    call.operands[i] = Advanced(call.operands[i], first * stride);
  }
  call[Param::kRepeatTimes] = count;
  return call;
}

/// The same call with the sources in the other order.
Call Swapped(Call call) {
  std::swap(call.src(0), call.src(1));
  std::swap(call[Param::kSrc0BlkStride], call[Param::kSrc1BlkStride]);
  std::swap(call[Param::kSrc0RepStride], call[Param::kSrc1RepStride]);
  return call;
}

/// From the first to the last byte of one iteration.
Extent Box(const Plan& plan, const VectorOperand& operand, std::int64_t r) {
  if (operand.is_packed) {
    const Wide start = operand.BlockAt(r, 0);
    return {start, start + plan.packed_bytes()};
  }
  const Extent lanes = emulator::LanesExtent(
      plan.LanesOf(r), operand.element_bytes, operand.block_stride);
  const Wide start = operand.BlockAt(r, 0);
  return {start + lanes.begin, start + lanes.end};
}

/// From the first to the last byte of the call, which has an iteration.
Extent Whole(const Plan& plan, const VectorOperand& operand) {
  return {Box(plan, operand, 0).begin,
          Box(plan, operand, plan.iterations - 1).end};
}

/// A mutant for which a legal call that has an iteration and is of the count
/// form, or not, breaks `kRule` where `Holds(plan)` is true.
template <isa::CallRule kRule, class Holds>
Mutant Stricter(const LaneLabel& label, Holds) {
  return label.StricterBy([](RuleSet& broken, const Call& c, const State& s) {
    constexpr bool kOfCount = kRule == kOverlapCount;
    if ((c.IsByCount()) != kOfCount) return;
    const Plan plan = RealPlan<emulator::LanewiseSeams>(c, s);
    broken.AddIf(plan.iterations > 0 && Holds{}(plan), c.Rule(kRule));
  });
}

/// Whether `meets(source)` holds for some source.
bool AnySource(const Plan& plan, auto meets) {
  return std::ranges::any_of(plan.used_operands().subspan(1),
                             [&](const VectorOperand& source) {
                               return !source.is_packed && meets(source);
                             });
}

/// Whether `visit(dst box, source box, source)` holds in some iteration.
bool AnyIteration(const Plan& plan, auto visit) {
  for (std::int64_t r = 0; r < plan.iterations; ++r) {
    const Extent dst = Box(plan, plan.dst(), r);
    if (AnySource(plan, [&](const VectorOperand& src) {
          return visit(dst, Box(plan, src, r), src);
        })) {
      return true;
    }
  }
  return false;
}

Table WithinIterations(const LaneRow& row) {
  return {
      row("overlap-iteration-first-only", kOverlapIteration,
          "looks for overlap within an iteration in the first one only")
          .WeakenedBy<kOverlapIteration>(
              [](Call& c) { c = Iterations(c, 0, 1); }),
      row("overlap-iteration-src0-only", kOverlapIteration,
          "holds the destination against src0 only")
          .Where(row.two_sources())
          .WeakenedBy<kOverlapIteration>([](Call& c) {
            c.src(1) = c.src(0);
            c[Param::kSrc1BlkStride] = c[Param::kSrc0BlkStride];
            c[Param::kSrc1RepStride] = c[Param::kSrc0RepStride];
          }),
      Stricter<kOverlapIteration>(
          row("overlap-iteration-bounding-box", kOverlapIteration,
              "takes blocks that lie between one another for overlapping ones",
              "a checker that compares address ranges, not bytes"),
          [](const Plan& p) {
            return AnyIteration(p, [&](const Extent& dst, const Extent& box,
                                       const VectorOperand& src) {
              return dst.Meets(box) &&
                     (dst.begin != box.begin ||
                      p.dst().block_stride != src.block_stride);
            });
          }),
      Stricter<kOverlapIteration>(
          row("overlap-iteration-touching", kOverlapIteration,
              "takes a destination right behind a source for one that overlaps",
              "<= for < in a comparison of ranges"),
          [](const Plan& p) {
            return AnyIteration(
                p, [](const Extent& dst, const Extent& box,
                      const VectorOperand&) { return Touch(dst, box); });
          }),
  };
}

Table Dependencies(const LaneRow& row) {
  return {
      row("overlap-dependency-next-only", kOverlapDependency,
          "looks for a dependency of an iteration on the one before only",
          "the document speaks of iterations N and N+1")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(c.Rule(kOverlapDependency))) return broken;
            bool next = false;
            for (std::int64_t r = 0; r + 1 < c[Param::kRepeatTimes]; ++r) {
              next = next || Breaks(Iterations(c, r, 2), s, kOverlapDependency);
            }
            return Weakened(broken, c.Rule(kOverlapDependency), next);
          }),
      Stricter<kOverlapDependency>(
          row("overlap-dependency-both-ways", kOverlapDependency,
              "refuses a byte that an earlier iteration has read",
              "a checker that compares the operands' whole ranges"),
          [](const Plan& p) {
            const VectorOperand& dst = p.dst();
            const VectorOperand& src = p.src(0);
            const bool same =
                dst.at == src.at && dst.repeat_stride == src.repeat_stride;
            return p.iterations > 1 && !same &&
                   Whole(p, dst).Meets(Whole(p, src));
          }),
  };
}

/// Whether a later iteration reads from a source what an earlier one wrote.
bool SourcesDepend(const Plan& plan) {
  const auto lanes = static_cast<int>(32 / ElementBytes(plan.dtype));
  const auto of = [&](int block) {
    return plan.lanes.Slice(block * lanes, lanes);
  };
  return AnySource(plan, [&](const VectorOperand& src) {
    for (std::int64_t r = 0; r < plan.iterations; ++r) {
      for (std::int64_t q = r + 1; q < plan.iterations; ++q) {
        for (int pair = 0; pair < 64; ++pair) {
          const int b = pair / 8;
          const int c = pair % 8;
          if ((of(b) & of(c)) != 0 &&
              plan.dst().BlockAt(r, b) == src.BlockAt(q, c)) {
            return true;
          }
        }
      }
    }
    return false;
  });
}

/// Of calls that read dst.
Table OfDst(const LaneRow& row) {
  return {
      row("overlap-dependency-dst-ignored", kOverlapDependency,
          "lets iterations read from dst what earlier ones wrote there",
          "a checker that knows sources alone")
          .Where(row.reads_dst())
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(c.Rule(kOverlapDependency))) return broken;
            return Weakened(
                broken, c.Rule(kOverlapDependency),
                SourcesDepend(RealPlan<emulator::LanewiseSeams>(c, s)));
          }),
      Stricter<kOverlapDependency>(
          row("overlap-dependency-dst-stride-0-refused", kOverlapDependency,
              "refuses dstRepStride = 0 of one iteration, too")
              .Where(row.reads_dst()),
          [](const Plan& p) { return p.dst().repeat_stride == 0; }),
  };
}

/// What the exception for src1 allows.
Table Exceptions(const LaneRow& row) {
  if (!row.rereads()) return {};
  return {
      row("overlap-exception-for-int16", kOverlapDependency,
          "grants int16 the exception for src1, too")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (c.dtype != DType::kInt16 ||
                !broken.Contains(c.Rule(kOverlapDependency))) {
              return broken;
            }
            Call half = c;
            half.dtype = DType::kHalf;
            for (auto& operand : half.operands) operand.dtype = std::nullopt;
            return Real(half, s);
          }),
      // src0 in the place of src1 would break the rule where a call that breaks
      // none uses the exception.
      row("overlap-exception-both-strides", kOverlapDependency,
          "grants the exception only where both strides are 0",
          "the page's \"/\" between two parameters read as \"and\"")
          .JudgedBy([](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            if ((c.RepStride(2) == 0 && c.RepStride(0) == 0) ||
                broken.Contains(c.Rule(kOverlapDependency)) ||
                !Breaks(Swapped(c), s, kOverlapDependency)) {
              return broken;
            }
            broken = Without(broken, c.Rule(kOverlapSources));
            broken.Add(c.Rule(kOverlapDependency));
            return broken;
          }),
      row("overlap-exception-for-src0", kOverlapDependency,
          "grants src0 the exception instead of src1")
          .JudgedBy([](const Call& c, const State& s) {
            return Real(Swapped(c), s);
          }),
      row("overlap-sources-ignored", kOverlapSources,
          "lets the sources overlap where the exception is used")
          .Without<kOverlapSources>(),
      row("overlap-sources-same-start-only", kOverlapSources,
          "objects to overlapping sources only if they start at one place")
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlapSources),
                            c.src(0).at == c.src(1).at);
          }),
      Stricter<kOverlapSources>(
          row("overlap-sources-always", kOverlapSources,
              "wants disjoint sources wherever a stride is 0, used or not"),
          [](const Plan& p) {
            return p.dtype != DType::kInt16 &&
                   (p.src(1).repeat_stride == 0 ||
                    p.dst().repeat_stride == 0) &&
                   Whole(p, p.src(0)).Meets(Whole(p, p.src(1)));
          }),
  };
}

Table Counts(const LaneRow& row) {
  if (!row.has_count()) return {};
  return {
      row("overlap-count-wide-in-place", kOverlapCount,
          "lets a wider result lie on its source")
          .Where(row.HasModes())
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlapCount),
                            c.dst().at != c.src(0).at);
          }),
      Stricter<kOverlapCount>(
          row("overlap-count-wide-in-upper-half-refused", kOverlapCount,
              "refuses every overlap of a wider result and its source")
              .Where(row.HasModes()),
          [](const Plan& p) {
            return p.dst().element_bytes > p.src(0).element_bytes &&
                   Whole(p, p.dst()).Meets(Whole(p, p.src(0)));
          }),
      row("overlap-count-wide-a-block-early", kOverlapCount,
          "lets a wider result lie on its source from a DataBlock too early")
          .Where(row.HasModes())
          .WeakenedBy<kOverlapCount>([](Call& c) {
            if (ElementBytes(c.TypeOf(0)) > ElementBytes(c.dtype)) {
              c.src(0).at += 32;
            }
          }),
      row("overlap-iteration-wide-in-place", kOverlapIteration,
          "lets a wider result lie on its source")
          .Where(row.HasModes())
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlapIteration),
                            c.dst().at != c.src(0).at);
          }),
      Stricter<kOverlapIteration>(
          row("overlap-iteration-narrow-refused", kOverlapIteration,
              "refuses a narrower result on its source")
              .Where(row.Converts()),
          [](const Plan& p) {
            return p.dst().element_bytes < p.src(0).element_bytes &&
                   p.dst().at == p.src(0).at;
          }),
      row("overlap-count-ignored", kOverlapCount,
          "lets the operands of the count form overlap in any way")
          .Without<kOverlapCount>(),
      row("overlap-count-first-iteration", kOverlapCount,
          "looks at the first 256 bytes of the count form only")
          .WeakenedBy<kOverlapCount>([](Call& c) {
            c[Param::kCount] = std::min<std::int64_t>(
                c[Param::kCount], 256 / ElementBytes(c.dtype));
          }),
      Stricter<kOverlapCount>(
          row("overlap-count-touching", kOverlapCount,
              "takes operands side by side for overlapping ones",
              "<= for < in a comparison of ranges"),
          [](const Plan& p) {
            return AnySource(p, [&](const VectorOperand& src) {
              return Touch(Whole(p, p.dst()), Whole(p, src));
            });
          }),
      Stricter<kOverlapCount>(
          row("overlap-count-in-place-refused", kOverlapCount,
              "refuses the count form in place"),
          [](const Plan& p) {
            return AnySource(p, [&](const VectorOperand& src) {
              return p.dst().at == src.at;
            });
          }),
  };
}

}  // namespace

Table Overlaps(const LaneRow& row) {
  if (!row.has_source()) return {};
  return Joined(WithinIterations(row), Dependencies(row), OfDst(row),
                Exceptions(row), Counts(row));
}

}  // namespace lanediff::mutants::lanewise
