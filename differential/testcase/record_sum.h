#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "differential/testcase/record.h"

namespace lanediff {

/// Takes the numbers of a record that may not change, and adds them to those of
/// one that may, those of records in them too. Lists are not looked at. It
/// takes every number for a count or a time: one that is not, such as a
/// maximum, has to be put right by who adds.
class NumberAdder {
 public:
  NumberAdder() { numbers_.reserve(16); }

  void Format(std::string_view) {}
  template <class T>
  void Required(std::string_view, T& value, const Allowed& = {}) {
    using Plain = std::remove_const_t<T>;
    constexpr bool kIsNumber = std::same_as<Plain, std::uint64_t> ||
                               std::same_as<Plain, std::int64_t> ||
                               std::same_as<Plain, double>;
    if constexpr (Record<Plain>) {
      Plain::Fields(value, *this);
    } else if constexpr (kIsNumber && std::is_const_v<T>) {
      numbers_.push_back(value);
    } else if constexpr (kIsNumber) {
      value += std::get<Plain>(numbers_[next_++]);
    }
  }
  template <class T>
  void Optional(std::string_view name, T& value, const Allowed& = {}) {
    Required(name, value);
  }
  template <class F>
  void Derived(std::string_view, const F&, const Allowed& = {}) {}
  void Renamed(std::string_view, std::string_view) {}

 private:
  std::vector<std::variant<std::uint64_t, std::int64_t, double>> numbers_;
  std::size_t next_ = 0;
};

/// Adds the numbers of `more` to those of `sum`.
template <Record T>
void AddNumbers(const T& more, T& sum) {
  NumberAdder adder;
  T::Fields(more, adder);
  T::Fields(sum, adder);
}

}  // namespace lanediff
