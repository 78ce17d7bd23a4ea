#pragma once

#include <type_traits>
#include <variant>

#include "isa/step.h"

namespace lanediff::isa {

/// Moves the family's calls from the front of `Rest` to the end of `Found`.
template <template <class...> class List, class Found, class Rest>
struct ElementwiseCallsOf;
template <template <class...> class List, class... Found>
struct ElementwiseCallsOf<List, std::variant<Found...>, std::variant<>> {
  using Type = List<Found...>;
};
template <template <class...> class List, class... Found, class S,
          class... Rest>
struct ElementwiseCallsOf<List, std::variant<Found...>,
                          std::variant<S, Rest...>>
    : ElementwiseCallsOf<
          List,
          std::conditional_t<Elementwise<S>, std::variant<Found..., S>,
                             std::variant<Found...>>,
          std::variant<Rest...>> {};

/// `List<Min, ...>` of all calls of Min's family, in the order of the steps'
/// numbers.
template <template <class...> class List>
using ElementwiseCalls =
    typename ElementwiseCallsOf<List, std::variant<>, Step>::Type;

}  // namespace lanediff::isa
