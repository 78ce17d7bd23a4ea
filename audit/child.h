#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "differential/subprocess/spawn.h"
#include "differential/targets/target.h"

/// Work in a process of its own, which may die or hang without harm.
namespace lanediff::audit {

/// Where a child stands, shared with its parent. Its answer is behind it.
struct Beacon {
  std::atomic<std::uint64_t> beats = 0;  ///< grows with everything begun
  std::atomic<std::uint64_t> number = 0;
  std::atomic<std::uint32_t> product = 0;
  std::uint64_t answer_hash = 0;
  std::uint64_t answer_size = 0;

  char* answer() { return reinterpret_cast<char*>(this + 1); }
};

/// A fork of this process that runs one function and hands back bytes. The
/// parent must have no other thread.
class Child {
 public:
  enum class End : std::uint8_t {
    kRunning,
    kDone,
    kCrashed,
    kHung,
    kGarbled,   ///< it ended well, but what came is not what `work` returned
    kNoMemory,  ///< it found too little memory, which is no fault of a target
  };
  using Work = std::function<std::string(Beacon&)>;

  /// Starts `work`. Throws std::system_error where no process can be had.
  explicit Child(const Work& work);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits at most `milliseconds` for its end. A child whose beacon stands
  /// still for `hang_seconds` is ended.
  End Poll(int milliseconds, double hang_seconds);

  const Beacon& beacon() const { return *beacon_; }
  /// What the work returned, once it is done; empty where it was garbled.
  const std::string& bytes() const { return bytes_; }

 private:
  struct Unmap {
    void operator()(Beacon* beacon) const;
  };
  End EndOf(int status);

  std::unique_ptr<Beacon, Unmap> beacon_;
  std::optional<diff::Process> process_;  ///< killed, if it runs, with this
  std::string bytes_;
  std::uint64_t last_beats_ = 0;
  double last_change_ = 0;  ///< seconds of the steady clock
};

/// How work in a process of its own ended, kRunning where it was not let, and
/// what it returned if it is done.
struct Apart {
  Child::End end = Child::End::kRunning;
  std::string bytes;
};

/// Runs `work` to its end, or as long as it `goes_on`, if that is given.
Apart RunApart(const Child::Work& work, double hang_seconds,
               const std::function<bool()>& goes_on = {});

/// Why there is no answer, of an end other than kDone, and of bytes of a child
/// that is done that do not parse.
std::string_view WhyNoAnswer(Child::End end);

/// A target whose every memory ends where the process may not go: who reads or
/// writes behind it ends at once, in the same case every time. Slower by two
/// copies of the memories a step.
class GuardedTarget final : public diff::TargetAround {
 public:
  using TargetAround::TargetAround;

  std::unique_ptr<diff::Session> Open(isa::Profile profile,
                                      isa::Memories memories) const override;
};

}  // namespace lanediff::audit
