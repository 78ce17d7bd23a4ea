#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

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

/// "prefix NUMBER suffix", ended by a zero, in `into`.
void Spell(const char* prefix, long number, const char* suffix, char* into) {
  while (*prefix != 0) *into++ = *prefix++;
  char digits[24];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0) *into++ = digits[--count];
  while (*suffix != 0) *into++ = *suffix++;
  *into = 0;
}

/// The number that `c` begins with, or 0; `c` is behind it then.
std::uint64_t TakeNumber(const char*& c) {
  std::uint64_t number = 0;
  for (; '0' <= *c && *c <= '9'; ++c) {
    number = number * 10 + static_cast<std::uint64_t>(*c - '0');
  }
  return number;
}

/// What `path`, which may begin in `folder`, holds, ended by a zero; bytes
/// read, or -1.
ssize_t ReadSmall(const char* path, char* into, std::size_t capacity,
                  int folder = AT_FDCWD) {
  const int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t n = read(file, into, capacity - 1);
  close(file);
  into[n < 0 ? 0 : n] = 0;
  return n;
}

std::uint64_t ResidentBytes(pid_t pid) {
  char path[48];
  char text[128];
  Spell("/proc/", pid, "/statm", path);
  if (ReadSmall(path, text, sizeof(text)) <= 0) return 0;
  const char* c = text;
  while (*c != 0 && *c != ' ') ++c;
  c += *c != 0;
  return TakeNumber(c) * 4096;
}

/// The same, but of what several processes share each has its share.
std::uint64_t ProportionalBytes(pid_t pid) {
  char path[48];
  char text[1024];
  Spell("/proc/", pid, "/smaps_rollup", path);
  if (ReadSmall(path, text, sizeof(text)) <= 0) return 0;
  const char* const pss = std::strstr(text, "\nPss:");
  if (pss == nullptr) return 0;
  const char* c = pss + std::strcspn(pss, "0123456789");
  return TakeNumber(c) * 1024;
}

/// The sum of `bytes_of` over the descendants of `pid`; any thread of each may
/// have started some.
std::uint64_t AllBytes(pid_t pid, std::uint64_t (*bytes_of)(pid_t),
                       int depth = 0) {
  constexpr int kMostDepth = 24;
  std::uint64_t sum = 0;
  if (depth == kMostDepth) return sum;
  char path[64];
  Spell("/proc/", pid, "/task", path);
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return sum;
  alignas(long) char entries[1024];
  long n = 0;
  while ((n = syscall(SYS_getdents64, folder, entries, sizeof(entries))) > 0) {
    for (long at = 0; at < n;) {
      std::uint16_t size = 0;
      std::memcpy(&size, entries + at + 16, sizeof(size));
      const char* const thread = entries + at + 19;
      at += size;
      if (*thread == '.') continue;
      char name[40];
      std::memcpy(name, thread, std::strlen(thread) + 1);
      std::strcat(name, "/children");
      char text[4096];
      if (ReadSmall(name, text, sizeof(text), folder) <= 0) continue;
      for (const char* c = text; *c != 0;) {
        const auto child = static_cast<pid_t>(TakeNumber(c));
        if (child > 1) {
          sum += bytes_of(child) + AllBytes(child, bytes_of, depth + 1);
        }
        while (*c != 0 && (*c < '0' || *c > '9')) ++c;
      }
    }
  }
  close(folder);
  return sum;
}

/// The state of one supervisor; there is one in a process.
class Supervisor {
 public:
  explicit Supervisor(const SupervisorTask& task) : task_(task) {}

  [[noreturn]] void Run() {
    BecomeSupervisor();
    pid_ = _Fork();  // without what a library has registered for forks
    if (pid_ == 0) RunProcess();
    while (pid_ > 0 && !ended_) Look();
    EndDescendants();
    DrainErrors();
    SendReport();
    _exit(0);
  }

 private:
  void BecomeSupervisor() {
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) {
      signal(s, SIG_IGN);
    }
    signal(SIGCHLD, SIG_DFL);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_SETMASK, &children, nullptr);
    children_ = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  [[noreturn]] void RunProcess() {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    setsid();
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    sigset_t none;
    sigemptyset(&none);
    for (int s = 1; s < NSIG; ++s) signal(s, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    task_.run(task_.argument);
    _exit(127);
  }

  void Look() {
    if (!closed_) {
      int keep[3] = {task_.control, task_.errors, children_};
      std::sort(keep, keep + 3);
      CloseAllBut(0, keep, 3);
      closed_ = true;
    }
    pollfd ready[3] = {{task_.control, POLLIN, 0},
                       {errors_open_ ? task_.errors : -1, POLLIN, 0},
                       {children_, POLLIN, 0}};
    poll(ready, 3, kWatchMilliseconds);
    if (ready[1].revents != 0) ReadErrors();
    if (ready[0].revents != 0) Obey();
    if (ready[2].revents != 0) {
      signalfd_siginfo info{};
      while (read(children_, &info, sizeof(info)) > 0) {
      }
    }
    Reap();
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
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    // Another that traces it delays its end: all are waited for together.
    ended_ = true;
  }

  void Reap() {
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) Reaped(pid, status);
  }

  void Reaped(pid_t pid, int status) {
    if (pid != pid_) return;
    status_ = status;
    ended_ = true;
  }

  /// Whatever the process has started is a child of the supervisor's now.
  void EndDescendants() {
    if (pid_ > 0) kill(-pid_, SIGKILL);
    char path[64];
    Spell("/proc/self/task/", getpid(), "/children", path);
    for (int round = 0; round < 10'000; ++round) {
      char text[4096];
      const bool readable = ReadSmall(path, text, sizeof(text)) > 0;
      for (const char* c = text; readable && *c != 0;) {
        const auto pid = static_cast<pid_t>(TakeNumber(c));
        if (pid > 1) kill(pid, SIGKILL);
        while (*c == ' ') ++c;
      }
      int status = 0;
      // What traces another may have become a child after the list was read.
      const pid_t reaped = waitpid(-1, &status, WNOHANG);
      if (reaped < 0 && errno == ECHILD) return;
      Reaped(reaped, status);
      if (reaped == 0) usleep(1000);
    }
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
  int children_ = -1;
  pid_t pid_ = -1;
  bool closed_ = false;
  bool ended_ = false;
  bool errors_open_ = true;
  bool too_much_ = false;
  bool late_ = false;
  int status_ = 0;
  std::int64_t deadline_ = -1;
  std::size_t tail_bytes_ = 0;
  SupervisorReport report_;
};

}  // namespace

void CloseAllBut(int first, const int* keep, int count) {
  const auto close_between = [](int low, int high) {
    if (low > high) return;
    if (syscall(SYS_close_range, low, high, 0) == 0) return;
    const int most = high == INT_MAX ? 65536 : high;
    for (int fd = low; fd <= most; ++fd) close(fd);
  };
  for (int i = 0; i < count; ++i) {
    close_between(first, keep[i] - 1);
    first = std::max(first, keep[i] + 1);
  }
  close_between(first, INT_MAX);
}

void KeepProcess(const SupervisorTask& task) { Supervisor(task).Run(); }

}  // namespace lanediff::diff
