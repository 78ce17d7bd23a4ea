#pragma once

#include <cstdint>
#include <string>

#include "differential/targets/pace.h"
#include "differential/testcase/record.h"

namespace lanediff::make {

/// What a fuzz program did. It leaves this as JSON, and reports print it with
/// what its run adds.
struct FuzzStats {
  double seconds = 0;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;         ///< cases without a rejected step
  std::uint64_t nodes = 0;         ///< arithmetic nodes of legal cases
  std::uint64_t operations = 0;    ///< nodes and elements written, legal cases
  std::uint64_t long_repeats = 0;  ///< legal cases with 64 iterations or more
  std::uint64_t findings = 0;      ///< cases that disagreed
  std::uint64_t beyond = 0;  ///< inputs that the target doesn't claim, not run
  std::string build;         ///< `diff::BuildName()`
  diff::Pace pace;

  static void Fields(auto& s, auto& v) {
    ReportedFields(s, v);
    LANEDIFF_REQUIRED(v, s.pace, s.build, s.beyond);
  }

  /// Those that a report prints as they are; of the others it prints rates.
  static void ReportedFields(auto& s, auto& v) {
    v.Required("seconds", s.seconds, kNotNegative);
    LANEDIFF_REQUIRED(v, s.cases, s.legal, s.nodes, s.operations,
                      s.long_repeats, s.findings);
  }
};

}  // namespace lanediff::make
