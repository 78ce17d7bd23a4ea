#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

/// Blocks of a kernel run on stacks of their own, one at a time, and go on
/// where they stopped.
namespace lanediff::host {

class Fiber {
 public:
  enum class How : std::uint8_t {
    kSuspended,  ///< waits for `Resume`
    kReturned,
    kThrew,  ///< `thrown` has the text
    kLeft,   ///< ended by `Leave`
  };

  /// A stack of 8 MiB, with a guard page behind its end. Null where there is
  /// no memory.
  static std::unique_ptr<Fiber> Make();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Calls body(context) on the stack until it stops in one of these ways.
  How Start(void (*body)(void*), void* context);
  How Resume();

  /// Of what runs on it: `Start` or `Resume` returns kSuspended.
  void Suspend();
  /// Likewise: it returns kLeft. Nothing on the stack is destroyed.
  [[noreturn]] void Leave();

  /// "std::runtime_error: no such file".
  const std::string& thrown() const { return thrown_; }
  /// For the code that runs on it; unused here.
  void* slot = nullptr;

  /// Whether the address is in the page behind the stack's end.
  bool IsBehindEnd(const void* address) const;

 private:
  Fiber() = default;
  How SwitchIn();
  void SwitchOut(How how);
  static void Enter(unsigned int high, unsigned int low);

  std::uint8_t* memory_ = nullptr;
  ucontext_t inside_ = {};
  ucontext_t outside_ = {};
  void (*body_)(void*) = nullptr;
  void* context_ = nullptr;
  How how_ = How::kReturned;
  std::string thrown_;
  /// The C++ runtime's exceptions that are being handled, of whichever side
  /// doesn't run.
  void* handled_[2] = {};
  /// AddressSanitizer's, where the program has it.
  void* fake_stack_ = nullptr;
  const void* outside_bottom_ = nullptr;
  std::size_t outside_bytes_ = 0;
};

}  // namespace lanediff::host
