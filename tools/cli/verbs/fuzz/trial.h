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
  kCrashes,   ///< the process ended by a signal, hung, or said status 3
  kNotTried,  ///< the file can't be read, or there is no such program
};

struct Trial {
  TrialEnd end = TrialEnd::kNotTried;
  std::string said;  ///< the line that says most, of what it printed
};

/// Who is asked of a finding again.
enum class Asked {
  kTarget,  ///< the target of the options: `lanediff check`
  kLint,    ///< lint, beside its model: `lanediff lint --compare`
};

/// That of a finding of `signature`.
Asked AskedOf(const std::string& signature);

/// Asks of the case in `path` again.
Trial CheckInProcess(const FuzzSetup& setup, const std::string& path,
                     Asked asked);

/// Shrinks the case in `path` to `out`, a target's for at most `seconds`;
/// whether it is there.
bool ShrinkInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& out, double seconds, Asked asked);

/// Runs fuzz program `program` on the one input in `path`; crashes or agrees.
Trial RunInput(const FuzzSetup& setup, const std::string& program,
               const std::string& path);

}  // namespace lanediff::cli
