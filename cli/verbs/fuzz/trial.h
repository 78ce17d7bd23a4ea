#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "case/case.h"
#include "cli/verbs/fuzz/setup.h"

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

/// `lanediff check PATH` on the target of the options.
Trial CheckInProcess(const FuzzSetup& setup, const std::string& path);

/// `lanediff shrink PATH -o OUT`, for at most `seconds`; whether OUT is there.
bool ShrinkInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& out, double seconds);

/// Runs fuzz program `program` on the one input in `path`; crashes or agrees.
Trial RunInput(const FuzzSetup& setup, const std::string& program,
               const std::string& path);

}  // namespace lanediff::cli
