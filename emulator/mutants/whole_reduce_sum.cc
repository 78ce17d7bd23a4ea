// WholeReduceSum: what it has beyond RepeatReduceSum, masks of two words and
// products.

#include <algorithm>
#include <bit>

#include "emulator/address.h"
#include "emulator/mutants/judge.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::wrs;
using emulator::LaneMask;
using emulator::State;
using isa::DType;
using isa::Product;
using isa::RuleSet;
using Call = isa::WholeReduceSum;
using Plan = emulator::ReduceSumPlan;

/// Its products, of which RepeatReduceSum lacks some.
Table Products() {
  return {
      ConfusedOn<Call, Product::kAtlasA3, Product::kAtlas200_300_500>(
          {"product-a3-refused", rule::kProduct, "refuses atlas-a3",
           "RepeatReduceSum's page does not list it"}),
      ConfusedOn<Call, Product::kAtlas200i500A2, Product::kAtlas200_300_500>(
          {"product-200i-refused", rule::kProduct, "refuses atlas-200i-500-a2",
           "RepeatReduceSum's page does not list it"}),
      ConfusedOn<Call, Product::kAtlasInferenceVectorcore,
                 Product::kAtlasInferenceAicore>(
          {"product-vectorcore-accepted", rule::kProduct,
           "takes atlas-inference-vectorcore for a product that has the "
           "instruction",
           "one row for the inference products"}),
  };
}

/// Its masks, a number or two words.
Table Masks() {
  return {
      MisreadBy<Call>({"mask-zero-accepted", rule::kMaskContiguous,
                       "accepts a contiguous mask of 0",
                       "a general page takes 0 for no operation"},
                      [](Call& c) {
                        if (c.form == Call::kContiguous && c.is_set_mask &&
                            c.mask == 0) {
                          c.mask = 1;
                        }
                      }),
      MisreadBy<Call>({"mask-of-half-for-float", rule::kMaskContiguous,
                       "allows 128 lanes for float as well",
                       "a limit written for the 16-bit type alone"},
                      [](Call& c) {
                        if (FirstLanesOf(c) <= 128 &&
                            c.dtype == DType::kFloat) {
                          c.mask = std::min<std::int64_t>(c.mask, 64);
                        }
                      }),
      MisreadBy<Call>({"mask-high-word-accepted", rule::kMaskBits,
                       "accepts bits in mask[1] for float"},
                      [](Call& c) {
                        if (c.form == Call::kBitwise && c.is_set_mask &&
                            c.dtype == DType::kFloat) {
                          c.mask_words[1] = 0;
                        }
                      }),
      StricterBy<Call>({"mask-low-word-needed", rule::kMaskBits,
                        "refuses two words of which the first is 0"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.is_set_mask &&
                                          c.form == Call::kBitwise &&
                                          c.mask_words[0] == 0,
                                      rule::kMaskBits);
                       }),
      JudgedBy<Call>(
          {"mask-bits-reported-as-contiguous", rule::kMaskBits,
           "reports WRS-MASK-CONTIGUOUS where WRS-MASK-BITS is broken"},
          [](const Call& c, const State& s) {
            return Instead(Real(c, s), rule::kMaskBits, rule::kMaskContiguous);
          }),
      MisreadBy<Call>({"placeholder-unchecked", rule::kPlaceholder,
                       "accepts any mask where the register is used",
                       "newer prints state that it has no meaning"},
                      [](Call& c) {
                        if (c.is_set_mask) return;
                        c.mask = 0;
                        c.mask_words = {};
                      }),
  };
}

}  // namespace

Table WholeReduceSumLegality() { return Joined(Products(), Masks()); }

Table WholeReduceSumPlans() {
  const auto bitwise = [](const Call& c) {
    return c.is_set_mask && c.form == Call::kBitwise;
  };
  using Bitwise = decltype(bitwise);
  return Joined(
      Table{
          Planned<Call>(
              {"own-mask-words-swapped", rule::kMaskLanes,
               "takes mask[1] for the first 64 lanes",
               "SetVectorMask has the high word first, mask[] the low one"},
              [](Plan& p, const Call& c) {
                if (!Bitwise{}(c) || c.dtype != DType::kHalf) return;
                p.lanes = {.low = c.mask_words[1], .high = c.mask_words[0]};
              }),
          Planned<Call>({"own-mask-bits-reversed", rule::kMaskLanes,
                         "takes the highest bit of a word of its own mask for "
                         "the first lane"},
                        [](Plan& p, const Call& c) {
                          if (Bitwise{}(c)) p.lanes = BitsReversed(p.lanes);
                        }),
          Planned<Call>({"own-mask-counted", rule::kMaskLanes,
                         "takes the number of bits for that of the first lanes",
                         "a mask turned into a length"},
                        [](Plan& p, const Call& c) {
                          if (!Bitwise{}(c)) return;
                          p.lanes =
                              LaneMask::First(std::popcount(p.lanes.low) +
                                              std::popcount(p.lanes.high));
                        }),
          Planned<Call>(
              {"own-mask-from-the-end", rule::kMaskLanes,
               "takes a contiguous mask for the last lanes of the iteration"},
              [](Plan& p, const Call& c) {
                const std::int64_t lanes = FirstLanesOf(c);
                if (lanes == 0) return;
                const std::int64_t all = 256 / emulator::ElementBytes(c.dtype);
                const LaneMask every = LaneMask::First(all);
                const LaneMask rest = LaneMask::First(all - lanes);
                p.lanes = {.low = every.low & ~rest.low,
                           .high = every.high & ~rest.high};
              }),
          Planned<Call>({"own-mask-in-words-ignored", rule::kMaskLanes,
                         "takes all lanes where two words select",
                         "a call that only knows the form with a number"},
                        [](Plan& p, const Call& c) {
                          if (!Bitwise{}(c)) return;
                          p.lanes = LaneMask::First(
                              256 / emulator::ElementBytes(c.dtype));
                        }),
      },
      FirstLanes<Call>("mask", rule::kMaskLanes));
}

}  // namespace lanediff::mutants
