#include "diff/outside/exec_target.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "case/json.h"
#include "diff/account.h"
#include "diff/outside/line_process.h"
#include "diff/outside/outside_target.h"
#include "diff/outside/register.h"
#include "diff/outside/restarts.h"
#include "diff/outside/retired.h"
#include "diff/outside/split_words.h"

namespace lanediff::diff {
namespace {

using Kind = NoOutcome::Kind;

/// One process, the case that it was asked last, and the one before.
struct Worker {
  std::unique_ptr<LineProcess> process;
  std::string last_case;
  std::string before;
};

/// A program that speaks the line protocol: as many processes of it as threads
/// ask at once.
class ExecTarget final : public Target, public Outside {
 public:
  ExecTarget(std::string name, std::vector<std::string> words,
             std::unique_ptr<LineProcess> first)
      : name_(std::move(name)),
        words_(std::move(words)),
        self_(first->self()),
        description_(fmt::format("{} {}, which speaks lanediff-target/1",
                                 Quote(self_.name), Quote(self_.version))) {
    idle_.push_back({std::move(first), "", ""});
  }

  std::string_view name() const override { return name_; }
  std::string_view description() const override { return description_; }
  Capabilities capabilities() const override { return self_.can; }
  bool given_up() const override { return restarts_.given_up(); }
  Account* account() const override { return &account_; }

  std::expected<Outcome, NoOutcome> Run(const Case& c) const override {
    if (auto why = restarts_.WhyNot(name_)) {
      account_.GiveUp();
      return std::unexpected(*why);
    }
    auto worker = TakeWorker();
    if (!worker) return Counted(std::unexpected(worker.error()));
    return RunOn(*worker, c);
  }

  std::optional<NoOutcome> LookAgain(const Case& c,
                                     const Outcome* had) const override {
    if (had == nullptr || !restarts_.IsCaseToRepeat()) return std::nullopt;
    auto fresh = LineProcess::Start(words_);
    if (!fresh) {
      restarts_.Count();
      return fresh.error();
    }
    Worker worker{std::move(*fresh), "", ""};
    const std::string before = CaseBefore(c.id);
    // From now on the fresh one serves, and the other may go.
    RetireIdle();
    const auto outcome = RunOn(worker, c);
    if (!outcome) return outcome.error();
    return StateDifference(*had, *outcome, before);
  }

  std::string SelfText() const override { return SelfLine(self_); }
  std::expected<std::string, NoOutcome> AskUnknown() const override {
    auto worker = TakeWorker();
    if (!worker) return std::unexpected(std::move(worker.error()));
    auto said = worker->process->AskUnknown();
    if (worker->process->broken()) return said;
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(*worker));
    return said;
  }

  std::vector<std::string> End() {
    RetireIdle();
    return retired_.Wait(name_);
  }

 private:
  template <class T>
  T Counted(T result) const {
    restarts_.Count();
    return result;
  }

  /// An idle process, or a new one.
  std::expected<Worker, NoOutcome> TakeWorker() const {
    {
      const std::lock_guard lock(mutex_);
      DropForeign();
      if (!idle_.empty()) {
        Worker worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    auto process = LineProcess::Start(words_);
    if (!process) {
      NoOutcome none = std::move(process.error());
      if (!IsFailure(none.kind)) none.kind = Kind::kCrash;
      return std::unexpected(std::move(none));
    }
    return Worker{std::move(*process), "", ""};
  }

  std::expected<Outcome, NoOutcome> RunOn(Worker& worker, const Case& c) const {
    auto outcome = worker.process->Ask(c);
    if (!outcome && IsFailure(outcome.error().kind)) {
      restarts_.Count();
      if (!worker.last_case.empty()) {
        outcome.error().why +=
            fmt::format("; the case before it was {}", worker.last_case);
      }
    }
    if (worker.process->broken()) return outcome;
    if (outcome && outcome->observed.empty()) outcome->observed = name_;
    worker.before = std::exchange(worker.last_case, c.id);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
    return outcome;
  }

  /// The case that came before the one called `id` in its process.
  std::string CaseBefore(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    for (const Worker& worker : idle_) {
      if (worker.last_case == id) return worker.before;
    }
    return "";
  }

  void RetireIdle() const {
    const std::lock_guard lock(mutex_);
    DropForeign();
    for (Worker& worker : idle_) retired_.Add(std::move(worker.process));
    idle_.clear();
  }

  /// In a fork of the process that started them they are of no use.
  void DropForeign() const {
    if (idle_.empty() || !idle_.front().process->ForeignHere()) return;
    for (Worker& worker : idle_) worker.process.release();
    idle_.clear();
  }

  std::string name_;
  std::vector<std::string> words_;
  OutsideSelf self_;
  std::string description_;
  mutable Restarts restarts_;
  mutable Account account_;
  mutable std::mutex mutex_;
  mutable std::vector<Worker> idle_;
  mutable Retired<LineProcess> retired_;
};

std::unexpected<std::string> Fail(std::string_view name, std::string_view why) {
  return std::unexpected(fmt::format("{}: {}", Quote(name, 300), why));
}

}  // namespace

std::expected<const Target*, std::string> FindExecTarget(
    std::string_view name) {
  static std::mutex mutex;
  static auto* const targets =
      new std::map<std::string, std::unique_ptr<ExecTarget>, std::less<>>;
  const std::lock_guard lock(mutex);
  if (const auto found = targets->find(name); found != targets->end()) {
    return found->second.get();
  }
  auto words = SplitWords(name.substr(kExecPrefix.size()));
  if (!words) return Fail(name, words.error());
  if (words->empty() || words->front().empty()) {
    return Fail(name, "no program is named; exec:COMMAND is allowed");
  }
  auto process = LineProcess::Start(*words);
  if (!process) {
    StartFailed() = IsFailure(process.error().kind);
    return Fail(name, process.error().why);
  }
  auto target = std::make_unique<ExecTarget>(
      std::string(name), std::move(*words), std::move(*process));
  ExecTarget* const there = target.get();
  AtOutsideEnd([there] { return there->End(); });
  targets->emplace(name, std::move(target));
  return there;
}

}  // namespace lanediff::diff
