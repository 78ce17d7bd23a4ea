#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "kernel/launch/event_writer.h"
#include "kernel/launch/handover.h"
#include "kernel/launch/output_relay.h"
#include "kernel/launch/report.h"
#include "kernel/launch/supervisor.h"
#include "reports/kernel.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/run/run.h"

namespace lanediff::cli {
namespace {

using kernel::End;
using enum End::How;

/// The signals are blocked from then on, but for the program.
std::expected<pid_t, std::error_code> Start(diff::Spawn spawn,
                                            host::OutputRelay& relay) {
  const sigset_t signals = host::WatchedSignals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  spawn.blocked = before;
  auto process = diff::Process::Start(spawn);
  if (!process) return std::unexpected(process.error());
  relay.Begin();
  return process->Release();
}

/// How a program ended that never came to the library.
End EndOf(int status) {
  constexpr const char* kUnused =
      "the program doesn't use liblanediff_kernel, which programs of kernels "
      "are linked with";
  if (WIFSIGNALED(status)) {
    return host::Killed(WTERMSIG(status), fmt::format("; {}", kUnused));
  }
  const int code = WEXITSTATUS(status);
  if (code == 0) {
    return {kNotStarted, 0, fmt::format("nothing was checked: {}", kUnused)};
  }
  return {kCrashed, code,
          fmt::format("the program ended with status {}; {}", code, kUnused)};
}

/// A watcher that is stopped goes on. One that doesn't end its program in time
/// is ended here, a little later.
constexpr std::uint64_t kGraceSeconds = 5;

/// python3, which speaks to us through `session`.
diff::Spawn Python(const Script& script, int session,
                   host::OutputRelay& relay) {
  // Of where it runs, nothing is imported; of PYTHONPATH, what the script
  // imports. An empty part of it would be where it runs.
  constexpr const char* kStart =
      "import os, sys\n"
      "if sys.path and sys.path[0] == '': del sys.path[0]\n"
      "others = [one for one in sys.argv.pop(1).split(':') if one]\n"
      "os.environ['PYTHONPATH'] = ':'.join([os.environ['PYTHONPATH'], "
      "*others])\n"
      "sys.lanediff_script_path = [os.path.abspath(one) for one in others]\n"
      "from runpy import run_module\n"
      "run_module('lanediff_tik', run_name='__main__', alter_sys=True)\n";
  const char* const theirs = std::getenv("PYTHONPATH");
  diff::Spawn spawn{.words = {"python3", "-c", kStart,
                              theirs == nullptr ? "" : theirs, script.file}};
  for (const std::string& feed : script.feeds) {
    spawn.words.insert(spawn.words.end(), {"--feed", feed});
  }
  spawn.words.emplace_back("--");
  spawn.words.insert(spawn.words.end(), script.arguments.begin(),
                     script.arguments.end());
  spawn.before = [&relay, &script, session] {
    relay.Enter();
    if (std::getenv(host::kTerminalVariable) != nullptr) {
      setenv("PYTHONUNBUFFERED", "1", 0);
    }
    setenv("PYTHONPATH", script.packages.c_str(), 1);
    // For scripts that this one starts.
    std::error_code error;
    setenv("LANEDIFF",
           std::filesystem::read_symlink("/proc/self/exe", error).c_str(), 0);
    setenv("LANEDIFF_OPTIONS", script.options.c_str(), 1);
    setenv("LANEDIFF_SESSION", std::to_string(session).c_str(), 1);
    fcntl(session, F_SETFD, 0);
  };
  return spawn;
}

/// How it ended; `sent`: the `end` of the script.
End EndOf(int status, std::optional<End> sent, const std::string& place) {
  if (WIFSIGNALED(status)) return host::Killed(WTERMSIG(status), place);
  if (sent) return *sent;
  const int code = WEXITSTATUS(status);
  // Or it closed the session: what it ran behind that is not known.
  return {kCrashed, code, fmt::format("ended by os._exit({}){}", code, place)};
}

}  // namespace

int Execute(const Checked& program) {
  auto wanted = OrFail(host::ReadWanted(program.options.settings));
  const diff::StopGuard guard;
  const auto outer = host::Handover::Begin();
  host::HandedOver records;
  const auto relay = host::OutputRelay::Make();
  if (!records.Begin() || relay == nullptr) {
    return FailUsage("can't run {}: {}", program.name, strerror(errno));
  }
  setenv(
      "LANEDIFF_OPTIONS",
      (outer ? outer->OwnOptions(program.options_text) : program.options_text)
          .c_str(),
      1);
  setenv("LANEDIFF_RUN", program.name.c_str(), 1);
  host::NameRunFolder();
  std::fflush(nullptr);
  const diff::Descendants descendants;
  bool timed_out = false;
  diff::Spawn spawn{.words = {program.name},
                    .program = program.path,
                    .file = program.file,
                    .before = [&] { relay->Enter(); }};
  spawn.words.insert(spawn.words.end(), program.arguments.begin(),
                     program.arguments.end());
  const auto pid = Start(std::move(spawn), *relay);
  int status = 0;
  bool direct = false;
  if (pid) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    std::size_t known = 0;
    std::chrono::seconds begun{0};  // the last watcher, behind `begin`
    status = host::WaitFor(
        *pid, program.options.settings.seconds, timed_out,
        // Before that the watcher kills the program, and reports.
        {.most = 3, .of_parent = false}, [&]() -> std::uint64_t {
          const auto watchers = records.Watchers();
          std::ranges::for_each(watchers, diff::ResumeIfStopped);
          if (watchers.size() > known) {
            known = watchers.size();
            begun = std::chrono::duration_cast<std::chrono::seconds>(
                Clock::now() - begin);
          }
          return known == 0 ? 0 : begun.count() + kGraceSeconds;
        });
    direct = std::ranges::count(records.Watchers(), *pid) > 0;
  }
  // What is left could print behind the report.
  descendants.Kill();
  relay->End();
  relay->BeginLine();
  auto record = records.Record(program.options.settings);
  const bool checked = pid && record;
  if (!record) {
    record.emplace();
    record->settings = program.options.settings;
    if (program.options.product)
      record->settings.product = *program.options.product;
  }
  record->program = program.name;
  if (!pid) {
    record->end = {
        kCrashed, 0,
        fmt::format("can't run {}: {}", program.name, pid.error().message())};
  } else if (timed_out) {
    record->end = TimedOut(*program.options.settings.seconds, "");
  } else if (!checked) {
    record->end = EndOf(status);
  }
  const int ours = host::Report(wanted, *record, program.sources);
  if (outer) outer->Write(*record);
  if (relay->error() != 0) {
    FailUsage("standard output: can't be written: {}",
              strerror(relay->error()));
  }
  if (ours != kAgree) return ours;
  if (relay->error() != 0) return kUsage;
  return checked && !direct ? host::EndLike(status) : ours;
}

