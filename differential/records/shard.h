#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "differential/testcase/json.h"
#include "differential/testcase/record.h"

namespace lanediff::make {

/// Part `index` of `count`: of a numbered space, the numbers that leave `index`
/// when divided by `count`. All parts together are the whole, none twice.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;  ///< more than `index`

  bool Holds(std::uint64_t number) const { return number % count == index; }
  std::string Text() const { return fmt::format("{}/{}", index, count); }
  /// Whether it is less than the whole.
  bool IsPart() const { return count > 1; }

  friend bool operator==(const Shard&, const Shard&) = default;

  /// Whether `index` is not below `count`.
  std::optional<CaseError> Fault() const {
    return NotBelow("/index", index, count);
  }

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Required("index", s.index, kNotNegative);
    v.Required("count", s.count,
               {.low = 1, .high = std::numeric_limits<std::uint32_t>::max()});
  }
};

}  // namespace lanediff::make
