#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "differential/compare/known_issues.h"
#include "reports/record.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {

/// What became of the raw findings.
struct Triaged {
  std::size_t fresh = 0;      ///< findings that are in no list of known issues
  std::size_t crashes = 0;    ///< of `fresh`: inputs that end the target
  std::size_t unwritten = 0;  ///< could not be saved; their raw files stay
  std::set<std::string> taken;  ///< signatures that programs noted, looked at
};

/// Turns raw findings into reports, in numbered steps so that a kill at any
/// moment loses nothing:
///
/// 1. everything in raw/ and artifacts/ of the run's own folder is taken up,
///    of any earlier run;
/// 2. it is confirmed in a process of its own; what does not show again moves
///    to OUT/unconfirmed and is reported as not deterministic;
/// 3. the smallest confirmed case of a signature is shrunk, in a process of its
///    own, for some seconds;
/// 4. it becomes OUT/findings/SIGNATURE.json ("/" replaced by "-") unless a
///    smaller one is there; a file there that is no finding of that signature
///    stays, and ours gets a number;
/// 5. only then the raw files are removed.
///
/// Each signature is one case of `run`, printed with how often it was found by
/// `counts` and the command that shows it again. Raw files stay where the user
/// interrupts.
Triaged TriageFindings(const FuzzSetup& setup,
                       const std::map<std::string, std::uint64_t>& counts,
                       diff::KnownIssueFilter& known, reports::RunRecord& run);

}  // namespace lanediff::cli
