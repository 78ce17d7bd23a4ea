#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "host/channel.h"
#include "host/report.h"
#include "kernel/options.h"

namespace lanediff::host {

/// What is known of the program before it runs.
struct Watched {
  pid_t pid = -1;
  std::string program;  ///< as the user named it
  kernel::RunOptions options;
  Wanted wanted;
  /// Nobody asked for a run: where no kernel was launched nothing is said, and
  /// the program's own end is passed on; its own status beats ours unless it
  /// is 0.
  bool alone = false;
  bool asked = false;  ///< there were options
};

/// The signals that are passed on to the program, and that of its end. To be
/// blocked before it starts.
sigset_t WatchedSignals();

/// Where the variable is set, who set it wants to know that the library was
/// loaded: a byte is written to the file that it names.
inline constexpr const char* kToldVariable = "LANEDIFF_TOLD";

/// Waits for the end of process `pid`, with `WatchedSignals` blocked, and
/// passes signals on; after `seconds` it kills the process where `may_kill`,
/// and says so in `timed_out`. The status is as waitpid has it.
int WaitFor(pid_t pid, std::optional<std::uint64_t> seconds,
            const std::function<bool()>& may_kill, bool& timed_out);

/// Ends this process as one of that status did: by its signal, or by returning
/// the status to exit with.
int EndLike(int status);

/// Waits for the program's end, kills it after --seconds, reports what the
/// channel was told to stderr and to the files that were asked for. Returns the
/// status to end with.
int Supervise(const Watched& watched, const Channel& channel);

}  // namespace lanediff::host
