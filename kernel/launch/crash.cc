#include "kernel/launch/crash.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

#include "kernel/launch/run.h"

namespace lanediff::host {
namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t kStackBytes = std::size_t{256} << 10;

/// If the report hangs (a damaged heap), the process ends this soon.
constexpr unsigned kSeconds = 2;

void OnCrash(int number, siginfo_t* info, void*) {
  for (const int one : kCrashes) signal(one, SIG_DFL);
  signal(SIGALRM, SIG_DFL);
  alarm(kSeconds);
  Run::Of().Dying(number, number == SIGSEGV ? info->si_addr : nullptr);
  // Pending until this returns; then it ends the process.
  raise(number);
}

}  // namespace

void WatchCrashes() {
  struct sigaction action = {};
  action.sa_sigaction = &OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int one : kCrashes) {
    struct sigaction before = {};
    sigaction(one, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(one, &action, nullptr);
  }
}

void MakeSignalStack() {
  stack_t stack = {};
  sigaltstack(nullptr, &stack);
  if ((stack.ss_flags & SS_DISABLE) == 0) return;
  void* const memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = kStackBytes};
  sigaltstack(&stack, nullptr);
}

}  // namespace lanediff::host
