#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace lanediff::cli {

/// One run of another program.
struct Process {
  std::string program;
  std::vector<std::string> arguments;
  /// "NAME=value", in place of ours of that name. Variables of our shard are
  /// not passed on.
  std::vector<std::string> environment;
  std::string log;  ///< stdout and stderr go here
  /// It and what it starts are ended together, and by nothing that a terminal
  /// sends to us; from the terminal they read nothing.
  bool own_group = false;
  pid_t pid = -1;
};

/// Starts it; false if it can't be started.
bool Start(Process& process);

/// Whether it has ended; `status` is then its exit status, or 128 + the signal.
bool HasEnded(Process& process, int& status);

/// Requests its end, by a signal.
void Stop(const Process& process);

/// Ends it.
void Kill(const Process& process);

/// Starts it and waits for its end: `HasEnded`'s status, or one of the two
/// below. A process that takes longer than `seconds` is killed.
int RunToEnd(Process& process, double seconds);

inline constexpr int kNotStarted = -1;
inline constexpr int kTimedOut = 1000;

}  // namespace lanediff::cli
