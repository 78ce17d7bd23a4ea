#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "differential/subprocess/spawn.h"

namespace lanediff::diff {

/// What is run in the place of a program: in a fork of the fork server.
using InsteadOfProgram = int (*)(const char* text, std::uint64_t number);

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
  bool piped = true;  ///< stdin and stdout are pipes; else nothing and stderr
  /// Becomes 1, with a futex woken, when the process has ended; shared memory,
  /// or null.
  std::atomic<std::uint32_t>* end_flag = nullptr;
};

/// Of an order, whose caller keeps them: the supervisor's ends of its socket
/// and of the pipe of stderr, then what becomes the process's 0, 1 and 2.
using OrderDescriptors = std::array<int, 5>;

/// A fork of lanediff would copy the tables of all its pages, so processes come
/// from a process that was forked before the first target ran. A fork of
/// lanediff has one of its own.
///
/// The supervisor's process; -1, with errno, if no process can be had. Any
/// number of threads.
pid_t OrderProcess(const ProcessPlan& plan, const OrderDescriptors& ends);

/// Ends the fork server, which is unused once all processes have ended. The
/// next order begins another one.
void EndForkServer();

/// In a fork of this process: it is another one's.
void ForgetForkServer();

inline constexpr std::size_t kErrorTailBytes = 4096;

/// What the supervisor reports, once, when the process and all that it started
/// are no more.
struct SupervisorReport {
  std::int32_t wait_status = 0;
  std::uint8_t too_much_memory = 0;
  std::uint8_t late = 0;
  std::uint32_t tail_bytes = 0;
  std::array<char, kErrorTailBytes> tail{};
};

/// The request to it. A closed socket means to end the process at once.
struct SupervisorRequest {
  std::int32_t end_within_ms = 0;  ///< 0: at once
};

struct SupervisorTask {
  int control = -1;  ///< socket to lanediff
  int errors = -1;   ///< what the process writes to stderr
  std::uint64_t most_memory_bytes = 0;
  std::atomic<std::uint32_t>* end_flag = nullptr;
};

/// Is the supervisor, the process between lanediff and an outside one, which it
/// starts: a fresh fork, of one thread, that never runs anything else.
[[noreturn]] void KeepProcess(const SupervisorTask& task,
                              const Spawn& spawn) noexcept;

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

  int owner_ = -1;
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

/// How patient lanediff is with targets in processes of their own.
struct OutsideOptions {
  double timeout_seconds = 10;      ///< for one case, and for an orderly end
  std::int64_t max_restarts = 100;  ///< then the target is given up
  /// More resident memory ends the process.
  std::uint64_t most_memory_bytes = std::uint64_t{4} << 30;
};

/// Those of this process. To be changed, if at all, before a target is found.
OutsideOptions& TheOutsideOptions();

/// When the answer to a request of now is late.
std::chrono::steady_clock::time_point AnswerDeadline();

}  // namespace lanediff::diff
