#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/rule.h"

/// Joins records by their `Fields()`, whatever they hold.
namespace lanediff {

/// Adds `more` to `sum`, field by field: numbers are added, a flag is set if
/// either is, a text or word stays, records and optional ones are joined. Texts
/// in a list are united; records in a list with the same texts and rules are
/// joined, others appended; both lists are sorted by these then. Derived fields
/// and lists of anything else stay. A record with a number that is no count or
/// time, such as a maximum, has `JoinOwn`, or the caller puts that right.
template <Record T>
void JoinInto(const T& more, T& sum);

namespace record_join {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

/// Shows each stored field of a record to `Visit` of the derived class.
template <class Self>
class Visitor {
 public:
  void Format(std::string_view) {}
  void Document(std::string_view) {}
  void Required(std::string_view, auto& value, const Allowed& = {}) {
    static_cast<Self*>(this)->Visit(value);
  }
  void RequiredIf(bool, std::string_view, auto& value, const Allowed& = {}) {
    static_cast<Self*>(this)->Visit(value);
  }
  void Optional(std::string_view, auto& value, const Allowed& = {}) {
    static_cast<Self*>(this)->Visit(value);
  }
  void OptionalIf(bool, std::string_view, auto& value, const Allowed& = {}) {
    static_cast<Self*>(this)->Visit(value);
  }
  void Derived(std::string_view, const auto&, const Allowed& = {}) {}
  void Renamed(std::string_view, std::string_view) {}
};

/// Where the fields of a record are, in their order.
class Places : public Visitor<Places> {
 public:
  template <class T>
  void Visit(const T& value) {
    fields.push_back(&value);
  }
  std::vector<const void*> fields;
};

/// The texts and rules of a record, which distinguish it in a list.
class Key : public Visitor<Key> {
 public:
  template <class T>
  void Visit(const T& value) {
    if constexpr (std::same_as<T, std::string>) {
      text += value + '\0';
    } else if constexpr (std::same_as<T, isa::RuleId>) {
      text += std::string(value.text()) + '\0';
    }
  }
  std::string text;
};

template <class T>
std::string KeyOf(const T& item) {
  if constexpr (Record<T>) {
    Key key;
    T::Fields(item, key);
    return key.text;
  } else {
    return item;
  }
}

template <class T>
void JoinLists(const std::vector<T>& more, std::vector<T>& sum) {
  std::map<std::string, T> all;
  for (const auto* const list : {&std::as_const(sum), &more}) {
    for (const T& item : *list) {
      const auto found = all.try_emplace(KeyOf(item), item);
      if constexpr (Record<T>) {
        if (!found.second) JoinInto(item, found.first->second);
      }
    }
  }
  sum.clear();
  for (auto& [key, item] : all) sum.push_back(std::move(item));
}

class Joiner : public Visitor<Joiner> {
 public:
  explicit Joiner(Places more) : more_(std::move(more)) {}

  template <class T>
  void Visit(T& sum) {
    JoinValue(*static_cast<const T*>(more_.fields[next_++]), sum);
  }

 private:
  template <class T>
  static void JoinValue(const T& more, T& sum) {
    if constexpr (std::same_as<T, bool>) {
      sum = sum || more;
    } else if constexpr (std::is_arithmetic_v<T>) {
      sum += more;
    } else if constexpr (Record<T>) {
      JoinInto(more, sum);
    } else if constexpr (kIsOptional<T>) {
      if (more && sum) {
        JoinValue(*more, *sum);
      } else if (more) {
        sum = more;
      }
    } else if constexpr (kIsList<T>) {
      using Item = typename T::value_type;
      if constexpr (Record<Item> || std::same_as<Item, std::string>) {
        JoinLists(more, sum);
      }
    }
  }

  Places more_;
  std::size_t next_ = 0;
};

}  // namespace record_join

template <Record T>
void JoinInto(const T& more, T& sum) {
  if constexpr (requires { sum.JoinOwn(more); }) {
    sum.JoinOwn(more);
    return;
  }
  record_join::Places places;
  T::Fields(more, places);
  record_join::Joiner joiner(std::move(places));
  T::Fields(sum, joiner);
}

}  // namespace lanediff
