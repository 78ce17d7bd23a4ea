#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

/// Signals that end a run.
namespace lanediff::cli {

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
