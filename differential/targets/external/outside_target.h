#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/subprocess/process.h"
#include "differential/targets/account.h"
#include "differential/targets/external/hello.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_error.h"

/// What targets in processes of their own have in common.
namespace lanediff::diff {

/// What `lanediff target check` queries of a target in a process of its own,
/// beside cases.
class Outside {
 public:
  virtual ~Outside() = default;

  /// What it reports of itself, in one line.
  virtual std::string SelfText() const = 0;
  /// What it answers to an unknown instruction: "unsupported",
  /// "rejected", "error" or "executed".
  virtual std::expected<std::string, NoOutcome> ProbeUnknown() const = 0;
};

/// The failure of an outside process that ended, with what it last wrote to
/// stderr. `why`: what it was doing, after "it".
NoOutcome Failure(NoOutcome::Kind kind, std::string why,
                  std::string error_tail = {});

/// `none` as a failure: a target that was there can't be started any more.
std::unexpected<NoOutcome> AsFailure(NoOutcome none);

/// A process of a target. One thread at a time.
class TargetProcess {
 public:
  /// `on_end_request`: "after its input was closed", for `WhyEndedBadly`.
  explicit TargetProcess(std::string_view on_end_request)
      : on_end_request_(on_end_request) {}
  virtual ~TargetProcess() = default;

  /// Lets it end, without waiting for its end.
  virtual void LetEnd() = 0;
  bool HasEnded() { return process_->HasEnded(); }
  /// How it ended, once it has; nothing where all was well.
  std::string WhyEndedBadly();
  bool ForeignHere() const { return process_->ForeignHere(); }

  const OutsideSelf& self() const { return self_; }
  /// It has failed, and is unusable.
  bool broken() const { return broken_; }
  /// Ends the process, which has failed as `why` states.
  NoOutcome Broke(std::string why,
                  NoOutcome::Kind kind = NoOutcome::Kind::kProtocol);

 protected:
  std::unique_ptr<OutsideProcess> process_;
  OutsideSelf self_;
  bool broken_ = false;

 private:
  std::string_view on_end_request_;
};

/// A process that was begun, once it has reported what it is.
template <class Process>
std::expected<std::unique_ptr<Process>, NoOutcome> Heard(
    std::expected<std::unique_ptr<Process>, NoOutcome> begun) {
  if (!begun) return begun;
  if (auto heard = (*begun)->Hear(); !heard) {
    return std::unexpected(std::move(heard.error()));
  }
  return begun;
}

/// Processes that were requested to end and are on their way. Any number of
/// threads.
class Retired {
 public:
  /// Requests `process` to end, and forgets those that have. Null, a broken one
  /// and one of another process are passed over.
  void Add(std::shared_ptr<TargetProcess> process);
  /// Waits for all. A line for each way in which one ended badly, after `name`.
  std::vector<std::string> Wait(std::string_view name);

 private:
  void Note(TargetProcess& process);
  void DropForeign();

  std::mutex mutex_;
  std::vector<std::shared_ptr<TargetProcess>> ending_;
  std::set<std::string> complaints_;
};

/// Counts how often an outside target failed, and how many cases it ran.
/// Any number of threads.
class Restarts {
 public:
  /// It has failed, and is to be started again.
  void Count() { ++failures_; }
  bool given_up() const { return failures_ > TheOutsideOptions().max_restarts; }
  /// Why it runs no more cases; nothing as long as it does.
  std::optional<NoOutcome> WhyNot(std::string_view name) const;

  /// True for every 64th case, which is to be repeated in a fresh process.
  bool IsCaseToRepeat() { return ++cases_ % kRepeatEvery == 0; }

 private:
  static constexpr std::uint64_t kRepeatEvery = 64;

  std::atomic<std::int64_t> failures_ = 0;
  std::atomic<std::uint64_t> cases_ = 0;
};

/// A target in processes of its own; `Base` is `Target` or `StepwiseTarget`.
template <class Base>
class OutsideTarget : public Base, public Outside {
 public:
  /// `kind`: ", a plugin", behind name and version.
  OutsideTarget(std::string name, OutsideSelf self, std::string_view kind)
      : name_(std::move(name)),
        self_(std::move(self)),
        description_(fmt::format("{} {}{}", Quote(self_.name),
                                 Quote(self_.version), kind)) {}

  std::string_view name() const override { return name_; }
  std::string_view description() const override { return description_; }
  TargetInfo info() const override { return {self_.name, self_.version}; }
  bool given_up() const override { return restarts_.given_up(); }
  Account* account() const override { return &account_; }
  std::string SelfText() const override { return SelfLine(self_); }

 protected:
  std::string name_;
  OutsideSelf self_;
  std::string description_;
  mutable Restarts restarts_;
  mutable Account account_;
  mutable std::mutex mutex_;
  mutable Retired retired_;
};

/// That `fresh` is another outcome than `had`, or none; nothing where it is the
/// same. Rules and notes that either doesn't report are passed over. `last`:
/// the id of the case before it in the process that is not fresh.
std::optional<NoOutcome> StateDifference(
    const Outcome& had, const std::expected<Outcome, NoOutcome>& fresh,
    std::string_view last);

/// `end` lets a target's processes end in good order. It returns a line for
/// each that didn't.
void AtOutsideEnd(std::function<std::vector<std::string>()> end);

/// Whether the last target that this thread could not find was there and failed
/// at once.
bool& StartFailed();

/// Lets all outside targets' processes end: their input is closed, and they
/// have the time of one case. A line for each that didn't end, or not with
/// status 0. No target may be used meanwhile, and any may be afterwards.
std::vector<std::string> EndOutsideTargets();

/// The target called `name`, which `make()` makes on the first request: a
/// unique_ptr to a `T`, or why there is none. It stays until the
/// program ends; its processes end with those of all outside targets.
template <class T, class Make>
std::expected<const Target*, std::string> KnownTarget(std::string_view name,
                                                      const Make& make) {
  static std::mutex mutex;
  static auto* const targets =
      new std::map<std::string, std::unique_ptr<T>, std::less<>>;
  const std::lock_guard lock(mutex);
  if (const auto found = targets->find(name); found != targets->end()) {
    return found->second.get();
  }
  std::expected<std::unique_ptr<T>, NoOutcome> made = make();
  if (!made) {
    StartFailed() = IsFailure(made.error().kind);
    return std::unexpected(
        fmt::format("{}: {}", Quote(name, 300), made.error().why));
  }
  T* const there = made->get();
  AtOutsideEnd([there] { return there->End(); });
  targets->emplace(name, *std::move(made));
  return there;
}

inline constexpr std::string_view kExecPrefix = "exec:";
inline constexpr std::string_view kPluginPrefix = "plugin:";

/// The target `exec:COMMAND`, a program that speaks `lanediff-target/1`, or
/// `plugin:PATH`, a library with the C ABI of lanediff/plugin.h; one for each
/// spelling, which lives as long as the process. It is started here, to hear
/// what it can do. The error is one line. May be called from several threads.
std::expected<const Target*, std::string> FindExecTarget(std::string_view name);
std::expected<const Target*, std::string> FindPluginTarget(
    std::string_view name);

}  // namespace lanediff::diff
