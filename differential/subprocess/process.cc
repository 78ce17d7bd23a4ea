#include "differential/subprocess/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <utility>

#include "differential/testcase/json.h"

namespace lanediff::diff {

void ForgetInFork();

namespace {

/// No more than half of what the machine has.
std::uint64_t HalfOfAll() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return std::uint64_t{4} << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) /
         2;
}

/// The options of the process that has started this one.
OutsideOptions FromEnvironment() {
  OutsideOptions options;
  options.most_memory_bytes = std::min(options.most_memory_bytes, HalfOfAll());
  if (const char* const text = std::getenv("LANEDIFF_TIMEOUT")) {
    const double seconds = std::strtod(text, nullptr);
    if (seconds > 0) options.timeout_seconds = seconds;
  }
  if (const char* const text = std::getenv("LANEDIFF_MAX_RESTARTS")) {
    options.max_restarts = std::strtoll(text, nullptr, 10);
  }
  if (const char* const text = std::getenv("LANEDIFF_TARGET_MEMORY")) {
    const long long mebibytes = std::strtoll(text, nullptr, 10);
    if (mebibytes > 0) {
      options.most_memory_bytes = static_cast<std::uint64_t>(mebibytes) << 20;
    }
  }
  return options;
}

std::mutex& RegistryLock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

/// Shared by those who start a process; its sole owner ends them all.
std::shared_mutex& StartLock() {
  static auto* const lock = new std::shared_mutex;
  return *lock;
}

/// Of which this process is one.
int forks_before = 0;

std::set<OutsideProcess*>& Processes() {
  static auto* const all = new std::set<OutsideProcess*>;
  return *all;
}

void Register(OutsideProcess* process) {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork([] { RegistryLock().lock(); },
                   [] { RegistryLock().unlock(); }, ForgetInFork);
  });
  const std::lock_guard lock(RegistryLock());
  Processes().insert(process);
}

/// Descriptors that are closed unless they are taken.
struct Ends {
  Ends() = default;
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  int ends[2] = {-1, -1};
  int& read = ends[0];
  int& write = ends[1];

  ~Ends() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  bool OpenPipe() { return pipe2(ends, O_CLOEXEC) == 0; }
  bool OpenSockets() {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
  }
};

/// Until the supervisor is no more: it has sent its report and has nothing left
/// to do.
void AwaitClosed(int control) {
  constexpr int kMostMilliseconds = 1000;
  pollfd ready{control, POLLIN, 0};
  char more;
  while (poll(&ready, 1, kMostMilliseconds) > 0 &&
         read(control, &more, 1) > 0) {
  }
}

int Take(int& fd) { return std::exchange(fd, -1); }

bool IsProgram(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

}  // namespace

OutsideOptions& TheOutsideOptions() {
  static OutsideOptions options = FromEnvironment();
  return options;
}

std::chrono::steady_clock::time_point AnswerDeadline() {
  using Clock = std::chrono::steady_clock;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(
                                TheOutsideOptions().timeout_seconds));
}

// A fork of this process, as an audit makes them, must not hold the ends of
// pipes whose closing means something.
void ForgetInFork() {
  ForgetForkServer();
  for (OutsideProcess* const process : Processes()) process->CloseAll();
  Processes().clear();
  ++forks_before;
  RegistryLock().unlock();
}

std::string ProcessEnd::Text() const {
  if (too_much_memory) {
    return fmt::format("was ended, as it took more than {} MiB of memory",
                       TheOutsideOptions().most_memory_bytes >> 20);
  }
  if (late) return "did not end in time and was killed";
  return EndText(wait_status);
}

std::expected<std::unique_ptr<OutsideProcess>, std::string>
OutsideProcess::Start(const ProcessPlan& plan) {
  const auto fail = [] {
    return std::unexpected(
        fmt::format("no process can be started: {}", strerror(errno)));
  };
  Ends in;
  Ends out;
  Ends errors;
  Ends control;
  if (!in.OpenPipe() || !out.OpenPipe() || !errors.OpenPipe() ||
      !control.OpenSockets()) {
    return fail();
  }
  const std::shared_lock starting(StartLock());
  const int output = plan.piped ? out.write : errors.write;
  const pid_t supervisor = OrderProcess(
      plan, {control.write, errors.read, in.read, output, errors.write});
  if (supervisor < 0) return fail();
  std::unique_ptr<OutsideProcess> process(new OutsideProcess);
  process->owner_ = forks_before;
  process->supervisor_ = supervisor;
  process->control_ = Take(control.read);
  process->input_ = Take(in.write);
  if (plan.piped) process->output_ = Take(out.read);
  for (const int fd : {process->input_, process->output_}) {
    if (fd < 0) continue;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    fcntl(fd, F_SETPIPE_SZ, 1 << 20);
  }
  Register(process.get());
  return process;
}

