#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "emulator/elementwise.h"
#include "emulator/mutants/plant.h"

/// What the mutants of element-wise calls are made with: each is planted once,
/// as a template, and registered for every call.
namespace lanediff::mutants {

template <class Call>
struct ElementwiseRulesOf;
template <class Tag>
struct ElementwiseRulesOf<isa::ElementwiseCall<Tag>> {
  using Type = isa::ElementwiseRules<Tag>;
};
/// The names of the rules of `Call`.
template <isa::Elementwise Call>
using RulesOf = typename ElementwiseRulesOf<Call>::Type;

/// Whether the call gives one of its operands, which is never too large.
template <isa::Elementwise Call>
inline constexpr bool kGivesOneOfTwo =
    std::same_as<Call, isa::Min> || std::same_as<Call, isa::Max>;

/// `table.template operator()<Call>()` of every element-wise call.
template <class TableOf>
Table OfEachElementwise(TableOf table) {
  Table all;
  isa::ForEachIntrinsic([&]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      all = Joined(std::move(all), table.template operator()<Call>());
    }
  });
  return all;
}

}  // namespace lanediff::mutants
