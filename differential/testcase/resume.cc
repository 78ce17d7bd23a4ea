#include "differential/testcase/resume.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace lanediff {
namespace {

/// What stands behind `key` in the status of process `pid`; "" if nothing.
std::string StatusOf(pid_t pid, std::string_view key) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    return line.substr(std::min(line.size(), key.size() + 1));
  }
  return "";
}

pid_t NumberOf(const std::string& text) {
  pid_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Whether process `pid` is `above` or below it.
bool Descends(pid_t pid, pid_t above) {
  while (pid > 1 && pid != above) pid = ParentOf(pid);
  return pid == above;
}

}  // namespace

pid_t ParentOf(pid_t pid) { return NumberOf(StatusOf(pid, "PPid:")); }

void ResumeIfStopped(pid_t pid) {
  const std::string state = StatusOf(pid, "State:");
  if (state.starts_with('T')) kill(pid, SIGCONT);
  if (!state.starts_with('t')) return;
  // A debugger of the user's stands above.
  const pid_t tracer = NumberOf(StatusOf(pid, "TracerPid:"));
  if (Descends(tracer, pid)) kill(tracer, SIGKILL);
}

void ReleaseIfDead(pid_t pid) {
  if (!StatusOf(pid, "State:").starts_with('Z')) return;
  const pid_t tracer = NumberOf(StatusOf(pid, "TracerPid:"));
  if (tracer > 1 && Descends(tracer, getpid()) && tracer != getpid()) {
    kill(tracer, SIGKILL);
  }
}

}  // namespace lanediff
