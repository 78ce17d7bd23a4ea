#include "cli/verbs/run/execute.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "cli/common.h"
#include "host/report.h"
#include "host/supervisor.h"

namespace lanediff::cli {
namespace {

using kernel::End;

/// Starts it; `error` is then 0, or why it can't be run. -1 where there is no
/// process.
pid_t Start(const Checked& program, int& error) {
  std::vector<std::string> words = {program.name};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int ends[2];
  const sigset_t signals = host::WatchedSignals();
  sigset_t before;
  const pid_t parent = getpid();
  pid_t pid = -1;
  if (pipe2(ends, O_CLOEXEC) == 0) {
    sigprocmask(SIG_BLOCK, &signals, &before);
    pid = fork();
  }
  error = errno;
  if (pid < 0) return pid;
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(3);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (program.file >= 0) {
      fexecve(program.file, pointers.data(), environ);
    } else {
      execve(program.path.c_str(), pointers.data(), environ);
    }
    error = errno;
    (void)!write(ends[1], &error, sizeof error);
    _exit(3);
  }
  close(ends[1]);
  if (read(ends[0], &error, sizeof error) != sizeof error) error = 0;
  close(ends[0]);
  return pid;
}

/// How a program ended that never came to the library.
End EndOf(int status) {
  constexpr const char* kUnused =
      "the program doesn't use liblanediff_kernel, which programs of kernels "
      "are linked with";
  if (WIFSIGNALED(status)) {
    const char* const name = sigabbrev_np(WTERMSIG(status));
    return {.how = End::How::kCrashed,
            .code = WTERMSIG(status),
            .text = fmt::format("killed by SIG{}; {}",
                                name == nullptr ? "?" : name, kUnused)};
  }
  const int code = WEXITSTATUS(status);
  if (code == 0) {
    return {.how = End::How::kNotStarted,
            .code = 0,
            .text = fmt::format("nothing was checked: {}", kUnused)};
  }
  return {.how = End::How::kCrashed,
          .code = code,
          .text = fmt::format("the program ended with status {}; {}", code,
                              kUnused)};
}

}  // namespace

int Execute(const Checked& program) {
  auto wanted = host::ReadWanted(program.options.settings);
  if (!wanted) return FailUsage(wanted.error());
  // In no folder: the library finds it as a file of this process.
  const int told = memfd_create("told", MFD_CLOEXEC);
  setenv(host::kToldVariable,
         fmt::format("/proc/{}/fd/{}", getpid(), told).c_str(), 1);
  setenv("LANEDIFF_OPTIONS", program.options_text.c_str(), 1);
  setenv("LANEDIFF_RUN", program.name.c_str(), 1);
  std::fflush(nullptr);
  const auto was_told = [told] {
    struct stat said = {};
    return told < 0 || (fstat(told, &said) == 0 && said.st_size > 0);
  };
  int error = 0;
  bool timed_out = false;
  const pid_t pid = Start(program, error);
  int status = 0;
  if (pid >= 0) {
    // The library itself sees to the seconds of a program that uses it.
    status = host::WaitFor(
        pid, program.options.settings.seconds, [&] { return !was_told(); },
        timed_out);
    if (error == 0 && was_told()) return host::EndLike(status);
  }
  kernel::RunRecord record;
  record.program = program.name;
  record.settings = program.options.settings;
  if (program.options.product)
    record.settings.product = *program.options.product;
  if (error != 0) {
    record.end = {
        .how = End::How::kCrashed,
        .code = 0,
        .text = fmt::format("can't run {}: {}", program.name, strerror(error))};
  } else if (timed_out) {
    record.end = {.how = End::How::kTimedOut,
                  .code = 0,
                  .text = fmt::format("ended after {} seconds (--seconds)",
                                      *program.options.settings.seconds)};
  } else {
    record.end = EndOf(status);
  }
  return host::Report(*wanted, record);
}

}  // namespace lanediff::cli
