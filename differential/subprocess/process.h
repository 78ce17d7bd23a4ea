#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "differential/subprocess/fork_server.h"

namespace lanediff::diff {

/// How a process ended.
struct ProcessEnd {
  int wait_status = 0;
  bool too_much_memory = false;  ///< it was ended for what it took
  bool late = false;             ///< it was requested to end and didn't
  std::string error_tail;        ///< the last 4 KiB of its stderr

  bool well() const { return wait_status == 0 && !late && !too_much_memory; }
  /// "ended with status 3", "was ended by signal 11 (Segmentation fault)".
  std::string Text() const;
};

/// What is to run as an outside process.
struct ProcessPlan {
  std::string program;                   ///< a path
  std::vector<std::string> words;        ///< the program's own name among them
  std::vector<std::string> environment;  ///< "NAME=value", instead of ours
  /// A descriptor that it finds as number 3; none below 0.
  int inherited = -1;
  /// Instead of a program: called in a process of its own, with stdin, stdout
  /// and stderr as a program would have them, with `words[0]` and `number`;
  /// returns the status.
  InsteadOfProgram instead = nullptr;
  std::uint64_t number = 0;
  /// `instead` needs the shared arena.
  bool needs_arena = false;
  /// Of which fork server it is (fork server.h); below 0: the common one.
  int fork_server = -1;
  bool piped = true;  ///< stdin and stdout are pipes; else nothing and stderr
  /// Becomes 1, with a futex woken, when the process has ended; shared memory,
  /// or null.
  std::atomic<std::uint32_t>* end_flag = nullptr;
};

/// A program in a process of its own that can't do harm: a second process, its
/// supervisor, reads its stderr, watches how much memory it takes, and ends it
/// with all that it has started, wherever they went, on request or when this
/// process ends. Requests and the report go over one socket.
///
/// One thread at a time. A fork of this process has no part in it: all its
/// descriptors are closed there.
class OutsideProcess {
 public:
  /// The error is one line: no process can be had.
  static std::expected<std::unique_ptr<OutsideProcess>, std::string> Start(
      const ProcessPlan& plan);
  /// Ends it at once if it runs.
  ~OutsideProcess();
  OutsideProcess(const OutsideProcess&) = delete;
  OutsideProcess& operator=(const OutsideProcess&) = delete;

  int input() const { return input_; }    ///< to be written to
  int output() const { return output_; }  ///< to be read from
  /// Can be read from once the process has ended.
  int end_notice() const { return control_; }

  /// Whether this is a fork of the process that started it.
  bool ForeignHere() const;
  bool HasEnded();
  /// Ends it, if it still runs.
  const ProcessEnd& Kill();
  /// Closes its input and lets it end by itself within `seconds`, without
  /// waiting for that.
  void LetEnd(double seconds);
  /// Waits until it has ended.
  const ProcessEnd& Wait();

 private:
  OutsideProcess() = default;
  friend void ForgetInFork();
  friend void EndOutsideProcesses();
  void AwaitReport(int most_milliseconds) const;
  void CloseAll();

  pid_t owner_ = -1;
  pid_t supervisor_ = -1;
  int input_ = -1;
  int output_ = -1;
  int control_ = -1;
  bool ended_ = false;
  ProcessEnd end_;
};

/// Kills the processes that run, with all that they have started, waits until
/// they have ended, and lets none start any more: this process is about to end.
/// Any thread; their own threads see them end.
void EndOutsideProcesses();

/// The file that a shell would run for `word`: itself where it has a slash,
/// else the first of that name in PATH. The error is one line.
std::expected<std::string, std::string> ProgramFile(const std::string& word);

}  // namespace lanediff::diff
