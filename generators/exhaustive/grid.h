#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/fields.h"
#include "isa/state.h"
#include "isa/step.h"
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
  std::string field;
  std::vector<std::string> values;  ///< as they are listed
  std::function<void(Draft<Call>&, std::size_t)> set;
};

/// An axis of numbers or of words of the documents.
template <class Call, class T, class Set>
Axis<Call> Values(std::string_view field, std::vector<T> values, Set set) {
  std::vector<std::string> texts;
  for (const T value : values) {
    if constexpr (std::is_enum_v<T>) {
      texts.emplace_back(isa::Name(value));
    } else {
      texts.push_back(std::to_string(value));
    }
  }
  return {std::string(field), std::move(texts),
          [values = std::move(values), set](Draft<Call>& draft, std::size_t i) {
            set(draft, values[i]);
          }};
}

template <class Call, class Set>
Axis<Call> Numbers(std::string_view field, std::vector<std::int64_t> numbers,
                   Set set) {
  return Values<Call>(field, std::move(numbers), set);
}

/// An axis of a member of the call.
template <class Call, class T>
Axis<Call> Member(std::string_view field, T Call::* member,
                  std::type_identity_t<std::vector<T>> values) {
  return Values<Call>(field, std::move(values),
                      [member](Draft<Call>& d, T v) { d.call.*member = v; });
}

/// And of a member of a member.
template <class Call, class Part, class T>
Axis<Call> Member(std::string_view field, Part Call::* part, T Part::* member,
                  std::type_identity_t<std::vector<T>> values) {
  return Values<Call>(
      field, std::move(values),
      [part, member](Draft<Call>& d, T v) { d.call.*part.*member = v; });
}

template <class Call>
Axis<Call> Products(std::vector<isa::Product> products) {
  return Values<Call>("product", std::move(products),
                      [](Draft<Call>& d, isa::Product v) { d.c.product = v; });
}

/// An axis of which each value has a name of its own.
template <class Call, class T, class Set>
Axis<Call> Named(std::string_view field,
                 std::vector<std::pair<std::string, T>> named, Set set) {
  std::vector<std::string> values;
  for (const auto& [name, value] : named) values.push_back(name);
  return {std::string(field), std::move(values),
          [named = std::move(named), set](Draft<Call>& draft, std::size_t i) {
            set(draft, named[i].second);
          }};
}

inline constexpr std::uint64_t kAll = ~std::uint64_t{0};
inline constexpr isa::SetVectorMask kAllLanes = {kAll, kAll};
inline constexpr isa::SetVectorMask kEveryThird = {0x9249249249249249,
                                                   0x9249249249249249};

/// Masks that the register has before the call.
template <class Call>
Axis<Call> Registers(
    std::vector<std::pair<std::string, isa::SetVectorMask>> masks) {
  return Named<Call>(
      "register", std::move(masks),
      [](Draft<Call>& d, const isa::SetVectorMask& v) { d.before = {v}; });
}

/// Two words as the mask of a call in the form `form`.
template <class Call>
Axis<Call> MaskWords(std::uint8_t form) {
  using Mask = std::array<std::uint64_t, 2>;
  return Named<Call>("mask",
                     std::vector<std::pair<std::string, Mask>>{
                         {"none", {0, 0}},
                         {"lane-3", {8, 0}},
                         {"lanes-0-and-64", {1, 1}},
                         {"lane-127", {0, std::uint64_t{1} << 63}},
                         {"first-64", {kAll, 0}},
                         {"all", {kAll, kAll}}},
                     [form](Draft<Call>& d, const Mask& v) {
                       d.call.form = form;
                       d.call.mask_words = v;
                     });
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

/// An axis for each of these parameters that the row has.
inline void AddIntegers(
    Grid<isa::Call>& grid, const isa::Signature& row,
    const std::vector<std::pair<isa::Param, std::vector<std::int64_t>>>& all) {
  for (const auto& [param, values] : all) {
    if (!row.Has(param)) continue;
    grid.axes.push_back(Numbers<isa::Call>(
        isa::NameOf(row, param), values,
        [p = param](Draft<isa::Call>& d, std::int64_t v) { d.call[p] = v; }));
  }
}

}  // namespace lanediff::make::exhaust
