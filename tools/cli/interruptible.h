#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace lanediff::cli {

/// Waits until `has_ended`, which takes a moment, is true; false as soon as
/// there is an interrupt, which `WatchInterrupt` watches for.
bool EndsUninterrupted(const std::function<bool()>& has_ended);

/// The result of `work`, which runs in a thread; nothing as soon as there is an
/// interrupt. The thread may go on then: this process has to end by `_exit`,
/// and what `work` refers to must live until it does.
template <class Work>
std::optional<std::invoke_result_t<Work>> UnlessInterrupted(Work work) {
  constexpr std::chrono::milliseconds kPeriod(20);
  auto result = std::make_unique<std::future<std::invoke_result_t<Work>>>(
      std::async(std::launch::async, std::move(work)));
  if (!EndsUninterrupted([&] {
        return result->wait_for(kPeriod) == std::future_status::ready;
      })) {
    (void)result.release();  // destroying it would wait for the thread
    return std::nullopt;
  }
  return result->get();
}

}  // namespace lanediff::cli
