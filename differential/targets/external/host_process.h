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
#include "differential/targets/external/hello.h"
#include "differential/targets/external/host_block.h"
#include "differential/targets/target.h"

namespace lanediff::diff {

/// States that this program, started as "--plugin-host LAYOUT BLOCK PATH",
/// calls `HostPlugin` if LAYOUT is `kHostLayout`. Without it plugins run in
/// forks of this process.
void SetProgramHostsPlugins();

/// States that `program`, started so, does that: all plugins run in it.
void SetPluginHost(std::string program);

/// Whether the plugin at `path` runs in a program that is started for it, and
/// not in a fork.
bool RunsInProgram(const std::string& path);

/// A process that has loaded a plugin. One thread at a time: the caller holds
/// its lock from the request to the last look at the answer, as sessions may be
/// opened by one thread and used by others.
class HostProcess {
 public:
  std::mutex& lock() { return lock_; }

  /// Starts it and reads the plugin's description of itself.
  static std::expected<std::unique_ptr<HostProcess>, NoOutcome> Start(
      const std::string& path);
  ~HostProcess();

  /// The same in two halves: meanwhile it loads the plugin.
  /// `fork_server`: of a warm one, or below 0.
  static std::expected<std::unique_ptr<HostProcess>, NoOutcome> Begin(
      const std::string& path, int fork_server = -1);
  std::expected<void, NoOutcome> Hear();

  const OutsideSelf& self() const { return self_; }
  HostBlock& block() { return *block_; }

  /// Sends the request in the block and waits for its answer.
  std::expected<void, NoOutcome> Call();
  /// What is wrong with the answer, or that it was an error; it ends the
  /// process.
  NoOutcome Broke(std::string why);
  bool broken() const { return broken_; }

  /// A number for a new session, and giving one back.
  std::uint32_t TakeSession();
  void EndSession(std::uint32_t session, bool was_open);

  /// The lines of an answer.
  static std::vector<std::string_view> Lines(const HostCall& call);

  void LetEnd();
  bool HasEnded() { return process_->HasEnded(); }
  std::string WhyEndedBadly();
  bool ForeignHere() const { return process_->ForeignHere(); }

 private:
  HostProcess() = default;
  NoOutcome Ended();
  std::string FaultText() const;

  std::mutex lock_;
  HostBlock* block_ = nullptr;
  std::unique_ptr<OutsideProcess> process_;
  OutsideSelf self_;
  std::uint32_t sessions_ = 0;  ///< taken ones, a bit each
  bool broken_ = false;
};

}  // namespace lanediff::diff
