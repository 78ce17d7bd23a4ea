#include "host/descendants.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "case/resume.h"

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
  // Those of a child that ends are children then.
  for (bool more = true; more;) {
    more = false;
    for (const pid_t pid : Children()) {
      if (before_.contains(pid)) continue;
      more = true;
      kill(pid, SIGKILL);
      while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
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
