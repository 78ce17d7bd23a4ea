#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/// Work in a process of its own, which may die or hang without harm.
namespace lanediff::diff::audit {

/// Where a child stands, told to its parent as it goes.
struct Beacon {
  std::atomic<std::uint64_t> beats = 0;  ///< grows with everything begun
  std::atomic<std::uint64_t> number = 0;
  std::atomic<std::uint32_t> product = 0;
};

/// A fork of this process that runs one function and hands back bytes. The
/// parent must have no other thread.
class Child {
 public:
  enum class End : std::uint8_t { kRunning, kDone, kCrashed, kHung };
  using Work = std::function<std::vector<std::uint8_t>(Beacon&)>;

  /// Starts `work`. Throws std::system_error where no process can be had.
  explicit Child(const Work& work);
  /// Ends the process if it runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Takes what the child has written, waiting at most `milliseconds` for it.
  /// A child whose beacon stands still for `hang_seconds` is ended.
  End Poll(int milliseconds, double hang_seconds);

  const Beacon& beacon() const { return *beacon_; }
  /// What the work returned, once it is done.
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  End Finish(End end);

  Beacon* beacon_;
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::vector<std::uint8_t> bytes_;
  std::uint64_t last_beats_ = 0;
  double last_change_ = 0;  ///< seconds of the steady clock
};

/// Runs `work` to its end; nothing if it crashed or hung.
std::optional<std::vector<std::uint8_t>> RunApart(const Child::Work& work,
                                                  double hang_seconds);

}  // namespace lanediff::diff::audit
