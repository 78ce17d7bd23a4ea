#include "case/resume.h"

#include <fmt/format.h>
#include <signal.h>

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

}  // namespace

void ResumeIfStopped(pid_t pid) {
  const std::string state = StatusOf(pid, "State:");
  if (state.starts_with('T')) kill(pid, SIGCONT);
  if (!state.starts_with('t')) return;
  // A debugger of the user's stands above.
  const pid_t tracer = NumberOf(StatusOf(pid, "TracerPid:"));
  pid_t above = tracer;
  while (above > 1 && above != pid) above = NumberOf(StatusOf(above, "PPid:"));
  if (above == pid) kill(tracer, SIGKILL);
}

}  // namespace lanediff
