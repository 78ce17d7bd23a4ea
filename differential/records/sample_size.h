#pragma once

#include <cstdint>
#include <string>

#include "differential/testcase/record.h"

namespace lanediff::make {

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

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
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
std::string SampleText(const SampleSize& size);

}  // namespace lanediff::make
