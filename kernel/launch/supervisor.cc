#include "kernel/launch/supervisor.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>

#include "differential/subprocess/spawn.h"
#include "kernel/launch/event_writer.h"
#include "reports/kernel.h"
#include "reports/kernel_record.h"

namespace lanediff::host {
namespace {

using Clock = std::chrono::steady_clock;
using kernel::End;

constexpr int kPassedOn[] = {SIGINT,  SIGTERM, SIGHUP,
                             SIGQUIT, SIGUSR1, SIGUSR2};

/// Whether the signal requests the end. Shells let background jobs ignore
/// SIGINT, which counts all the same; SIGHUP under nohup does not.
bool IsEnding(int number) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  return number == SIGINT || number == SIGTERM || number == SIGQUIT ||
         (number == SIGHUP && action.sa_handler != SIG_IGN);
}

/// Waits for one of the signals, or until `until`.
std::optional<siginfo_t> NextSignal(const sigset_t& signals,
                                    Clock::time_point until) {
  using namespace std::chrono;
  const auto left = duration_cast<nanoseconds>(until - Clock::now());
  const auto ns = left.count() > 0 ? left.count() : 0;
  const timespec wait = {.tv_sec = ns / 1'000'000'000,
                         .tv_nsec = ns % 1'000'000'000};
  siginfo_t info = {};
  if (sigtimedwait(&signals, &info, &wait) < 0) return std::nullopt;
  return info;
}

}  // namespace

sigset_t WatchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  for (const int one : kPassedOn) sigaddset(&signals, one);
  return signals;
}

int WaitFor(pid_t pid, std::optional<std::uint64_t> seconds, bool& timed_out,
            Patience patience, const std::function<std::uint64_t()>& look) {
  constexpr auto kPeriod = std::chrono::milliseconds(100);
  const sigset_t signals = WatchedSignals();
  const auto begin = Clock::now();
  std::optional<Clock::time_point> until;
  if (seconds) until = begin + std::chrono::seconds(*seconds);
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    diff::ReleaseIfDead(pid);
    if (look) {
      const auto put_off = std::chrono::seconds(look());
      if (seconds) until = begin + std::chrono::seconds(*seconds) + put_off;
    }
    auto next = Clock::now() + kPeriod;
    if (until) next = std::min(next, *until);
    const auto info = NextSignal(signals, next);
    if (!info && until && Clock::now() >= *until) {
      timed_out = true;
      kill(pid, SIGKILL);
      seconds.reset();
      until.reset();
    }
    if (!info || info->si_signo == SIGCHLD) continue;
    // What a terminal sends, the program gets itself.
    const bool of_terminal = info->si_code > 0;
    if (!of_terminal) kill(pid, info->si_signo);
    const bool counts =
        IsEnding(info->si_signo) &&
        (of_terminal || !patience.of_parent || info->si_pid == getppid());
    if (counts && --patience.most == 0) kill(pid, SIGKILL);
  }
  return status;
}

int EndLike(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const rlimit none = {};
  setrlimit(RLIMIT_CORE, &none);  // there is one of the program
  const int signal_number = WTERMSIG(status);
  signal(signal_number, SIG_DFL);
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, signal_number);
  kill(getpid(), signal_number);
  sigprocmask(SIG_UNBLOCK, &all, nullptr);
  return 128 + signal_number;
}

int Supervise(const Watched& watched, const Channel& channel,
              const std::optional<Handover>& handover, OutputRelay* relay) {
  const diff::Descendants descendants;
  bool timed_out = false;
  const int status =
      WaitFor(watched.pid, watched.options.settings.seconds, timed_out,
              {.most = 2, .of_parent = handover.has_value()});
  kernel::RunRecord record =
      ReadEvents(channel, watched.options.settings, status);
  record.program = watched.program;
  const bool nothing = channel.intact() && channel.page().launch < 0 &&
                       record.refusals.empty() &&
                       record.end.how != End::How::kNotStarted;
  const bool silent = watched.alone && !watched.has_options && nothing;
  // What the program has left could print behind the report.
  if (!silent) descendants.Kill();
  if (relay != nullptr) relay->End();
  if (silent) return EndLike(status);
  if (relay != nullptr) relay->BeginLine();
  if (timed_out) {
    record.end = {.how = End::How::kTimedOut,
                  .code = 0,
                  .text = fmt::format("ended after {} seconds (--seconds){}",
                                      *watched.options.settings.seconds,
                                      channel.Place())};
  }
  if (handover) {
    handover->Write(record);
    return Judge(watched.wanted, record);
  }
  const int ours = Report(watched.wanted, record);
  const bool own = watched.alone && record.end.how == End::How::kEnded &&
                   record.end.code != 0;
  return own ? WEXITSTATUS(status) : ours;
}

}  // namespace lanediff::host
