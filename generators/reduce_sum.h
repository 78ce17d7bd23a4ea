#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "isa/repeat_reduce_sum.h"
#include "isa/vocabulary.h"
#include "isa/whole_reduce_sum.h"

/// RepeatReduceSum and WholeReduceSum compute the same; here is what they call
/// differently, so that cases for both are made by the same lines.
namespace lanediff::make {

template <class Call>
concept ReduceSum = std::same_as<Call, isa::RepeatReduceSum> ||
                    std::same_as<Call, isa::WholeReduceSum>;

template <ReduceSum Call>
struct ReduceSumWords;

template <>
struct ReduceSumWords<isa::RepeatReduceSum> {
  /// With which its rules' names begin, and that of the number of lanes ends.
  static constexpr std::string_view kRules = "RRS";
  static constexpr std::string_view kLanesRule = "RRS-ELEMS";
  /// The document's names of two fields.
  static constexpr std::string_view kRepeat = "repeat";
  static constexpr std::string_view kLanes = "elemsInOneRepeat";
};

template <>
struct ReduceSumWords<isa::WholeReduceSum> {
  static constexpr std::string_view kRules = "WRS";
  static constexpr std::string_view kLanesRule = "WRS-MASK-CONTIGUOUS";
  static constexpr std::string_view kRepeat = "repeatTimes";
  static constexpr std::string_view kLanes = "mask";
};

/// How often a call repeats.
template <class Call>
  requires ReduceSum<std::remove_const_t<Call>>
auto& RepeatOf(Call& s) {
  if constexpr (requires { s.repeat; }) {
    return s.repeat;
  } else {
    return s.repeat_times;
  }
}

/// Its number of lanes, where that is a number.
template <class Call>
  requires ReduceSum<std::remove_const_t<Call>>
auto& LanesOf(Call& s) {
  if constexpr (requires { s.elems_in_one_repeat; }) {
    return s.elems_in_one_repeat;
  } else {
    return s.mask;
  }
}

/// Whether its mask can be two words.
template <ReduceSum Call>
inline constexpr bool kHasMaskWords = requires(Call s) { s.mask_words; };

}  // namespace lanediff::make
