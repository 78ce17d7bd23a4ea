#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

/// How processes are started, waited for and ended. Supervisors alone also wait
/// for what their process leaves.
namespace lanediff::diff {

/// A process to start: a program, or `work` in a fork of this process.
struct Spawn {
  /// The program's own name and its arguments.
  std::vector<std::string> words = {};
  /// Its path; where it is empty and there is no `file`, `words[0]`, which is
  /// looked for in PATH.
  std::string program = {};
  int file = -1;  ///< the program, as an open file
  /// Instead of a program; returns the status to exit with.
  std::function<int()> work = {};
  /// Called in the new process just before the program.
  std::function<void()> before = {};
  /// All variables, "NAME=value"; empty: ours.
  std::vector<std::string> environment = {};
  /// What become its descriptors 0, 1 and so on, at most 4; below 0: ours.
  std::vector<int> descriptors = {};
  /// File to which its stdout and stderr are appended, instead.
  std::string log = {};
  /// What it starts is killed when it is, and it gets nothing that a terminal
  /// sends to us; from the terminal it reads nothing.
  bool own_group = false;
  /// In a session of its own with signals as they are by default, no core file
  /// and no descriptors but those above, and without calling what libraries
  /// have registered for forks. Only where this process is one thread.
  bool confined = false;
  std::optional<sigset_t> blocked = {};  ///< signals; else those of this thread
  /// What it gets when the thread that started it ends; 0: nothing.
  int end_signal = SIGKILL;
};

/// A fork of this process, of one thread, that gets `end_signal` when this
/// thread ends: 0 in the fork, -1 with errno where there is none.
pid_t ForkBelow(int end_signal);

inline constexpr double kForever = 1e9;  ///< seconds

/// A child of this process. One thread at a time.
class Process {
 public:
  static std::expected<Process, std::error_code> Start(const Spawn& spawn);
  /// Kills it if it runs.
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  /// Can be read from once it has ended; -1 where the system has none.
  int pidfd() const { return pidfd_; }
  /// The wait status, once it has ended.
  std::optional<int> Ended();
  /// Waits for that for at most `seconds`, and as long as it `goes_on`, which
  /// is called each 20 ms.
  std::optional<int> Wait(double seconds = kForever,
                          const std::function<bool()>& goes_on = {});
  /// To its group, if it has one of its own.
  void Send(int signal) const;
  /// Ends it if it runs; the wait status.
  int Kill();
  /// It is the caller's now.
  pid_t Release();

 private:
  Process(pid_t pid, bool group);

  pid_t pid_;
  int pidfd_;
  bool group_;
  std::optional<int> status_;
};

/// The exit status, or 128 + the signal, of a wait status.
int ExitStatus(int wait_status);
/// "ended with status 3", "was ended by signal 11 (Segmentation fault)".
std::string EndText(int wait_status);

inline constexpr int kNotStarted = -1;
inline constexpr int kTimedOut = 1000;
inline constexpr int kStopped = 1001;
inline constexpr std::size_t kMostOutputBytes = std::size_t{64} << 20;

struct RunResult {
  /// ExitStatus, or one of the three above.
  int status = kNotStarted;
  /// The first `kMostOutputBytes` of stdout and stderr, unless they went to a
  /// log; of one that isn't started the reason.
  std::string output;
};

/// Runs it to its end. It is killed after `seconds` (kTimedOut), or as soon as
/// it doesn't go on (kStopped).
RunResult RunToEnd(Spawn spawn, double seconds = kForever,
                   const std::function<bool()>& goes_on = {});

/// The variables of this process, "NAME=value".
std::vector<std::string> OwnEnvironment();
/// The same with `changed` in place of ours of those names; a name without "="
/// is left out.
std::vector<std::string> EnvironmentWith(std::vector<std::string> changed);

/// The words of `command` as a shell would split them: blanks part them, '…'
/// takes everything literally, "…" all but \" \\ \$ \` and an escaped end of
/// line, a backslash the next character. Nothing is expanded: $, *, ~, ;, | and
/// the like stand for themselves. The error is one line.
std::expected<std::vector<std::string>, std::string> SplitWords(
    std::string_view command);

/// Closes every descriptor from `first` on but `keep`.
void CloseAllBut(int first, std::set<int> keep);

/// The children of process `pid`, of all its threads.
std::set<pid_t> ChildrenOf(pid_t pid);

/// From its beginning on, processes that a program leaves when it ends become
/// children of this process. Children that were there before stay alone.
class Descendants {
 public:
  Descendants();
  ~Descendants();
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;

  /// Kills all of them and waits for their end; `reaped` gets the process and
  /// wait status of each.
  void Kill(const std::function<void(pid_t, int)>& reaped = {}) const;

 private:
  std::set<pid_t> before_;
  int was_subreaper_ = 0;
};

/// A process that lets this one go on where what it runs has stopped it. What a
/// terminal sends stops both.
class StopGuard {
 public:
  StopGuard();

 private:
  std::expected<Process, std::error_code> process_;
};

/// The number behind `key` in the file at `path` of /proc; 0 if there is none.
std::uint64_t ProcNumber(const std::string& path, std::string_view key);

/// The parent of process `pid`; 0 if unknown.
pid_t ParentOf(pid_t pid);

/// Lets process `pid` go on if a signal has stopped it, or a process below it
/// that traces it, which is killed.
void ResumeIfStopped(pid_t pid);

/// Kills what traces the child `pid` after its end, a process below this one:
/// waiting for the child would wait for its tracer, too.
void ReleaseIfDead(pid_t pid);

}  // namespace lanediff::diff
