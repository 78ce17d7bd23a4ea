// Sums: seams of legality.

#include <algorithm>
#include <bit>
#include <string>

#include "emulator/address.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants::reductions {
namespace {

using emulator::Extent;
using emulator::Wide;
using isa::Product;

/// `count` iterations of `call` from `first` on.
Call Iterations(Call call, std::int64_t first, std::int64_t count) {
  call.src(0) = Advanced(call.src(0), first * call.RepStride(1) * 32);
  call.dst() =
      Advanced(call.dst(), first * call.RepStride(0) * ResultBytes(call));
  call[Param::kRepeatTimes] = count;
  return call;
}

/// What iteration `r` reads, from the first to the last byte.
Extent Box(const Plan& plan, std::int64_t r) {
  const Extent lanes = emulator::LanesExtent(
      plan.lanes, ElementBytes(plan.dtype), plan.src_block_stride);
  const Wide start = Wide{plan.src} + r * plan.src_repeat_stride;
  return {start + lanes.begin, start + lanes.end};
}

/// From the first to the last result.
Extent Element(const Plan& plan, std::int64_t r) {
  const Wide start = Wide{plan.dst} + r * plan.dst_repeat_stride;
  const std::int64_t element = ElementBytes(plan.dtype);
  return {start + std::countr_zero(plan.results()) * element,
          start + std::bit_width(plan.results()) * element};
}

/// The real verdict, and `added` where the call is legal and `objects(box,
/// element)` holds for some iteration.
RuleSet Stricter(const Call& call, const State& state, isa::CallRule added,
                 auto objects) {
  RuleSet broken = Real(call, state);
  if (!broken.empty()) return broken;
  const Plan plan = RealPlan<emulator::ReduceSumSeams>(call, state);
  if (plan.lanes.empty()) return broken;
  for (std::int64_t r = 0; r < plan.repeats; ++r) {
    broken.AddIf(objects(Box(plan, r), Element(plan, r)), call.Rule(added));
  }
  return broken;
}

/// `c` with the first `lanes` in the place of its own, if it names any.
Call WithFirstLanes(Call c, std::int64_t lanes) {
  if (!c.is_set_mask) return c;
  c.form = c.signature->FormWith(Param::kMask);
  c[Param::kMask] = lanes;
  c.mask_words = {};
  return c;
}

Table Ranges(const SumRow& row) {
  return {
      row("repeat-256-accepted", kRepeat, "accepts a repeat of 256")
          .MisreadBy([](Call& c) {
            if (c[Param::kRepeatTimes] == 256) c[Param::kRepeatTimes] = 255;
          }),
      row("repeat-255-refused", kRepeat, "refuses a repeat of 255",
          "< for <= at the end of a range")
          .JudgedBy([](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            if (c[Param::kRepeatTimes] == 255) broken = {};
            broken.AddIf(c[Param::kRepeatTimes] == 255, c.Rule(kRepeat));
            return broken;
          }),
      row("src-align-16", kSrcAlign,
          "is content with a source aligned to 16 bytes")
          .MisreadBy([](Call& c) { c.src(0) = AlignedTo16(c.src(0)); }),
      row("dst-align-32", kDstAlign,
          "wants the destination aligned to 32 bytes",
          "other instructions of the family want it")
          .Where(row.trees())
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.dst().at % 32 != 0, c.Rule(kDstAlign));
          }),
      row("dst-align-element", kDstAlign,
          "is content with a destination aligned to its elements",
          "reductions of whole iterations want no more")
          .Where(row.groups() || row.orders())
          .JudgedBy([](const Call& c, const State& s) {
            const bool aligned = c.dst().at % ElementBytes(c.dtype) == 0;
            return Weakened(Real(c, s), c.Rule(kDstAlign), !aligned);
          }),
      row("dst-align-half-as-float", kDstAlign,
          "is content with 16 bytes for float, as for half")
          .Where(row.groups() && row.trees())
          .MisreadBy([](Call& c) {
            if (c.dtype == DType::kFloat) c.dst() = AlignedTo16(c.dst());
          }),
      row("bounds-all-results", kBounds,
          "wants space for the results of no lane, too",
          "a checker that reserves all results of an iteration")
          .Where(row.groups())
          .StricterBy([](RuleSet& broken, const Call& c, const State& s) {
            const Plan p = RealPlan<emulator::ReduceSumSeams>(c, s);
            if (p.empty()) return;
            const Wide end =
                (p.repeats - 1) * Wide{p.dst_repeat_stride} + ResultBytes(c);
            broken.AddIf(end > c.dst().bytes, c.Rule(kBounds));
          }),
      row("bounds-filled-results-free", kBounds,
          "wants no space for results that only atlas-200i-500-a2 writes")
          .Where(row.groups())
          .JudgedBy([](const Call& c, const State& s) {
            State other = s;
            if (other.product == Product::kAtlas200i500A2) {
              other.product = Product::kAtlasA2;
            }
            return Weakened(Real(c, s), c.Rule(kBounds),
                            Real(c, other).Contains(c.Rule(kBounds)));
          }),
      row("dtype-float-on-training", kDtype,
          "takes float on atlas-training for supported")
          .Where(row.groups() || row.orders())
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kDtype),
                            c.dtype != DType::kFloat);
          }),
      row("stride-8-bit-limit", kStrideRange,
          "refuses a source stride above 255",
          "strides of other instructions are uint8_t")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(std::max(c.BlkStride(1), c.RepStride(1)) > 255,
                         c.Rule(kStrideRange));
          }),
      row("bounds-full-iteration", kBounds,
          "wants space for the lanes that take no part, too",
          "a checker that reserves 256 bytes for every iteration")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.empty()) return broken;
            const Call full = WithFirstLanes(c, 256 / ElementBytes(c.dtype));
            RuleSet wider = Real(full, s);
            return wider.Contains(c.Rule(kBounds)) ? wider : broken;
          }),
      row("bounds-one-byte-more", kBounds,
          "lets the last element end one byte behind its window")
          .WeakenedBy<kBounds>([](Call& c) { c.dst() = Longer(c.dst(), 1); }),
  };
}