int RunScript(const Script& script) {
  if (const auto there = ReadFile(script.file); !there) {
    return FailUsage(script.file + ": " + there.error());
  }
  auto options = *kernel::ReadOptionsText(script.options);
  // The same in each program of a script.
  options.settings.sync = false;
  options.settings.mask_start_ones = true;
  const auto session = OrFail(ProgramSession::Make(options, script.file));
  const diff::StopGuard guard;
  host::HandedOver started;
  if (!started.Begin()) {
    return FailUsage("can't make a file: {}", strerror(errno));
  }
  // The first of the run: programs that it starts have other folders.
  if (const auto first = host::Handover::Begin()) {
    first->Write(kernel::RunRecord());
  }
  session->started = &started;
  host::NameRunFolder();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return FailUsage("can't make a socket: {}", strerror(errno));
  }
  const auto relay = host::OutputRelay::Make();
  if (relay == nullptr) {
    return FailUsage("can't make a pipe: {}", strerror(errno));
  }
  const diff::Descendants descendants;
  signal(SIGCHLD, SIG_DFL);
  std::fflush(nullptr);
  const auto pid = Start(Python(script, ends[1], *relay), *relay);
  close(ends[1]);
  if (!pid) {
    return session->Report(
        End{kNotStarted, 0,
            fmt::format("can't run python3: {}", pid.error().message())});
  }
  signal(SIGPIPE, SIG_IGN);
  std::thread server([&] { session->Serve(ends[0], ends[0]); });
  bool timed_out = false;
  const int status = host::WaitFor(*pid, options.settings.seconds, timed_out);
  descendants.Kill();
  relay->End();
  relay->BeginLine();
  session->Stop();
  server.join();
  const std::string place = session->Place();
  return session->Report(timed_out
                             ? TimedOut(*options.settings.seconds, place)
                             : EndOf(status, session->script_end(), place));
}

}  // namespace lanediff::cli
