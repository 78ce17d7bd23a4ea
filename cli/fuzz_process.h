#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lanediff::cli {

/// One run of a fuzz program.
struct FuzzProcess {
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  ///< "NAME=value", added to ours
  std::string log;                       ///< stdout and stderr go here
  pid_t pid = -1;
};

/// Starts it; false if it can't be started.
bool Start(FuzzProcess& process);

/// Whether it has ended; `status` is then its exit status, or 128 + the signal.
bool HasEnded(FuzzProcess& process, int& status);

/// Asks it to end.
void Stop(const FuzzProcess& process);

/// What the file written by fuzz/stats.h says; zeros where there is none.
struct FuzzStats {
  double seconds = 0;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;
  std::uint64_t nodes = 0;
  std::uint64_t operations = 0;
  std::uint64_t long_repeats = 0;
  double oracle_seconds = 0;
  std::uint64_t findings = 0;
};
FuzzStats ReadStats(const std::string& path);

}  // namespace lanediff::cli
