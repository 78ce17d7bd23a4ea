#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "reports/report.h"

/// Tables of records: a column for each field of `Fields` that is a number, a
/// text or a word, under its name in the document.
namespace lanediff::reports {

/// A visitor of a record's fields that makes its columns and its row.
class RowMaker {
 public:
  std::vector<Report::Column> columns;
  Report::Row row;

  void Format(std::string_view) {}
  void Document(std::string_view) {}
  template <class T>
  void Required(std::string_view name, const T& value, const Allowed& = {}) {
    using enum Report::Column::Kind;
    if constexpr (std::same_as<T, bool>) {
      Add(name, kText, value ? "yes" : "no");
    } else if constexpr (std::same_as<T, std::string>) {
      Add(name, kText, value);
    } else if constexpr (std::same_as<T, double>) {
      Add(name, kNumber,
          value >= 100 ? fmt::format("{:.0f}", value)
                       : fmt::format("{:.3g}", value));
    } else if constexpr (std::integral<T>) {
      Add(name, kNumber, std::to_string(value));
    } else if constexpr (std::is_enum_v<T>) {
      Add(name, kText, std::string(isa::Name(value)));
    } else if constexpr (std::same_as<T, isa::RuleId>) {
      Add(name, kText, std::string(value.text()));
    }
  }
  template <class T>
  void RequiredIf(bool, std::string_view name, const T& value,
                  const Allowed& = {}) {
    Required(name, value);
  }
  template <class T>
  void Optional(std::string_view name, const T& value, const Allowed& = {}) {
    Required(name, value);
  }
  template <class T>
  void OptionalIf(bool, std::string_view name, const T& value,
                  const Allowed& = {}) {
    Required(name, value);
  }
  template <class F>
  void Derived(std::string_view name, const F& function, const Allowed& = {}) {
    Required(name, function());
  }
  void Together(std::string_view, std::string_view) {}
  void Renamed(std::string_view, std::string_view) {}

 private:
  void Add(std::string_view name, Report::Column::Kind kind, std::string text);
};

/// Adds a row for `record`; `first`, if given, is a column before its own ones.
template <Record T>
void AddRecord(const T& record, Report::Section& section,
               std::string_view first = {}, const std::string& text = {}) {
  RowMaker maker;
  if (!first.empty()) maker.Required(first, text);
  T::Fields(record, maker);
  section.columns = std::move(maker.columns);
  section.rows.push_back(std::move(maker.row));
}

/// A row for each record.
template <Record T>
Report::Section TableOf(std::string title, const std::vector<T>& records) {
  Report::Section section = {.title = std::move(title)};
  for (const T& record : records) AddRecord(record, section);
  return section;
}

}  // namespace lanediff::reports
