#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/vocabulary.h"

/// A call whose fields each run through a list of values, in every combination.
namespace lanediff::make::exhaust {

/// A case in the making.
template <class Call>
struct Draft {
  Case c;
  Call call;
  std::vector<isa::Step> before;  ///< steps in front of the call
  std::vector<isa::Step> after;   ///< and behind it
};

/// One field and the values that it takes.
template <class Call>
struct Axis {
  std::string_view field;
  std::vector<std::string> values;  ///< as they are listed
  std::function<void(Draft<Call>&, std::size_t)> set;
};

/// An axis of numbers.
template <class Call, class Set>
Axis<Call> Numbers(std::string_view field, std::vector<std::int64_t> numbers,
                   Set set) {
  std::vector<std::string> values;
  for (std::int64_t number : numbers) values.push_back(std::to_string(number));
  return {field, std::move(values),
          [numbers = std::move(numbers), set](
              Draft<Call>& draft, std::size_t i) { set(draft, numbers[i]); }};
}

/// An axis of words of the documents.
template <class Call, class E, class Set>
Axis<Call> Words(std::string_view field, std::vector<E> words, Set set) {
  std::vector<std::string> values;
  for (E word : words) values.emplace_back(isa::Name(word));
  return {field, std::move(values),
          [words = std::move(words), set](Draft<Call>& draft, std::size_t i) {
            set(draft, words[i]);
          }};
}

/// An axis of which each value has a name of its own.
template <class Call, class T, class Set>
Axis<Call> Named(std::string_view field,
                 std::vector<std::pair<std::string, T>> named, Set set) {
  std::vector<std::string> values;
  for (const auto& [name, value] : named) values.push_back(name);
  return {field, std::move(values),
          [named = std::move(named), set](Draft<Call>& draft, std::size_t i) {
            set(draft, named[i].second);
          }};
}

/// Every combination of the values of some axes. Combination n is n written in
/// mixed radix, the last axis changing fastest; axes are set in their order, so
/// that one may build on those before it.
template <class Call>
struct Grid {
  std::string_view form;  ///< which form of the call, in a few words
  std::vector<Axis<Call>> axes;

  std::uint64_t size() const {
    std::uint64_t product = 1;
    for (const Axis<Call>& axis : axes) product *= axis.values.size();
    return product;
  }

  void Set(std::uint64_t number, Draft<Call>& draft) const {
    std::uint64_t rest = size();
    for (const Axis<Call>& axis : axes) {
      rest /= axis.values.size();
      axis.set(draft, static_cast<std::size_t>(number / rest));
      number %= rest;
    }
  }

  std::string Text() const {
    std::string text = fmt::format("{} ({} cases):", form, size());
    for (const Axis<Call>& axis : axes) {
      text += fmt::format(" {}{} {{{}}}", &axis == &axes.front() ? "" : "x ",
                          axis.field, fmt::join(axis.values, " "));
    }
    return text;
  }
};

}  // namespace lanediff::make::exhaust
