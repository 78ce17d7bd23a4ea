#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "differential/testcase/case_error.h"
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

  static void Fields(auto& s, auto& v) {
    v.Required("index", s.index, kNotNegative);
    v.Required("count", s.count,
               {.low = 1, .high = std::numeric_limits<std::uint32_t>::max()});
  }
};

/// How large a sample is, and of how many cases it was drawn.
struct SampleSize {
  std::uint64_t per_rule = 0;  ///< numbers of a rule in an instruction, at most
  std::uint64_t cases = 0;
  std::uint64_t of = 0;
  bool meant = false;  ///< --sample: it is enough

  /// Whether cases are missing, and --sample is.
  bool IsTooSmall() const { return cases < of && !meant; }

  /// Adds another part of the same sample.
  void Add(const SampleSize& more) {
    per_rule = more.per_rule;
    cases += more.cases;
    of += more.of;
    meant = more.meant;
  }

  friend bool operator==(const SampleSize&, const SampleSize&) = default;

  static void Fields(auto& s, auto& v) {
    v.Required("perRule", s.per_rule,
               {.description = "at most so many systematic cases of each rule "
                               "of an instruction, and as many of none"});
    v.Required("cases", s.cases, {.description = "in the sample"});
    v.Required("of", s.of, {.description = "so many there are"});
    v.Optional("meant", s.meant,
               {.description = "--sample: less than all is enough"});
  }
};

/// "a sample of 3 of 40 cases (7.5 %)".
inline std::string SampleText(const SampleSize& size) {
  if (size.of == 0) return "a sample of 0 of 0 cases";
  const double share =
      100 * static_cast<double>(size.cases) / static_cast<double>(size.of);
  return fmt::format("a sample of {} of {} cases ({:.3g} %)", size.cases,
                     size.of,
                     size.cases < size.of ? std::min(share, 99.9) : share);
}

/// Why a run on this sample is no success; empty where it may be one.
inline std::string TooSmallText(const std::optional<SampleSize>& size) {
  if (!size || !size->IsTooSmall()) return "";
  return fmt::format(
      "{} was compared; fix: leave out --max-cases, or give --sample where a "
      "sample is meant",
      SampleText(*size));
}

}  // namespace lanediff::make
