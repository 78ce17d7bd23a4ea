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
    v.Required("pace", s.pace);
    v.Required("build", s.build);
    v.Required("beyond", s.beyond);
  }

  /// Those that a report prints as they are; of the others it prints rates.
  static void ReportedFields(auto& s, auto& v) {
    v.Required("seconds", s.seconds, kNotNegative);
    v.Required("cases", s.cases);
    v.Required("legal", s.legal);
    v.Required("nodes", s.nodes);
    v.Required("operations", s.operations);
    v.Required("longRepeats", s.long_repeats);
    v.Required("findings", s.findings);
  }
};

}  // namespace lanediff::make
