#include "kernel/launch/descendants.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "differential/testcase/resume.h"

namespace lanediff::host {
namespace {

/// Of all threads of this process.
std::set<pid_t> Children() {
  std::set<pid_t> children;
  std::error_code error;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t pid; file >> pid;) children.insert(pid);
  }
  return children;
}

}  // namespace

Descendants::Descendants() : before_(Children()) {
  prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Descendants::~Descendants() { prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_); }

void Descendants::Kill() const {
  constexpr unsigned kPeriodMicroseconds = 1000;
  // Those of a child that ends are children then; one that traces another has
  // to end before the other's end is seen.
  while (true) {
    std::set<pid_t> left = Children();
    std::erase_if(left, [&](pid_t pid) { return before_.contains(pid); });
    if (left.empty()) return;
    for (const pid_t pid : left) kill(pid, SIGKILL);
    std::erase_if(
        left, [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) == pid; });
    if (!left.empty()) usleep(kPeriodMicroseconds);
  }
}

StopGuard::StopGuard() {
  const pid_t guarded = getpid();
  pid_ = fork();
  if (pid_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  constexpr unsigned kPeriodMicroseconds = 50'000;
  while (getppid() == guarded) {
    ResumeIfStopped(guarded);
    usleep(kPeriodMicroseconds);
  }
  _exit(0);
}

StopGuard::~StopGuard() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace lanediff::host
