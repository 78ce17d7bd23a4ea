#include "differential/subprocess/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <utility>

#include "differential/subprocess/fork_server.h"
#include "differential/subprocess/options.h"
#include "differential/subprocess/supervisor.h"
#include "differential/testcase/json.h"
#include "differential/testcase/resume.h"

namespace lanediff::diff {

// A fork of this process, as an audit makes them, must not hold the ends of
// pipes whose closing means something.
namespace {

std::mutex& RegistryLock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

/// Shared by those who start a process; its sole owner ends them all.
std::shared_mutex& StartLock() {
  static auto* const lock = new std::shared_mutex;
  return *lock;
}

std::set<OutsideProcess*>& Registry() {
  static auto* const all = new std::set<OutsideProcess*>;
  return *all;
}

}  // namespace

void ForgetInFork() {
  ForgetForkServer();
  for (OutsideProcess* const process : Registry()) process->CloseAll();
  Registry().clear();
  RegistryLock().unlock();
}

namespace {

void Register(OutsideProcess* process) {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork([] { RegistryLock().lock(); },
                   [] { RegistryLock().unlock(); }, ForgetInFork);
  });
  const std::lock_guard lock(RegistryLock());
  Registry().insert(process);
}

/// Descriptors that are closed unless they are taken.
struct Ends {
  int read = -1;
  int write = -1;

  ~Ends() {
    if (read >= 0) close(read);
    if (write >= 0) close(write);
  }
  bool OpenPipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  bool OpenSockets() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      return false;
    }
    read = ends[0];
    write = ends[1];
    return true;
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

std::string ProcessEnd::Text() const {
  if (too_much_memory) {
    return fmt::format("was ended, as it took more than {} MiB of memory",
                       TheOutsideOptions().most_memory_bytes >> 20);
  }
  if (late) return "did not end in time and was killed";
  if (WIFEXITED(wait_status)) {
    return fmt::format("ended with status {}", WEXITSTATUS(wait_status));
  }
  const int signal = WTERMSIG(wait_status);
  const char* const name = sigdescr_np(signal);
  return fmt::format("was ended by signal {} ({})", signal,
                     name == nullptr ? "unknown" : name);
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
  const pid_t supervisor =
      OrderProcess({.program = plan.program,
                    .words = plan.words,
                    .environment = plan.environment,
                    .instead = plan.instead,
                    .number = plan.number,
                    .most_memory_bytes = TheOutsideOptions().most_memory_bytes,
                    .end_flag = plan.end_flag,
                    .control = control.write,
                    .errors_read = errors.read,
                    .input = in.read,
                    .output = plan.piped ? out.write : errors.write,
                    .errors_write = errors.write,
                    .inherited = plan.inherited,
                    .needs_arena = plan.needs_arena,
                    .fork_server = plan.fork_server});
  if (supervisor < 0) return fail();
  std::unique_ptr<OutsideProcess> process(new OutsideProcess);
  process->owner_ = getpid();
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
  Registry().erase(this);
}

bool OutsideProcess::ForeignHere() const { return owner_ != getpid(); }

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
    for (const OutsideProcess* const process : Registry()) {
      (void)!send(process->control_, &at_once, sizeof(at_once), MSG_NOSIGNAL);
    }
    for (const OutsideProcess* const process : Registry()) {
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