Table Tables(const SumRow& row) {
  return {
      row("position-ub-accepted", kPosition,
          "takes the literal position UB for a queue position",
          "a check of the physical memory")
          .MisreadBy([](Call& c) {
            for (isa::Operand& operand : c.used_operands()) {
              if (operand.position == isa::Position::kUb) {
                operand.position = isa::Position::kVecin;
              }
            }
          }),
      row("dtype-bfloat16-accepted", kDtype,
          "takes bfloat16 for a supported type")
          .MisreadBy([](Call& c) {
            if (c.dtype == DType::kBfloat16) c.dtype = DType::kHalf;
          }),
      row("dst-rep-stride-zero-refused", kDstRepStrideZero,
          "refuses dstRepStride = 0 on every product")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.RepStride(0) == 0, c.Rule(kDstRepStrideZero));
          }),
      row("first-rule-only", kDtypeMatch, "reports one of several broken rules",
          "a checker that returns at the first failure")
          .JudgedBy([](const Call& c, const State& s) {
            return FirstOnly(Real(c, s));
          }),
  };
}

/// Orders and what they want of dst.
Table OrderRules(const SumRow& row) {
  using isa::ReduceOrder;
  return {
      row("order-unchecked", kReduceOrder, "has every order on every product")
          .Where(row.orders())
          .Without<kReduceOrder>(),
      row("order-of-training", kReduceOrder,
          "has ORDER_VALUE_INDEX alone on every product")
          .Where(row.orders())
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.reduce_order != ReduceOrder::kValueIndex,
                         c.Rule(kReduceOrder));
          }),
      row("only-value-on-aicore", kReduceOrder,
          "has ORDER_ONLY_VALUE on atlas-inference-aicore")
          .Where(row.orders())
          .JudgedBy([](const Call& c, const State& s) {
            const bool broken = c.reduce_order != ReduceOrder::kOnlyValue ||
                                s.product != Product::kAtlasInferenceAicore;
            return Weakened(Real(c, s), c.Rule(kReduceOrder), broken);
          }),
      row("index-value-on-200i", kReduceOrder,
          "has ORDER_INDEX_VALUE on atlas-200i-500-a2")
          .Where(row.orders())
          .JudgedBy([](const Call& c, const State& s) {
            const bool broken = c.reduce_order != ReduceOrder::kIndexValue ||
                                s.product != Product::kAtlas200i500A2;
            return Weakened(Real(c, s), c.Rule(kReduceOrder), broken);
          }),
      row("dst-align-pair-in-every-order", kDstAlign,
          "wants space for value and index in every order",
          "the older page has this alignment alone")
          .Where(row.orders())
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.dst().at % (2 * ElementBytes(c.dtype)) != 0,
                         c.Rule(kDstAlign));
          }),
      row("dst-align-8-in-every-type", kDstAlign,
          "wants 8 bytes of half, as of float")
          .Where(row.orders())
          .StricterBy([](RuleSet& broken, const Call& c) {
            const bool both = c.reduce_order == ReduceOrder::kValueIndex ||
                              c.reduce_order == ReduceOrder::kIndexValue;
            broken.AddIf(both && c.dst().at % 8 != 0, c.Rule(kDstAlign));
          }),
      row("dst-align-lone-index-of-half", kDstAlign,
          "is content with 2 bytes for a lone index of half")
          .Where(row.orders())
          .JudgedBy([](const Call& c, const State& s) {
            const bool free = c.reduce_order == ReduceOrder::kOnlyIndex &&
                              c.dst().at % ElementBytes(c.dtype) == 0;
            return Weakened(Real(c, s), c.Rule(kDstAlign), !free);
          }),
      row("bounds-value-alone", kBounds,
          "looks at the first element of a result alone")
          .Where(row.orders())
          .WeakenedBy<kBounds>([](Call& c) {
            if (ResultBytes(c) > ElementBytes(c.dtype)) {
              c.dst() = Longer(c.dst(), ElementBytes(c.dtype));
            }
          }),
  };
}

