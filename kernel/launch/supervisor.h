#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "kernel/engine/options.h"
#include "kernel/launch/channel.h"
#include "kernel/launch/handover.h"
#include "kernel/launch/output_relay.h"
#include "kernel/launch/report.h"

namespace lanediff::host {

/// What is known of the program before it runs.
struct Watched {
  pid_t pid = -1;
  std::string program;  ///< as the user named it
  kernel::RunOptions options;
  Wanted wanted;
  /// A program run by itself: where no kernel was launched nothing is printed,
  /// and the program's own end is passed on; its own status beats ours unless
  /// it is 0.
  bool alone = false;
  bool has_options = false;
};

/// The signals that are passed on to the program, and that of its end. To be
/// blocked before it starts.
sigset_t WatchedSignals();

/// Which signals of those that end a process count towards `Patience::most`.
struct Patience {
  /// The process is killed at this one; it may ignore those before.
  int most = 2;
  /// Of a terminal and of the parent alone: others reach the parent, too, which
  /// passes them on.
  bool of_parent = false;
};

/// Waits for the end of process `pid`, with `WatchedSignals` blocked, and
/// passes signals on; after `seconds` it kills the process and sets
/// `timed_out`. `look`, if given, is called every 100 ms; it may put the end
/// off by so many seconds. The status is as waitpid has it.
int WaitFor(pid_t pid, std::optional<std::uint64_t> seconds, bool& timed_out,
            Patience patience = {},
            const std::function<std::uint64_t()>& look = nullptr);

/// Ends this process as one of that status did: by its signal, or by returning
/// the status to exit with.
int EndLike(int status);

/// Waits for the program's end, kills it after --seconds, reports the events of
/// the channel to stderr and to the files that were requested, or hands it
/// over. `relay`, if there is one, has what the program prints. Returns the
/// status to end with.
int Supervise(const Watched& watched, const Channel& channel,
              const std::optional<Handover>& handover, OutputRelay* relay);

}  // namespace lanediff::host
