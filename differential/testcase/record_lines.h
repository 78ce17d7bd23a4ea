#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "differential/testcase/record.h"

/// Records as lines "name value", for what one of our processes leaves to
/// another. The fields of a record in a record come after its name and "_".
namespace lanediff {

namespace record_lines {

/// Values by name.
using Values = std::map<std::string, std::string, std::less<>>;

Values ParseLines(std::string_view text);

std::string TextOf(std::uint64_t value);
std::string TextOf(double value);
inline std::string TextOf(const std::string& value) { return value; }

/// Leave `value` as it is where `text` is something else.
void Parse(const std::string& text, std::uint64_t& value);
void Parse(const std::string& text, double& value);
inline void Parse(const std::string& text, std::string& value) { value = text; }

class Writer {
 public:
  template <class T>
  void Required(std::string_view name, const T& value, const Allowed& = {}) {
    if constexpr (Record<T>) {
      const std::string outer = prefix_;
      prefix_.append(name).append("_");
      T::Fields(value, *this);
      prefix_ = outer;
    } else {
      text.append(prefix_).append(name).append(" ");
      text.append(TextOf(value)).append("\n");
    }
  }

  std::string text;

 private:
  std::string prefix_;
};

class Reader {
 public:
  explicit Reader(Values values) : values_(std::move(values)) {}

  template <class T>
  void Required(std::string_view name, T& value, const Allowed& = {}) {
    if constexpr (Record<T>) {
      const std::string outer = prefix_;
      prefix_.append(name).append("_");
      T::Fields(value, *this);
      prefix_ = outer;
    } else {
      const auto found = values_.find(prefix_ + std::string(name));
      if (found != values_.end()) Parse(found->second, value);
    }
  }

 private:
  Values values_;
  std::string prefix_;
};

}  // namespace record_lines

/// Texts have no spaces and are not empty.
template <Record T>
std::string RecordLines(const T& record) {
  record_lines::Writer writer;
  T::Fields(record, writer);
  return std::move(writer.text);
}

/// What does not stand in `text` is as in a record that was not filled.
template <Record T>
T ReadRecordLines(std::string_view text) {
  T record;
  record_lines::Reader reader(record_lines::ParseLines(text));
  T::Fields(record, reader);
  return record;
}

}  // namespace lanediff
