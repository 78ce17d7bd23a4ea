#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"
#include "emulator/reduce_sum.h"

/// What the mutants of RepeatReduceSum and WholeReduceSum are made with: what
/// the two have in common is planted once, as a template.
namespace lanediff::mutants {

/// The names of the rules of `Call` that the other one has, too.
template <class Call>
struct ReduceSumRules {
#define LANEDIFF_RULE(rule)                                                   \
  static constexpr isa::RuleId rule = std::same_as<Call, isa::WholeReduceSum> \
                                          ? isa::wrs::rule                    \
                                          : isa::rrs::rule
  LANEDIFF_RULE(kProduct);
  LANEDIFF_RULE(kDtype);
  LANEDIFF_RULE(kDtypeMatch);
  LANEDIFF_RULE(kPosition);
  LANEDIFF_RULE(kDstAlign);
  LANEDIFF_RULE(kSrcAlign);
  LANEDIFF_RULE(kRepeat);
  LANEDIFF_RULE(kStrideRange);
  LANEDIFF_RULE(kDstRepStrideZero);
  LANEDIFF_RULE(kBounds);
  LANEDIFF_RULE(kOverlapIteration);
  LANEDIFF_RULE(kOverlapDependency);
  LANEDIFF_RULE(kAddress);
  LANEDIFF_RULE(kTree);
  LANEDIFF_RULE(kSaturate);
  LANEDIFF_RULE(kInOrder);
  LANEDIFF_RULE(kMaskEmpty);
#undef LANEDIFF_RULE
};

auto& RepeatOf(auto& call) {
  if constexpr (requires { call.repeat; }) {
    return call.repeat;
  } else {
    return call.repeat_times;
  }
}

/// How many lanes `c` names by their number; 0 where it doesn't.
inline std::int64_t FirstLanesOf(const isa::RepeatReduceSum& c) {
  return c.is_set_mask ? c.elems_in_one_repeat : 0;
}
inline std::int64_t FirstLanesOf(const isa::WholeReduceSum& c) {
  return c.is_set_mask && c.form == c.kContiguous ? c.mask : 0;
}

/// `c` with the first `lanes` in the place of its own, if it names any.
inline isa::RepeatReduceSum WithFirstLanes(isa::RepeatReduceSum c,
                                           std::int64_t lanes) {
  if (c.is_set_mask) c.elems_in_one_repeat = lanes;
  return c;
}
inline isa::WholeReduceSum WithFirstLanes(isa::WholeReduceSum c,
                                          std::int64_t lanes) {
  if (!c.is_set_mask) return c;
  c.form = c.kContiguous;
  c.mask = lanes;
  c.mask_words = {};
  return c;
}

/// Lanes of calls that name them by their number, `number` in the document.
template <class Call>
Table FirstLanes(std::string_view number, isa::RuleId rule) {
  const std::string word = number == "elemsInOneRepeat" ? "elems" : "mask";
  return {
      Planned<Call>(
          {Kept(word + "-one-less"), rule,
           Kept("leaves out the last lane of " + std::string(number))},
          [](emulator::ReduceSumPlan& p, const Call& c) {
            const std::int64_t lanes = FirstLanesOf(c);
            if (lanes > 1) p.lanes = emulator::LaneMask::First(lanes - 1);
          }),
      Planned<Call>({Kept(word + "-rounded-up-to-block"), rule,
                     "adds the whole DataBlock that the last lane is in",
                     "a kernel that loads whole blocks and forgets the tail"},
                    [](emulator::ReduceSumPlan& p, const Call& c) {
                      if (FirstLanesOf(c) == 0) return;
                      const std::int64_t lanes =
                          32 / emulator::ElementBytes(c.dtype);
                      const std::int64_t all =
                          (FirstLanesOf(c) + lanes - 1) / lanes * lanes;
                      p.lanes = emulator::LaneMask::First(all);
                    }),
  };
}

/// What WholeReduceSum has alone: its masks and products.
Table WholeReduceSumLegality();
Table WholeReduceSumPlans();

/// `table.template operator()<Call>()` of both.
template <class TableOf>
Table OfBothReduceSums(TableOf table) {
  return Joined(table.template operator()<isa::RepeatReduceSum>(),
                table.template operator()<isa::WholeReduceSum>());
}

}  // namespace lanediff::mutants