/// Products and masks, in which the two differ.
Table Differences(const SumRow& row) {
  const bool whole = row.whole();
  const std::string_view other_page =
      row.groups() ? ""
      : whole      ? "RepeatReduceSum's page does not list it"
                   : "the page of 2024 doesn't list it";
  const std::string_view of_half = "a limit written for the 16-bit type alone";
  const auto most_of_half = [](Call& c) {
    if (c.dtype == DType::kFloat && FirstLanesOf(c) <= 128) {
      c[Param::kMask] = std::min<std::int64_t>(c[Param::kMask], 64);
    }
  };
  const auto zero_as_one = [](Call& c) {
    if (c.is_set_mask && c.Has(Param::kMask) && c[Param::kMask] == 0) {
      c[Param::kMask] = 1;
    }
  };
  return {
      row("elems-of-half-for-float", kMaskContiguous,
          "allows 128 lanes for float as well", of_half)
          .Where(!whole)
          .MisreadBy(most_of_half),
      row("elems-zero-accepted", kMaskContiguous,
          "accepts elemsInOneRepeat = 0 with isSetMask")
          .Where(!whole)
          .MisreadBy(zero_as_one),
      row("product-a3-refused", kProduct, "refuses atlas-a3", other_page)
          .ConfusedOn<Product::kAtlasA3, Product::kAtlas200_300_500>(),
      row("product-200i-refused", kProduct, "refuses atlas-200i-500-a2",
          other_page)
          .ConfusedOn<Product::kAtlas200i500A2, Product::kAtlas200_300_500>(),
      row("edition-ignored", kProduct,
          "has the products of the newest edition in 2024 as well")
          .Where(!whole)
          .JudgedBy(
              [](const Call& c, const State& s) { return Real(c, Newest(s)); }),
      row("placeholder-reported-as-elems", kPlaceholder,
          "reports RRS-ELEMS where RRS-PLACEHOLDER is broken")
          .Where(!whole)
          .Instead<kPlaceholder, kMaskContiguous>(),
      row("product-vectorcore-accepted", kProduct,
          "takes atlas-inference-vectorcore for a product that has the "
          "instruction",
          "one row for the inference products")
          .Where(whole)
          .ConfusedOn<Product::kAtlasInferenceVectorcore,
                      Product::kAtlasInferenceAicore>(),
      row("mask-zero-accepted", kMaskContiguous,
          "accepts a contiguous mask of 0",
          "a general page takes 0 for no operation")
          .Where(whole)
          .MisreadBy(zero_as_one),
      row("mask-of-half-for-float", kMaskContiguous,
          "allows 128 lanes for float as well", of_half)
          .Where(whole)
          .MisreadBy(most_of_half),
      row("mask-high-word-accepted", kMaskBits,
          "accepts bits in mask[1] for float")
          .Where(whole)
          .MisreadBy([](Call& c) {
            if (c.is_set_mask && c.dtype == DType::kFloat) c.mask_words[1] = 0;
          }),
      row("mask-low-word-needed", kMaskBits,
          "refuses two words of which the first is 0")
          .Where(whole)
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.is_set_mask && c.Has(Param::kMaskWords) &&
                             c.mask_words[0] == 0,
                         c.Rule(kMaskBits));
          }),
      row("mask-bits-reported-as-contiguous", kMaskBits,
          Kept("reports " +
               std::string(row.signature.Rule(kMaskContiguous).text()) +
               " where " + std::string(row.signature.Rule(kMaskBits).text()) +
               " is broken"))
          .Where(whole)
          .Instead<kMaskBits, kMaskContiguous>(),
      row("placeholder-unchecked", kPlaceholder,
          "accepts any mask where the register is used",
          "newer prints state that it has no meaning")
          .Where(whole)
          .MisreadBy([](Call& c) {
            if (c.is_set_mask) return;
            c[Param::kMask] = 0;
            c.mask_words = {};
          }),
  };
}

}  // namespace

