#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "differential/subprocess/futex.h"
#include "differential/subprocess/process.h"

namespace lanediff::diff {
namespace {

constexpr int kWatchMilliseconds = 50;

std::int64_t NowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

std::uint64_t ResidentBytes(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  std::uint64_t pages = 0;
  std::uint64_t resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

/// The same, but of what several processes share each has its share.
std::uint64_t ProportionalBytes(pid_t pid) {
  return ProcNumber(fmt::format("/proc/{}/smaps_rollup", pid), "Pss:") * 1024;
}

/// The sum of `bytes_of` over the descendants of `pid`.
std::uint64_t AllBytes(pid_t pid, std::uint64_t (*bytes_of)(pid_t),
                       int depth = 0) {
  constexpr int kMostDepth = 24;
  std::uint64_t sum = 0;
  if (depth == kMostDepth) return sum;
  for (const pid_t child : ChildrenOf(pid)) {
    sum += bytes_of(child) + AllBytes(child, bytes_of, depth + 1);
  }
  return sum;
}

/// The state of one supervisor; there is one in a process.
class Supervisor {
 public:
  explicit Supervisor(const SupervisorTask& task) : task_(task) {}

  [[noreturn]] void Run(const Spawn& spawn) {
    setpgid(0, 0);
    for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) {
      signal(s, SIG_IGN);
    }
    signal(SIGCHLD, SIG_DFL);
    if (auto started = Process::Start(spawn)) {
      process_.emplace(*std::move(started));
      pid_ = process_->pid();
      CloseAllBut(0, {task_.control, task_.errors, process_->pidfd()});
      while (!ended_) Look();
    } else {
      const std::string why = started.error().message();
      Append(why.data(), std::min(why.size(), kErrorTailBytes));
    }
    // All of a group at once: one by one, they could begin others meanwhile.
    if (pid_ > 0) kill(-pid_, SIGKILL);
    descendants_.Kill([this](pid_t pid, int status) { Reaped(pid, status); });
    DrainErrors();
    SendReport();
    _exit(0);
  }

 private:
  void Look() {
    pollfd ready[3] = {{task_.control, POLLIN, 0},
                       {errors_open_ ? task_.errors : -1, POLLIN, 0},
                       {process_->pidfd(), POLLIN, 0}};
    poll(ready, 3, kWatchMilliseconds);
    if (ready[1].revents != 0) ReadErrors();
    if (ready[0].revents != 0) Obey();
    // One that another traces has ended, too.
    if (ready[2].revents != 0) ended_ = true;
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) Reaped(pid, status);
    if (ended_) return;
    if (TakesTooMuch()) {
      too_much_ = true;
      Kill();
    }
    if (deadline_ >= 0 && NowMs() >= deadline_) {
      late_ = true;
      Kill();
    }
  }

  /// Of the process and all that it has started. What a fork shares with its
  /// parent is resident in both, and counted once only where the sum is too
  /// much.
  bool TakesTooMuch() const {
    if (AllBytes(getpid(), ResidentBytes) <= task_.most_memory_bytes) {
      return false;
    }
    return ResidentBytes(pid_) > task_.most_memory_bytes ||
           AllBytes(getpid(), ProportionalBytes) > task_.most_memory_bytes;
  }

  void Obey() {
    SupervisorRequest order;
    const ssize_t n = read(task_.control, &order, sizeof(order));
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n != sizeof(order) || order.end_within_ms <= 0) {
      Kill();
    } else {
      deadline_ = NowMs() + order.end_within_ms;
    }
  }

  void Kill() {
    process_->Send(SIGKILL);
    // Another that traces it delays its end: all are waited for together.
    ended_ = true;
  }

  void Reaped(pid_t pid, int status) {
    if (pid != pid_) return;
    status_ = status;
    ended_ = true;
  }

  void ReadErrors() {
    char some[4096];
    const ssize_t n = read(task_.errors, some, sizeof(some));
    if (n == 0) errors_open_ = false;
    if (n > 0) Append(some, static_cast<std::size_t>(n));
  }

  void DrainErrors() {
    fcntl(task_.errors, F_SETFL, O_NONBLOCK);
    char some[4096];
    ssize_t n = 0;
    while ((n = read(task_.errors, some, sizeof(some))) > 0) {
      Append(some, static_cast<std::size_t>(n));
    }
  }

  void Append(const char* bytes, std::size_t count) {
    const std::size_t kept = std::min(tail_bytes_, kErrorTailBytes - count);
    std::memmove(report_.tail.data(),
                 report_.tail.data() + (tail_bytes_ - kept), kept);
    std::memcpy(report_.tail.data() + kept, bytes, count);
    tail_bytes_ = kept + count;
  }

  void SendReport() {
    report_.wait_status = pid_ > 0 ? status_ : 127 << 8;
    report_.too_much_memory = too_much_;
    report_.late = late_;
    report_.tail_bytes = static_cast<std::uint32_t>(tail_bytes_);
    fcntl(task_.control, F_SETFL, 0);
    if (write(task_.control, &report_, sizeof(report_)) < 0) {
      // The reader has gone.
    }
    if (task_.end_flag == nullptr) return;
    task_.end_flag->store(1);
    FutexWake(*task_.end_flag);
  }

  const SupervisorTask& task_;
  const Descendants descendants_;
  std::optional<Process> process_;
  pid_t pid_ = -1;
  bool ended_ = false;
  bool errors_open_ = true;
  bool too_much_ = false;
  bool late_ = false;
  int status_ = SIGKILL;  // until it is reaped
  std::int64_t deadline_ = -1;
  std::size_t tail_bytes_ = 0;
  SupervisorReport report_;
};

}  // namespace

void KeepProcess(const SupervisorTask& task, const Spawn& spawn) noexcept {
  Supervisor(task).Run(spawn);
}

}  // namespace lanediff::diff
