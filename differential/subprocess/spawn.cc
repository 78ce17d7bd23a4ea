#include "differential/subprocess/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string_view>
#include <utility>

namespace lanediff::diff {
namespace {

constexpr int kNoProgram = 127;

std::vector<char*> PointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// Gets `signal` when `parent` ends, which may have ended already.
void EndWith(pid_t parent, int signal) {
  if (signal == 0) return;
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(kNoProgram);
}

/// The new process, with all signals blocked. Where other threads may have been
/// forked in the middle of anything, it calls nothing but what a signal handler
/// may.
class NewProcess {
 public:
  NewProcess(const Spawn& spawn, pid_t parent, int report,
             const sigset_t& blocked)
      : spawn_(spawn), parent_(parent), report_(report), blocked_(blocked) {}

  /// An exception of `work` must not reach what this process is a copy of.
  [[noreturn]] void Run(char* const* words, char* const* variables) noexcept {
    EndWith(parent_, spawn_.end_signal);
    // Out of the way of what it finds as 0 to 3.
    if (report_ >= 0) report_ = fcntl(report_, F_DUPFD_CLOEXEC, kFirstFree);
    if (spawn_.own_group) setpgid(0, 0);
    if (spawn_.confined) setsid();
    PlaceDescriptors();
    if (spawn_.confined) Confine();
    DropHandlers();
    sigprocmask(SIG_SETMASK, &blocked_, nullptr);
    if (spawn_.before) spawn_.before();
    if (spawn_.work) _exit(spawn_.work());
    char* const* const all = spawn_.environment.empty() ? environ : variables;
    if (spawn_.file >= 0) {
      fexecve(spawn_.file, words, all);
    } else if (!spawn_.program.empty()) {
      execve(spawn_.program.c_str(), words, all);
    } else {
      execvpe(words[0], words, all);
    }
    Fail();
  }

 private:
  static constexpr int kFirstFree = 10;

  [[noreturn]] void Fail() {
    const int error = errno;
    (void)!write(report_, &error, sizeof(error));
    _exit(kNoProgram);
  }

  void PlaceDescriptors() {
    std::array<int, 4> ends = {-1, -1, -1, -1};
    const std::size_t count = spawn_.descriptors.size();
    for (std::size_t to = 0; to < count; ++to) {
      if (spawn_.descriptors[to] < 0) continue;
      ends[to] = fcntl(spawn_.descriptors[to], F_DUPFD_CLOEXEC, kFirstFree);
      if (ends[to] < 0) Fail();
    }
    if (!spawn_.log.empty()) {
      const int log = open(spawn_.log.c_str(),
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
      ends[1] = log < 0 ? -1 : fcntl(log, F_DUPFD_CLOEXEC, kFirstFree);
      if (ends[1] < 0) Fail();
      close(log);
      ends[2] = ends[1];
    }
    // In the background, reading from a terminal would stop it.
    if (spawn_.own_group && ends[0] < 0) {
      ends[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    for (int to = 0; to < 4; ++to) {
      const int end = ends[static_cast<std::size_t>(to)];
      if (end == to) fcntl(end, F_SETFD, 0);
      if (end >= 0 && end != to) dup2(end, to);
    }
  }

  void Confine() {
    const auto first = static_cast<int>(spawn_.descriptors.size());
    CloseAllBut(first, report_ < 0 ? std::set<int>() : std::set{report_});
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    sigemptyset(&blocked_);
  }

  /// As a program finds signals, which is not to run handlers before.
  void DropHandlers() const {
    for (int s = 1; s < NSIG && (spawn_.confined || !spawn_.work); ++s) {
      struct sigaction action = {};
      sigaction(s, nullptr, &action);
      const bool stays = action.sa_handler == SIG_IGN && !spawn_.confined;
      if (!stays) signal(s, SIG_DFL);
    }
  }

  const Spawn& spawn_;
  pid_t parent_;
  int report_;
  sigset_t blocked_;
};

/// Held from the making of a pipe to the fork: no other process has its ends.
std::mutex& ForkLock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

/// Why the program of process `pid` can't be run; 0 once it runs.
int ErrorFrom(int report) {
  int error = 0;
  ssize_t n = 0;
  while ((n = read(report, &error, sizeof(error))) < 0 && errno == EINTR) {
  }
  close(report);
  return n == sizeof(error) ? error : 0;
}

/// What stands behind `key` in a file of lines; "" if nothing.
std::string FieldOf(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t at = line.find_first_not_of(" \t", key.size());
    return at == line.npos ? "" : line.substr(at);
  }
  return "";
}

std::string StatusFile(pid_t pid) {
  return fmt::format("/proc/{}/status", pid);
}

pid_t TracerOf(pid_t pid) {
  return static_cast<pid_t>(ProcNumber(StatusFile(pid), "TracerPid:"));
}

/// Whether process `pid` is `above` or below it.
bool IsBelow(pid_t pid, pid_t above) {
  while (pid > 1 && pid != above) pid = ParentOf(pid);
  return pid == above;
}

}  // namespace

pid_t ForkBelow(int end_signal) {
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) EndWith(parent, end_signal);
  return pid;
}

std::expected<Process, std::error_code> Process::Start(const Spawn& spawn) {
  const std::vector<char*> words = PointersTo(spawn.words);
  const std::vector<char*> variables = PointersTo(spawn.environment);
  const pid_t parent = getpid();
  const bool of_one_thread = spawn.confined || !(spawn.work || spawn.before);
  int ends[2] = {-1, -1};
  std::unique_lock lock(ForkLock());
  if (!spawn.work && pipe2(ends, O_CLOEXEC) != 0) {
    return std::unexpected(std::error_code(errno, std::generic_category()));
  }
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = of_one_thread ? _Fork() : fork();
  int error = pid < 0 ? errno : 0;
  if (pid == 0) {
    lock.unlock();
    NewProcess(spawn, parent, ends[1], spawn.blocked.value_or(before))
        .Run(words.data(), variables.data());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!spawn.work) close(ends[1]);
  lock.unlock();
  if (!spawn.work) {
    const int reported = ErrorFrom(ends[0]);
    if (error == 0) error = reported;
  }
  if (pid > 0 && error != 0) {
    (void)TEMP_FAILURE_RETRY(waitpid(pid, nullptr, 0));
  }
  if (error != 0) {
    return std::unexpected(std::error_code(error, std::generic_category()));
  }
  return Process(pid, spawn.own_group || spawn.confined);
}

Process::Process(pid_t pid, bool group)
    : pid_(pid),
      pidfd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))),
      group_(group) {}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::exchange(other.pidfd_, -1)),
      group_(other.group_),
      status_(other.status_) {}