Table Overlaps(const SumRow& row) {
  return {
      row("overlap-iteration-first-only", kOverlapIteration,
          "looks for overlap within an iteration in the first one only",
          "a checker written for repeat = 1, the document's first case")
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlapIteration),
                            Real(Iterations(c, 0, 1), s)
                                .Contains(c.Rule(kOverlapIteration)));
          }),
      row("overlap-iteration-bounding-box", kOverlapIteration,
          "takes an element in a gap between blocks for an overlap",
          "a checker that compares address ranges, not bytes")
          .JudgedBy([](const Call& c, const State& s) {
            return Stricter(c, s, kOverlapIteration,
                            [](const Extent& box, const Extent& element) {
                              return element.begin != box.begin &&
                                     box.Meets(element);
                            });
          }),
      row("overlap-iteration-touching", kOverlapIteration,
          "takes an element right before or behind the source for one that "
          "overlaps it",
          "<= for < in a comparison of ranges")
          .JudgedBy([](const Call& c, const State& s) {
            return Stricter(c, s, kOverlapIteration, Touch);
          }),
      row("overlap-iteration-in-place-refused", kOverlapIteration,
          "refuses an element written where the lowest lane starts")
          .JudgedBy([](const Call& c, const State& s) {
            return Stricter(c, s, kOverlapIteration,
                            [](const Extent& box, const Extent& element) {
                              return element.begin == box.begin;
                            });
          }),
      row("overlap-dependency-next-only", kOverlapDependency,
          "looks for a dependency of an iteration on the one before only",
          "the document speaks of iterations N and N+1")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(c.Rule(kOverlapDependency))) return broken;
            bool next = false;
            for (std::int64_t r = 0; r + 1 < c[Param::kRepeatTimes]; ++r) {
              next = next || Real(Iterations(c, r, 2), s)
                                 .Contains(c.Rule(kOverlapDependency));
            }
            return Weakened(broken, c.Rule(kOverlapDependency), next);
          }),
      row("overlap-dependency-first-write-only", kOverlapDependency,
          "looks who reads the first iteration's element and no other's")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(c.Rule(kOverlapDependency))) return broken;
            bool first = false;
            for (std::int64_t q = 1; q < c[Param::kRepeatTimes]; ++q) {
              Call pair = Iterations(c, 0, 2);
              pair[Param::kSrc0RepStride] = q * c.RepStride(1);
              first =
                  first || Real(pair, s).Contains(c.Rule(kOverlapDependency));
            }
            return Weakened(broken, c.Rule(kOverlapDependency), first);
          }),
      row("overlap-dependency-both-ways", kOverlapDependency,
          "refuses an element that an earlier iteration has read",
          "a checker that compares the operands' whole ranges")
          .JudgedBy([](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            if (!broken.empty() || c[Param::kRepeatTimes] < 2) return broken;
            const Plan p = RealPlan<emulator::ReduceSumSeams>(c, s);
            if (p.lanes.empty()) return broken;
            const Extent read = {Box(p, 0).begin, Box(p, p.repeats - 1).end};
            const Extent written = {Element(p, 0).begin,
                                    Element(p, p.repeats - 1).end};
            broken.AddIf(read.Meets(written), c.Rule(kOverlapDependency));
            return broken;
          }),
  };
}

Table Legality(const SumRow& row) {
  return Joined(Ranges(row), Tables(row), OrderRules(row), Differences(row));
}

}  // namespace lanediff::mutants::reductions
