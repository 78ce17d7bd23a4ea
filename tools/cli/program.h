#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanediff::cli {

/// The program lanediff: watches standard output and signals, runs the verb
/// that the words name, and returns the exit status. Call it once, first thing
/// in main, with main's own arguments: it also hosts plugins, for which it
/// starts the program again. From then on stdout and stderr never fail: what is
/// printed after the first error goes nowhere, so that a run leaves its reports
/// even so.
int RunProgram(int argc, char** argv);

/// One verb, as on the command line but without the program's name, in a
/// program that does other things, too. Prints to stdout and stderr; returns
/// the exit status.
int RunVerb(const std::vector<std::string>& words);

/// Prints what is still held back. `status`, or `kUsage` for `kAgree` and a
/// line on stderr where not everything could be printed; no line where a
/// reader went away, as `head` does.
int FinishStandardOutput(int status);

/// Ends the process so, with threads that go on, and without their temporary
/// file.
[[noreturn]] void ExitAtOnce(int status);

// Signals that end a run.

/// From now on SIGINT, SIGTERM and SIGHUP end the process without leaving a
/// temporary file. A pipe without a reader, and a file that may not grow, are
/// errors of writing, no signals.
void HandleSignals();

/// From now on the first of SIGINT (Ctrl-C), SIGTERM and SIGHUP lets a verb
/// finish what it holds, and report it; the second ends the process. SIGHUP
/// stays ignored under nohup.
void WatchInterrupt();

/// The next one counts as the first again.
void ForgetInterrupt();

/// Whether one has come since.
bool Interrupted();

/// The result of `work`, which runs in a thread; nothing as soon as there is an
/// interrupt. The thread may go on then: this process has to end by `_exit`,
/// and what `work` refers to must live until it does.
template <class Work>
std::optional<std::invoke_result_t<Work>> UnlessInterrupted(Work work) {
  constexpr std::chrono::milliseconds kPeriod(20);
  auto result = std::make_unique<std::future<std::invoke_result_t<Work>>>(
      std::async(std::launch::async, std::move(work)));
  while (result->wait_for(kPeriod) != std::future_status::ready) {
    if (!Interrupted()) continue;
    (void)result.release();  // destroying it would wait for the thread
    return std::nullopt;
  }
  return result->get();
}

}  // namespace lanediff::cli

#pragma once

namespace lanediff::cli {

/// Exit statuses; with mixed results the order of precedence is 1, 3, 2, 0.
inline constexpr int kAgree = 0;
inline constexpr int kDisagreement = 1;
inline constexpr int kUsage =
    2;  ///< wrong usage, malformed case, nothing compared
inline constexpr int kTargetFailed = 3;

}  // namespace lanediff::cli