Process::~Process() {
  Kill();
  if (pidfd_ >= 0) close(pidfd_);
}

std::optional<int> Process::Ended() {
  int status = 0;
  if (pid_ <= 0 || status_) return status_;
  const pid_t found = waitpid(pid_, &status, WNOHANG);
  if (found == pid_) status_ = status;
  // Where SIGCHLD is ignored, how it ended is lost.
  if (found < 0 && errno == ECHILD) status_ = kNoProgram << 8;
  return status_;
}

std::optional<int> Process::Wait(double seconds,
                                 const std::function<bool()>& goes_on) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  constexpr double kPeriod = 20;
  const auto end = Clock::now() + Milliseconds(seconds * 1000);
  while (!Ended()) {
    const double left = Milliseconds(end - Clock::now()).count();
    if (left <= 0 || (goes_on && !goes_on())) break;
    pollfd ready{pidfd_, POLLIN, 0};
    const int most = static_cast<int>(std::min(left + 1, kPeriod));
    if (poll(&ready, 1, most) <= 0 || Ended()) continue;
    ReleaseIfDead(pid_);
    usleep(1000);
  }
  return status_;
}

void Process::Send(int signal) const {
  if (pid_ <= 0 || status_) return;
  if (group_ && kill(-pid_, signal) == 0 && signal != SIGKILL) return;
  kill(pid_, signal);
}

int Process::Kill() {
  if (pid_ <= 0) return 0;
  if (!Ended()) Send(SIGKILL);
  return Wait().value_or(SIGKILL);
}

pid_t Process::Release() { return std::exchange(pid_, -1); }

int ExitStatus(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status)
                                : 128 + WTERMSIG(wait_status);
}

std::string EndText(int wait_status) {
  if (WIFEXITED(wait_status)) {
    return fmt::format("ended with status {}", WEXITSTATUS(wait_status));
  }
  const int signal = WTERMSIG(wait_status);
  const char* const name = sigdescr_np(signal);
  return fmt::format("was ended by signal {} ({})", signal,
                     name == nullptr ? "unknown" : name);
}

RunResult RunToEnd(Spawn spawn, double seconds,
                   const std::function<bool()>& goes_on) {
  const int file = spawn.log.empty() ? memfd_create("output", MFD_CLOEXEC) : -1;
  spawn.descriptors.resize(3, -1);
  if (file >= 0) spawn.descriptors[1] = spawn.descriptors[2] = file;
  RunResult result;
  const auto size = [&] {
    struct stat info{};
    return file >= 0 && fstat(file, &info) == 0 ? info.st_size : 0;
  };
  constexpr auto kMost = static_cast<off_t>(kMostOutputBytes);
  bool stopped = false;
  const auto look = [&] {
    if (const off_t bytes = size(); bytes > kMost) {
      fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, kMost,
                bytes - kMost);
    }
    stopped = goes_on && !goes_on();
    return !stopped;
  };
  if (auto process = Process::Start(spawn)) {
    const auto status = process->Wait(seconds, look);
    process->Kill();
    result.status = status    ? ExitStatus(*status)
                    : stopped ? kStopped
                              : kTimedOut;
    result.output.resize(static_cast<std::size_t>(std::min(size(), kMost)));
    const ssize_t n =
        pread(file, result.output.data(), result.output.size(), 0);
    result.output.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  } else {
    result.output = process.error().message();
  }
  if (file >= 0) close(file);
  return result;
}

