// What happens when the library is loaded: the process parts in two. The child
// runs the program; the parent waits for its end and reports.

#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "differential/subprocess/spawn.h"
#include "kernel/engine/options.h"
#include "kernel/launch/channel.h"
#include "kernel/launch/handover.h"
#include "kernel/launch/output_relay.h"
#include "kernel/launch/run.h"
#include "kernel/launch/supervisor.h"

// Objects of this library are not destroyed: kernels may run until the very end
// of the process. This function is not exported.
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) noexcept;
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) noexcept {
  return 0;
}

// Where the library begins; the linker knows.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start;

namespace lanediff::host {
namespace {

constexpr const char* kOptions = "LANEDIFF_OPTIONS";
/// What `lanediff run` calls the program; it isn't set where a program is run
/// by itself.
constexpr const char* kProgram = "LANEDIFF_RUN";

using Initializer = void (*)(int, char**, char**);

/// Runs the library's initializers behind `self`, which the process that
/// doesn't return from `self` would miss.
void RunInitializersBehind(Initializer self, int argc, char** argv,
                           char** environment) {
  const auto base = reinterpret_cast<std::uintptr_t>(&__ehdr_start);
  const Initializer* all = nullptr;
  std::size_t count = 0;
  for (const ElfW(Dyn)* entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_INIT_ARRAY) {
      all = reinterpret_cast<const Initializer*>(base + entry->d_un.d_ptr);
    } else if (entry->d_tag == DT_INIT_ARRAYSZ) {
      count = entry->d_un.d_val / sizeof(Initializer);
    }
  }
  bool behind = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (behind) all[i](argc, argv, environment);
    behind = behind || all[i] == self;
  }
}

/// The variable of the environment; "" if unset.
std::string Variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

[[noreturn]] void Watch(pid_t pid, int go, const Channel& channel,
                        const std::optional<Handover>& handover,
                        OutputRelay* relay, const char* program) {
  signal(SIGCHLD, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  if (relay != nullptr) relay->Begin();
  const std::string text = Variable(kOptions);
  const auto options = kernel::ReadOptionsText(text);
  const auto refuse = [&](const std::string& why) {
    fmt::print(stderr, "lanediff: {}\n", why);
    if (handover) {
      kernel::RunRecord record;
      record.end = {
          .how = kernel::End::How::kNotStarted, .code = 0, .text = why};
      handover->Write(record);
    }
    close(go);  // without a word: it ends
    waitpid(pid, nullptr, 0);
    _exit(2);
  };
  if (!options) refuse(fmt::format("{}: {}", kOptions, options.error()));
  const auto wanted = ReadWanted(options->settings);
  if (!wanted) refuse(wanted.error());
  (void)!write(go, "", 1);
  close(go);
  const std::string named = Variable(kProgram);
  const bool alone = named.empty() && !handover;
  if (alone) {
    for (const std::string& line : options->renamed) {
      fmt::print(stderr, "lanediff: {}: {}\n", kOptions, line);
    }
  }
  const int status = Supervise({.pid = pid,
                                .program = named.empty() ? program : named,
                                .options = *options,
                                .wanted = *wanted,
                                .alone = alone,
                                .has_options = !text.empty()},
                               channel, handover, relay);
  std::fflush(nullptr);
  _exit(status);
}

pid_t child = -1;

void OnExit(int, void*) {
  if (getpid() == child) Run::Of().Exiting();
}

[[gnu::constructor]] void Start(int argc, char** argv, char** environment) {
  Channel* const channel = Channel::Make();
  int pipe_ends[2];
  if (channel == nullptr || pipe2(pipe_ends, O_CLOEXEC) != 0) {
    std::fputs("lanediff: not enough memory to begin\n", stderr);
    _exit(3);
  }
  auto handover = Handover::Begin();
  // A run has its own.
  const auto relay = handover ? nullptr : OutputRelay::Make();
  const sigset_t signals = WatchedSignals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t pid = diff::ForkBelow(SIGKILL);
  if (pid < 0) {
    std::fputs("lanediff: can't start a process\n", stderr);
    _exit(3);
  }
  if (pid > 0) {
    close(pipe_ends[0]);
    RunInitializersBehind(&Start, argc, argv, environment);
    Watch(pid, pipe_ends[1], *channel, handover, relay.get(),
          argc > 0 ? argv[0] : "");
  }
  close(pipe_ends[1]);
  char word;
  if (read(pipe_ends[0], &word, 1) != 1) _exit(3);
  close(pipe_ends[0]);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  child = getpid();
  if (handover) handover->Close();
  if (relay != nullptr) relay->Enter();
  if (!Variable(kTerminalVariable).empty()) {
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  }
  const std::string options = Variable(kOptions);
  Run::Begin(handover ? handover->OwnOptions(options) : options, *channel);
  WatchCrashes();
  on_exit(OnExit, nullptr);
}

}  // namespace
}  // namespace lanediff::host
