#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "differential/targets/account.h"
#include "differential/targets/external/host_process.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/external/plugin_session.h"
#include "differential/targets/external/target_coverage.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

/// A library in processes of its own, one for each calling thread.
class PluginTarget final : public OutsideTarget<StepwiseTarget> {
 public:
  PluginTarget(std::string name, std::string path,
               std::shared_ptr<HostProcess> first)
      : OutsideTarget(std::move(name), first->self(), ", a plugin"),
        path_(std::move(path)) {
    hosts_[std::this_thread::get_id()].process = std::move(first);
    // The C interface has no steps of kernels, and an older one not every call.
    self_.can.kernels = false;
    const auto in_abi = [this](const isa::Step& step) {
      return InPluginAbi(step, self_.plugin_flags);
    };
    auto& claimed = self_.can.instructions;
    const auto calls = isa::CallKinds();
    if (!claimed && !std::ranges::all_of(calls, in_abi)) {
      claimed.emplace();
      for (const isa::Call& call : calls) {
        claimed->emplace_back(call.signature->op);
      }
    }
    if (!claimed) return;
    std::erase_if(*claimed, [&](std::string_view op) {
      return !in_abi(*isa::FindStepKind(op));
    });
  }

  Capabilities capabilities() const override { return self_.can; }

  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    if (auto why = restarts_.WhyNot(name_)) {
      account_.GiveUp();
      return std::make_unique<PluginSession>(std::move(*why));
    }
    auto host = HostHere();
    if (!host) {
      restarts_.Count();
      return std::make_unique<PluginSession>(std::move(host.error()));
    }
    return std::make_unique<PluginSession>(std::move(*host), profile, memories,
                                           self_.can, restarts_);
  }

  std::optional<NoOutcome> LookAgain(const Case& c,
                                     const Outcome* /*had*/) const override {
    const std::string before = NoteCase(c.id);
    if (!restarts_.IsCaseToRepeat()) return std::nullopt;
    const PauseTargetCoverage pause;
    const auto had = Run(c);
    if (!had) return had.error();
    auto difference = StateDifference(*had, Repeat(c), before);
    Host& host = HostSlot();
    if (difference && !std::exchange(host.keeps_state, true) &&
        host.repeats > 1) {
      difference = StateDifference(*had, Repeat(c), before);
    }
    return difference;
  }

  std::expected<std::string, NoOutcome> ProbeUnknown() const override {
    auto host = HostHere();
    if (!host) return std::unexpected(std::move(host.error()));
    return PluginSession(std::move(*host), isa::Product::kAtlasA2, {},
                         self_.can, restarts_)
        .ProbeUnknown();
  }

  std::vector<std::string> End() {
    {
      const std::lock_guard lock(mutex_);
      for (auto& [thread, host] : hosts_) {
        retired_.Add(std::move(host.process));
        retired_.Add(std::move(host.fresh));
      }
      hosts_.clear();
    }
    return retired_.Wait(name_);
  }

 private:
  /// The processes of one thread.
  struct Host {
    std::shared_ptr<HostProcess> process;
    std::shared_ptr<HostProcess> fresh;  ///< has run nothing, but forks
    int forks = 0;                       ///< that have run repeated cases
    int repeats = 0;           ///< cases that the fork of `fresh` has run
    bool keeps_state = false;  ///< from case to case: it has been seen
    std::string last_case;
  };

  /// The calling thread's, which no other thread touches.
  Host& HostSlot() const {
    const std::lock_guard lock(mutex_);
    return hosts_[std::this_thread::get_id()];
  }

  static void DropForeign(std::shared_ptr<HostProcess>& process) {
    if (process != nullptr && (process->ForeignHere() || process->broken())) {
      process.reset();
    }
  }

  std::expected<std::shared_ptr<HostProcess>, NoOutcome> HostHere() const {
    Host& host = HostSlot();
    DropForeign(host.process);
    if (host.process == nullptr) {
      auto fresh = Fresh(host);
      if (!fresh) return fresh;
      host.process = std::move(host.fresh);
    }
    return host.process;
  }

  /// One that has run nothing.
  std::expected<std::shared_ptr<HostProcess>, NoOutcome> Fresh(
      Host& host) const {
    DropForeign(host.fresh);
    const bool used = std::exchange(host.repeats, 0) > 0;
    if (used && host.fresh != nullptr && !host.fresh->EndFork()) {
      retired_.Add(std::exchange(host.fresh, nullptr));
    }
    if (host.fresh == nullptr) {
      auto begun = Heard(HostProcess::Begin(path_));
      if (!begun) return AsFailure(std::move(begun.error()));
      host.fresh = std::move(*begun);
    }
    return host.fresh;
  }

  /// What a process makes of `c` that has run nothing, or, after some and
  /// unless the plugin keeps state, some repeated cases: a fork takes longer.
  std::expected<Outcome, NoOutcome> Repeat(const Case& c) const {
    constexpr int kSome = 8;
    Host& host = HostSlot();
    DropForeign(host.fresh);
    const bool one = host.keeps_state || host.forks <= kSome;
    if (host.fresh == nullptr || host.repeats == 0 || one ||
        host.repeats == kSome) {
      ++host.forks;
      const auto fresh = Fresh(host);
      const auto forked =
          fresh ? (*fresh)->Fork() : std::unexpected(fresh.error());
      if (!forked) {
        restarts_.Count();
        return AsFailure(forked.error());
      }
    }
    ++host.repeats;
    // The other one goes on afterwards: it knows the memories.
    std::swap(host.process, host.fresh);
    auto outcome = Run(c);
    std::swap(host.process, host.fresh);
    return outcome;
  }

  /// The case before in this thread.
  std::string NoteCase(const std::string& id) const {
    return std::exchange(HostSlot().last_case, id);
  }

  std::string path_;
  mutable std::map<std::thread::id, Host> hosts_;
};

/// The whole path of a file that is there.
std::expected<std::string, std::string> WholePath(const std::string& path) {
  struct stat info{};
  if (path.empty()) return std::unexpected("no library is named");
  if (stat(path.c_str(), &info) != 0) return std::unexpected(strerror(errno));
  if (!S_ISREG(info.st_mode)) return std::unexpected("is no file");
  char* const whole = realpath(path.c_str(), nullptr);
  if (whole == nullptr) return std::unexpected(strerror(errno));
  std::string text = whole;
  std::free(whole);
  return text;
}

}  // namespace

std::expected<const Target*, std::string> FindPluginTarget(
    std::string_view name) {
  using Made = std::expected<std::unique_ptr<PluginTarget>, NoOutcome>;
  return KnownTarget<PluginTarget>(name, [&]() -> Made {
    auto path = WholePath(std::string(name.substr(kPluginPrefix.size())));
    if (!path) {
      return std::unexpected(
          NoOutcome{NoOutcome::Kind::kUnknown, std::move(path.error())});
    }
    auto host = Heard(HostProcess::Begin(*path));
    if (!host) return std::unexpected(std::move(host.error()));
    return std::make_unique<PluginTarget>(std::string(name), *std::move(path),
                                          *std::move(host));
  });
}

}  // namespace lanediff::diff
