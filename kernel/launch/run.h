#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "kernel/engine/engine.h"
#include "kernel/engine/gm.h"
#include "kernel/engine/options.h"
#include "kernel/launch/channel.h"
#include "kernel/launch/event_writer.h"
#include "kernel/launch/fiber.h"

/// The run of this process: who may call, and whose stack it is on. The engine
/// executes the calls.
namespace lanediff::host {

/// Handles SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT without other handlers;
/// they end the process all the same.
void WatchCrashes();

class Run {
 public:
  /// The options of the run of this process, before they are read.
  static void Begin(std::string options, Channel& channel);
  /// From the first call on, to the end of the process.
  static Run& Of();

  /// The product that a file of the program is compiled for.
  void Product(std::string_view name);

  /// `site`, or where it is unknown the last one that is not, as a negative
  /// line of the same file.
  lanediff_site Placed(lanediff_site site) const;

  /// Runs body(context) for each block. Launches of several threads queue up.
  void Launch(const char* kernel, std::int64_t blocks, void (*body)(void*),
              void* context, lanediff_site site);

  /// Does `call`, which takes the engine and returns what comes next, for the
  /// block that this thread runs. A thread that runs none, and meets no launch
  /// of others, begins the block of a direct call. May end the block.
  template <class Call>
  void Step(const char* op, lanediff_site site, Call call) {
    Turn turn(*this, op, site);
    try {
      After(call(*engine_));
    } catch (const std::exception& error) {
      Broken(error.what());
    }
  }
  /// The same for calls that can't end the block.
  template <class Call>
  auto Query(const char* op, lanediff_site site, Call call) {
    Turn turn(*this, op, site);
    try {
      return call(*engine_);
    } catch (const std::exception& error) {
      Broken(error.what());
    }
  }

  void SyncAll(const lanediff_tensor& gm, const lanediff_tensor& ub,
               std::int64_t used_cores, lanediff_site site);
  /// Behind a SyncAll: the other blocks come to theirs.
  void Pause();
  std::int64_t BeginTPipe(lanediff_site site);
  void EndTPipe(std::int64_t tpipe, lanediff_site site);
  /// Before InitSocState: ends the block of a direct call.
  void EndDirectBlock();

  /// Global memory; for any thread.
  template <class Call>
  auto WithGm(Call call) {
    const std::lock_guard lock(mutex_);
    return call(gm_);
  }

  /// A pointer of the block at hand, null when it begins.
  void** Slot();
  std::int64_t block() const;
  std::int64_t blocks() const;
  std::int64_t Cycle() { return ++cycles_; }
  std::atomic<std::uint64_t> tiling_key = 0;
  void LastLaunch(std::uint64_t counts[LANEDIFF_COUNTS]);

  /// The process ends by exit(), whose status is unknown.
  void Exiting();
  /// A signal ends it; `address` is what it could not access, if that is why.
  void Dying(int number, const void* address);
  /// Ends the process: the result of the run was sent before.
  [[noreturn]] void Stop(kernel::End::How how, const std::string& text);

 private:
  /// A call into the library of a thread that may make it.
  class Turn {
   public:
    Turn(Run& run, const char* op, lanediff_site site);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Run& run_;
    std::unique_lock<std::recursive_mutex> lock_;  ///< of a direct call
  };

  Run(const kernel::RunOptions& options, Channel& channel);
  void After(kernel::Next next);
  [[noreturn]] void Broken(const char* what);
  void BeginLaunch(const char* kernel, std::int64_t blocks, lanediff_site site);
  void EndLaunch();
  void RunBlocks(std::int64_t blocks, void (*body)(void*), void* context);
  void EndDirect();
  void ReportRefusal(const char* name, std::string why, lanediff_site site);
  [[noreturn]] void Refuse(const char* op, lanediff_site site);

  Channel& channel_;
  kernel::RunOptions options_;
  std::optional<isa::Product> compiled_;
  std::recursive_mutex mutex_;
  kernel::Gm gm_;
  EventWriter writer_;
  std::unique_ptr<kernel::Engine> engine_;  ///< from the first launch on

  std::atomic<bool> launched_ = false;  ///< blocks of a launch run
  std::vector<std::unique_ptr<Fiber>> idle_;
  Fiber* fiber_ = nullptr;  ///< that runs
  std::int64_t block_ = 0;
  std::int64_t blocks_ = 1;

  void* direct_slot_ = nullptr;
  bool direct_ = false;  ///< a direct call's block goes on
  std::thread::id direct_thread_;
  std::int64_t direct_tpipes_ = 0;

  std::uint64_t poison_ = 0;  ///< how often it was changed

  kernel::Counts before_;  ///< the last launch
  std::atomic<std::int64_t> cycles_ = 0;
};

}  // namespace lanediff::host