OutsideProcess::~OutsideProcess() {
  if (ForeignHere()) return;
  Kill();
  const std::lock_guard lock(RegistryLock());
  Processes().erase(this);
}

bool OutsideProcess::ForeignHere() const { return owner_ != forks_before; }

void OutsideProcess::CloseAll() {
  for (int* const fd : {&input_, &output_, &control_}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
}

bool OutsideProcess::HasEnded() {
  if (ended_) return true;
  pollfd ready{control_, POLLIN, 0};
  return poll(&ready, 1, 0) > 0;
}

const ProcessEnd& OutsideProcess::Kill() {
  if (!ended_) {
    const SupervisorRequest at_once;
    if (send(control_, &at_once, sizeof(at_once), MSG_NOSIGNAL) < 0) {
      // It has ended by itself.
    }
  }
  return Wait();
}

void OutsideProcess::LetEnd(double seconds) {
  if (input_ >= 0) close(Take(input_));
  const SupervisorRequest order{
      .end_within_ms = std::max(1, static_cast<int>(seconds * 1000))};
  if (send(control_, &order, sizeof(order), MSG_NOSIGNAL) < 0) {
    // It has ended already.
  }
}

/// Until the supervisor reports or ends. The process may have stopped it.
void OutsideProcess::AwaitReport(int most_milliseconds) const {
  constexpr int kPeriod = 100;
  for (int waited = 0; waited < most_milliseconds; waited += kPeriod) {
    pollfd ready{control_, POLLIN, 0};
    if (poll(&ready, 1, kPeriod) != 0) return;
    ResumeIfStopped(supervisor_);
  }
}

void EndOutsideProcesses() {
  constexpr int kMostMilliseconds = 2000;
  StartLock().lock();  // for good: none starts from now on
  {
    const std::lock_guard lock(RegistryLock());
    const SupervisorRequest at_once;
    for (const OutsideProcess* const process : Processes()) {
      (void)!send(process->control_, &at_once, sizeof(at_once), MSG_NOSIGNAL);
    }
    for (const OutsideProcess* const process : Processes()) {
      if (process->control_ < 0) continue;
      process->AwaitReport(kMostMilliseconds);
      AwaitClosed(process->control_);
    }
  }
  EndForkServer();
}

const ProcessEnd& OutsideProcess::Wait() {
  if (ended_) return end_;
  ended_ = true;
  AwaitReport(INT_MAX - 1000);
  SupervisorReport report;
  ssize_t n = 0;
  // An order that came too late to be read is reported first, as a reset.
  while ((n = read(control_, &report, sizeof(report))) < 0 &&
         (errno == EINTR || errno == ECONNRESET)) {
  }
  if (n == sizeof(report)) {
    end_.wait_status = report.wait_status;
    end_.too_much_memory = report.too_much_memory != 0;
    end_.late = report.late != 0;
    end_.error_tail.assign(report.tail.data(), report.tail_bytes);
  } else {
    end_.wait_status = SIGKILL;  // the supervisor was killed
  }
  AwaitClosed(control_);
  const std::lock_guard lock(RegistryLock());
  CloseAll();
  return end_;
}

std::expected<std::string, std::string> ProgramFile(const std::string& word) {
  const auto no_program = [&](std::string_view where) {
    return std::unexpected(fmt::format("{} {}", Quote(word, 200), where));
  };
  if (word.contains('/')) {
    if (IsProgram(word)) return word;
    return no_program("is no program that can be run");
  }
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable == nullptr ? "/usr/bin:/bin" : variable;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    std::string path =
        fmt::format("{}/{}", folder.empty() ? "." : folder, word);
    if (IsProgram(path)) return path;
  }
  return no_program("is no program in PATH");
}

}  // namespace lanediff::diff
