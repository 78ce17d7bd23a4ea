#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "kernel/engine/options.h"
#include "kernel/engine/recorded.h"
#include "kernel/launch/handover.h"
#include "kernel/launch/report.h"
#include "reports/kernel_record.h"

namespace lanediff::cli {

/// A run whose programs come from another process, one after another: one
/// report. Messages, in any order:
///
///   {…}            a `lanediff-case/2` document, the program of a kernel. It
///   is
///                  answered by a line of JSON: {"found", "memory": {"GM":
///                  [{"at", "hex"}], …}}, whether a call was rejected or a
///                  finding made, and what is in memory at the end; with "stop"
///                  where --max-errors ends the run; {"error"} where it can't
///                  be run. "GM" may be given in several pieces.
///   script {"program", "pid"}
///                  who speaks, where that is the process that started this
///                  one:
///                  --seconds ends it, and it sends `end` before it leaves
///   poison {"kernel", "at", "bytes", "site"}
///                  bytes of GM that two runs of the last program left
///                  different
///   refusal {…}    a kernel::Refusal
///   end {…}        a kernel::End: how the script ended
class ProgramSession {
 public:
  /// The error is a line.
  static std::expected<std::unique_ptr<ProgramSession>, std::string> Make(
      const kernel::RunOptions& options, std::string program);

  /// Reads from `in` to its end, and answers to `out`.
  void Serve(int in, int out);
  /// From another thread: no step begins any more.
  void Stop() { stop_ = true; }

  /// Behind `Serve`: ends the run so, unless --max-errors has. Reports it;
  /// returns the status.
  int Report(std::optional<kernel::End> end);
  /// The `end` of the script, if it sent one.
  const std::optional<kernel::End>& script_end() const { return script_end_; }
  std::string Place() const { return recorded_.Place(); }

  /// The process that `script` named; 0 if it isn't our parent, -1: no
  /// `script`.
  std::atomic<int> script = -1;
  /// The programs that the script started, if any.
  const host::HandedOver* started = nullptr;
  /// Why a document could not be run; empty if all could.
  std::string objection;
  /// The message that could not be read, and why; empty if all could.
  std::string message_fault;
  bool launched() const { return record_.counts.launches > 0; }

 private:
  ProgramSession(const kernel::RunOptions& options, host::Wanted wanted,
                 std::string program, std::optional<host::Handover> outer);
  std::string Refuse(const std::string& why);
  std::string Answer(const std::string& text);
  std::string Take(const std::string& line);

  kernel::RunOptions options_;
  host::Wanted wanted_;
  std::optional<host::Handover> outer_;  ///< where this run is in another
  kernel::RunRecord record_;
  kernel::Recorded recorded_;
  std::optional<kernel::End> script_end_;
  std::atomic<bool> stop_ = false;
};

/// "ended after 5 seconds (--seconds)" and where.
kernel::End TimedOut(std::uint64_t seconds, const std::string& place);

/// `lanediff run --program -`: a session with stdin and stdout. The report goes
/// to stderr. Returns the status; 2 with one line where no script speaks and a
/// document is no case.
int RunPrograms(const kernel::RunOptions& options);

}  // namespace lanediff::cli
