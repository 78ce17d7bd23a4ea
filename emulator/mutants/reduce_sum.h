#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"
#include "emulator/reduce_sum.h"
#include "isa/elementwise.h"

/// What the mutants of RepeatReduceSum and WholeReduceSum are made with: what
/// the two have in common is planted once, as a template.
namespace lanediff::mutants {

/// The names of the rules of `Call` that the other one has, too.
template <class Call>
struct ReduceSumRules {
  struct Words {
    static constexpr std::string_view kRules =
        std::same_as<Call, isa::WholeReduceSum> ? "WRS" : "RRS";
  };
  template <isa::RuleEnd kEnd>
  static constexpr isa::RuleId kNamed = isa::NamedRule<Words, kEnd>::kId;

  static constexpr isa::RuleId kProduct = kNamed<"-PRODUCT">;
  static constexpr isa::RuleId kDtype = kNamed<"-DTYPE">;
  static constexpr isa::RuleId kDtypeMatch = kNamed<"-DTYPE-MATCH">;
  static constexpr isa::RuleId kPosition = kNamed<"-POSITION">;
  static constexpr isa::RuleId kDstAlign = kNamed<"-DST-ALIGN">;
  static constexpr isa::RuleId kSrcAlign = kNamed<"-SRC-ALIGN">;
  static constexpr isa::RuleId kRepeat = kNamed<"-REPEAT">;
  static constexpr isa::RuleId kStrideRange = kNamed<"-STRIDE-RANGE">;
  static constexpr isa::RuleId kDstRepStrideZero =
      kNamed<"-DST-REP-STRIDE-ZERO">;
  static constexpr isa::RuleId kBounds = kNamed<"-BOUNDS">;
  static constexpr isa::RuleId kOverlapIteration = kNamed<"-OVERLAP-ITERATION">;
  static constexpr isa::RuleId kOverlapDependency =
      kNamed<"-OVERLAP-DEPENDENCY">;
  static constexpr isa::RuleId kAddress = kNamed<"-ADDRESS">;
  static constexpr isa::RuleId kTree = kNamed<"-TREE">;
  static constexpr isa::RuleId kSaturate = kNamed<"-SATURATE">;
  static constexpr isa::RuleId kInOrder = kNamed<"-IN-ORDER">;
  static constexpr isa::RuleId kMaskEmpty = kNamed<"-MASK-EMPTY">;
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
