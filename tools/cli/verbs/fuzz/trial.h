#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "tools/cli/verbs/fuzz/setup.h"

/// Runs a case in a process of its own, which may end in any way.
namespace lanediff::cli {

/// How a trial ended.
enum class TrialEnd {
  kShows,     ///< the finding shows again
  kAgrees,    ///< it does not
  kCrashes,   ///< the process ended by a signal, hung, or had status 3
  kNotTried,  ///< the file can't be read, or there is no such program
};

struct Trial {
  TrialEnd end = TrialEnd::kNotTried;
  std::string line;  ///< of its output, the report of a failure or the last
};

/// The program that replays a finding.
enum class Replayer {
  kTarget,  ///< the target of the options: `lanediff check`
  kLint,    ///< lint, beside its model: `lanediff lint --compare`
};

/// The replayer of a finding of `signature`.
Replayer ReplayerOf(const std::string& signature);

/// Replays the case in `path`.
Trial CheckInProcess(const FuzzSetup& setup, const std::string& path,
                     Replayer replayer);

/// Shrinks the case in `path` to `out`, a target's for at most `seconds`;
/// whether it is there.
bool ShrinkInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& out, double seconds, Replayer replayer);

/// Runs fuzz program `program` on the one input in `path`; crashes or agrees.
Trial RunInput(const FuzzSetup& setup, const std::string& program,
               const std::string& path);

}  // namespace lanediff::cli
