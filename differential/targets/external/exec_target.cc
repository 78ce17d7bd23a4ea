#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "differential/subprocess/process.h"
#include "differential/targets/account.h"
#include "differential/targets/external/line_process.h"
#include "differential/targets/external/outside_target.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

using Kind = NoOutcome::Kind;

/// A program that speaks the line protocol: one process for each thread that
/// runs cases at once.
class ExecTarget final : public OutsideTarget<Target> {
 public:
  ExecTarget(std::string name, std::vector<std::string> words,
             std::unique_ptr<LineProcess> first)
      : OutsideTarget(std::move(name), first->self(),
                      ", which speaks lanediff-target/1"),
        words_(std::move(words)) {
    idle_.push_back(NewWindow(std::move(first)));
  }

  Capabilities capabilities() const override { return self_.can; }

  std::size_t foresight() const override {
    return self_.window > 1 ? static_cast<std::size_t>(
                                  std::min(self_.window, kMostForesight))
                            : 0;
  }
  void Announce(const Case& c) const override {
    if (!given_up()) Mine().Announce(c);
  }
  void Withdraw() const override {
    Mine().Withdraw();
    PutBack();
  }

  std::expected<Outcome, NoOutcome> Run(const Case& c) const override {
    if (auto why = restarts_.WhyNot(name_)) {
      account_.GiveUp();
      Mine().Withdraw();
      PutBack();
      return std::unexpected(*why);
    }
    auto outcome = Mine().Run(c);
    PutBack();
    if (outcome && outcome->observed.empty()) outcome->observed = name_;
    return outcome;
  }

  std::optional<NoOutcome> LookAgain(const Case& c,
                                     const Outcome* had) const override {
    if (had == nullptr || !restarts_.IsCaseToRepeat()) return std::nullopt;
    const std::string before = CaseBefore(c.id);
    auto fresh = Fresh();
    if (!fresh) {
      restarts_.Count();
      return fresh.error();
    }
    // The other one goes on: what it keeps from case to case may show later.
    const auto outcome = (*fresh)->Run(c);
    if (!outcome && IsFailure(outcome.error().kind)) restarts_.Count();
    retired_.Add(std::move(*fresh));
    if (auto begun = LineProcess::Begin(words_)) {
      const std::lock_guard lock(mutex_);
      spares_.push_back(std::move(*begun));
    }
    return StateDifference(*had, outcome, before);
  }

  std::expected<std::string, NoOutcome> ProbeUnknown() const override {
    auto process = Fresh();
    if (!process) return std::unexpected(std::move(process.error()));
    auto reply = (*process)->ProbeUnknown();
    retired_.Add(std::move(*process));
    return reply;
  }

  std::vector<std::string> End() {
    {
      const std::lock_guard lock(mutex_);
      DropForeign();
      busy_.clear();
      for (const auto& window : idle_) retired_.Add(window->TakeProcess());
      for (auto& spare : spares_) retired_.Add(std::move(spare));
      idle_.clear();
      spares_.clear();
    }
    return retired_.Wait(name_);
  }

 private:
  using Window = std::unique_ptr<LineWindow>;
  using Process = std::unique_ptr<LineProcess>;

  /// Cases that wait are kept in memory.
  static constexpr std::int64_t kMostForesight = 256;

  Window NewWindow(Process process) const {
    return std::make_unique<LineWindow>(
        std::move(process), [this] { return StartAgain(); },
        [this] { restarts_.Count(); });
  }

  std::expected<Process, NoOutcome> StartAgain() const {
    if (auto why = restarts_.WhyNot(name_)) {
      return std::unexpected(std::move(*why));
    }
    return Started();
  }

  std::expected<Process, NoOutcome> Started() const {
    auto started = Heard(LineProcess::Begin(words_));
    if (!started) return AsFailure(std::move(started.error()));
    return started;
  }

  /// One without a request so far, if possible one that is ready.
  std::expected<Process, NoOutcome> Fresh() const {
    Process fresh;
    {
      const std::lock_guard lock(mutex_);
      DropForeign();
      if (!spares_.empty()) {
        fresh = std::move(spares_.back());
        spares_.pop_back();
      }
    }
    if (fresh == nullptr) return Started();
    return Heard<LineProcess>(std::move(fresh));
  }

  /// The requests of the calling thread, which no other thread touches.
  LineWindow& Mine() const {
    const std::lock_guard lock(mutex_);
    DropForeign();
    Window& mine = busy_[std::this_thread::get_id()];
    if (mine == nullptr && !idle_.empty()) {
      mine = std::move(idle_.back());
      idle_.pop_back();
    }
    if (mine == nullptr) mine = NewWindow(nullptr);
    return *mine;
  }

  /// For others, unless something was announced.
  void PutBack() const {
    const std::lock_guard lock(mutex_);
    const auto mine = busy_.find(std::this_thread::get_id());
    if (mine == busy_.end() || !mine->second->empty()) return;
    idle_.push_back(std::move(mine->second));
    busy_.erase(mine);
  }

  /// The case that came before the one called `id` in its process.
  std::string CaseBefore(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    const auto mine = busy_.find(std::this_thread::get_id());
    if (mine != busy_.end() && mine->second->last_case() == id) {
      return mine->second->before_last();
    }
    for (const Window& window : idle_) {
      if (window->last_case() == id) return window->before_last();
    }
    return "";
  }

  /// In a fork of the process that started them they are unusable.
  void DropForeign() const {
    if (owner_ == getpid()) return;
    owner_ = getpid();
    busy_.clear();
    idle_.clear();
    spares_.clear();
  }

  std::vector<std::string> words_;
  mutable pid_t owner_ = getpid();
  mutable std::map<std::thread::id, Window> busy_;
  mutable std::vector<Window> idle_;
  mutable std::vector<Process> spares_;  ///< that get ready meanwhile
};

}  // namespace

std::expected<const Target*, std::string> FindExecTarget(
    std::string_view name) {
  using Made = std::expected<std::unique_ptr<ExecTarget>, NoOutcome>;
  return KnownTarget<ExecTarget>(name, [&]() -> Made {
    auto words = SplitWords(name.substr(kExecPrefix.size()));
    if (!words)
      return std::unexpected(NoOutcome{Kind::kUnknown, words.error()});
    if (words->empty() || words->front().empty()) {
      return std::unexpected(NoOutcome{
          Kind::kUnknown, "no program is named; exec:COMMAND is allowed"});
    }
    auto process = Heard(LineProcess::Begin(*words));
    if (!process) return std::unexpected(std::move(process.error()));
    return std::make_unique<ExecTarget>(std::string(name), *std::move(words),
                                        *std::move(process));
  });
}

}  // namespace lanediff::diff
