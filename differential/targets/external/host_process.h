#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "differential/subprocess/process.h"
#include "differential/targets/external/host_block.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/target.h"

namespace lanediff::diff {

/// States that this program, started as "--plugin-host LAYOUT BLOCK PATH",
/// calls `HostPlugin` if LAYOUT is `kHostLayout`. Without it plugins run in
/// forks of this process.
void SetProgramHostsPlugins();

/// States that `program`, started so, does that: all plugins run in it.
void SetPluginHost(std::string program);

/// A process that has loaded a plugin. One thread at a time: the caller holds
/// its lock from the request to the last look at the answer, as sessions may be
/// opened by one thread and used by others.
class HostProcess final : public TargetProcess {
 public:
  std::mutex& lock() { return lock_; }

  ~HostProcess() override;

  /// Starts it; it loads the plugin meanwhile.
  static std::expected<std::unique_ptr<HostProcess>, NoOutcome> Begin(
      const std::string& path);
  /// Reads the plugin's description of itself.
  std::expected<void, NoOutcome> Hear();

  HostBlock& block() { return *block_; }

  /// Sends the request in the block and waits for its answer.
  std::expected<void, NoOutcome> Call();

  /// Where it has run nothing: has a fork of it take the requests, which is
  /// quicker than to load the plugin once more, and finds what a fresh process
  /// would. It takes them itself where it can't be forked, as it has threads.
  std::expected<void, NoOutcome> Fork();
  /// Ends the fork; false where there is none, or it doesn't end well.
  bool EndFork();

  /// A number for a new session, and giving one back.
  std::uint32_t TakeSession();
  void EndSession(std::uint32_t session, bool was_open);

  /// The lines of an answer.
  static std::vector<std::string_view> Lines(const HostCall& call);

  void LetEnd() override;

 private:
  HostProcess() : TargetProcess("when its sessions were closed") {}
  bool Request();
  std::uint32_t Await(std::uint32_t state);
  NoOutcome Late(std::string_view what);
  NoOutcome Ended();
  std::string FaultText() const;

  std::mutex lock_;
  HostBlock* block_ = nullptr;
  std::uint32_t sessions_ = 0;  ///< taken ones, a bit each
  bool forked_ = false;
};

}  // namespace lanediff::diff
