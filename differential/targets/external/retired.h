#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanediff::diff {

/// Processes that were requested to end and are on their way. Any number of
/// threads.
template <class Process>
class Retired {
 public:
  /// Requests `process` to end, and forgets those that have.
  void Add(std::shared_ptr<Process> process) {
    process->LetEnd();
    const std::lock_guard lock(mutex_);
    DropForeign();
    std::erase_if(ending_, [&](const auto& one) {
      const bool ended = one->HasEnded();
      if (ended) Note(*one);
      return ended;
    });
    ending_.push_back(std::move(process));
  }

  /// Waits for all. A line for each way in which one ended badly, after `name`.
  std::vector<std::string> Wait(std::string_view name) {
    const std::lock_guard lock(mutex_);
    DropForeign();
    for (const auto& one : ending_) Note(*one);
    ending_.clear();
    std::vector<std::string> lines;
    for (const std::string& why : complaints_) {
      lines.push_back(fmt::format("{}: {}", name, why));
    }
    complaints_.clear();
    return lines;
  }

 private:
  void Note(Process& process) {
    std::string why = process.WhyEndedBadly();
    if (!why.empty()) complaints_.insert(std::move(why));
  }

  /// In a fork of the process that started them they are unusable.
  void DropForeign() {
    std::erase_if(ending_, [](const auto& one) { return one->ForeignHere(); });
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<Process>> ending_;
  std::set<std::string> complaints_;
};

}  // namespace lanediff::diff