std::vector<std::string> OwnEnvironment() { return EnvironmentWith({}); }

std::vector<std::string> EnvironmentWith(std::vector<std::string> changed) {
  std::set<std::string, std::less<>> names;
  for (const std::string& one : changed) {
    names.insert(one.substr(0, one.find('=')));
  }
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    if (!names.contains(text.substr(0, text.find('=')))) {
      changed.emplace_back(text);
    }
  }
  std::erase_if(changed, [](const auto& one) { return !one.contains('='); });
  return changed;
}

std::expected<std::vector<std::string>, std::string> SplitWords(
    std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // under way; may be empty
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool escapes =
        c == '\\' &&
        (quote == 0 || (quote == '"' && i + 1 < command.size() &&
                        std::string_view("\"\\$`\n").contains(command[i + 1])));
    if (escapes) {
      if (++i == command.size()) return std::unexpected("it ends with a \\");
      // An escaped end of line is nothing.
      if (command[i] != '\n') word = word.value_or("") + command[i];
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        *word += c;
      }
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      if (!word) word.emplace();
      if (c == '\'' || c == '"') {
        quote = c;
      } else {
        *word += c;
      }
    }
  }
  if (quote != 0) return std::unexpected(fmt::format("a {} has no end", quote));
  if (word) words.push_back(*std::move(word));
  return words;
}

void CloseAllBut(int first, std::set<int> keep) {
  const auto close_between = [](int low, int high) {
    if (low > high || syscall(SYS_close_range, low, high, 0) == 0) return;
    const int most = high == INT_MAX ? 65536 : high;
    for (int fd = low; fd <= most; ++fd) close(fd);
  };
  for (const int kept : keep) {
    close_between(first, kept - 1);
    first = std::max(first, kept + 1);
  }
  close_between(first, INT_MAX);
}

std::set<pid_t> ChildrenOf(pid_t pid) {
  std::set<pid_t> children;
  std::error_code error;
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", pid),
                                             error);
  for (; !error && thread != end(thread); thread.increment(error)) {
    std::ifstream file(thread->path() / "children");
    for (pid_t child; file >> child;) children.insert(child);
  }
  return children;
}

Descendants::Descendants() : before_(ChildrenOf(getpid())) {
  prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Descendants::~Descendants() { prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_); }

void Descendants::Kill(const std::function<void(pid_t, int)>& reaped) const {
  constexpr unsigned kPeriodMicroseconds = 1000;
  constexpr int kMostRounds = 60'000;
  const auto has_ended = [&](pid_t one) {
    int status = 0;
    errno = 0;
    const pid_t pid = waitpid(one, &status, WNOHANG);
    if (pid > 0 && reaped) reaped(pid, status);
    return pid != 0;
  };
  // Those of a child that ends are children then; one that traces another has
  // to end before the other's end is seen.
  int lacked = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    std::set<pid_t> left = ChildrenOf(getpid());
    std::erase_if(left, [&](pid_t pid) { return before_.contains(pid); });
    // The list may lack one while others end: once is not enough.
    const bool lacking = left.empty();
    lacked = lacking ? lacked + 1 : 0;
    if (lacking && before_.empty()) {
      if (has_ended(-1) && errno == ECHILD) return;
    } else if (lacked == 2) {
      return;
    }
    for (const pid_t pid : left) kill(pid, SIGKILL);
    std::erase_if(left, has_ended);
    if (lacking || !left.empty()) usleep(kPeriodMicroseconds);
  }
}

StopGuard::StopGuard()
    : process_(Process::Start({.work = [guarded = getpid()] {
        constexpr unsigned kPeriodMicroseconds = 50'000;
        while (getppid() == guarded) {
          ResumeIfStopped(guarded);
          usleep(kPeriodMicroseconds);
        }
        return 0;
      }})) {}

std::uint64_t ProcNumber(const std::string& path, std::string_view key) {
  return std::strtoull(FieldOf(path, key).c_str(), nullptr, 10);
}

pid_t ParentOf(pid_t pid) {
  return static_cast<pid_t>(ProcNumber(StatusFile(pid), "PPid:"));
}

void ResumeIfStopped(pid_t pid) {
  const std::string state = FieldOf(StatusFile(pid), "State:");
  if (state.starts_with('T')) kill(pid, SIGCONT);
  if (!state.starts_with('t')) return;
  // A debugger of the user's stands above.
  const pid_t tracer = TracerOf(pid);
  if (IsBelow(tracer, pid)) kill(tracer, SIGKILL);
}

void ReleaseIfDead(pid_t pid) {
  if (!FieldOf(StatusFile(pid), "State:").starts_with('Z')) return;
  const pid_t tracer = TracerOf(pid);
  if (tracer > 1 && IsBelow(tracer, getpid()) && tracer != getpid()) {
    kill(tracer, SIGKILL);
  }
}

}  // namespace lanediff::diff
