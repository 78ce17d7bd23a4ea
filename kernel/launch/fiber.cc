#include "kernel/launch/fiber.h"

#include <cxxabi.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <typeinfo>
#include <utility>

// There where the program was compiled with AddressSanitizer.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** save,
                                                  const void* bottom,
                                                  std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* save,
                                                   const void** bottom,
                                                   std::size_t* size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin,
                                                 std::size_t size);
}

namespace lanediff::host {
namespace {

constexpr std::size_t kStackBytes = std::size_t{8} << 20;
constexpr std::size_t kGuardBytes = std::size_t{1} << 16;

/// "std::runtime_error: its what()", of the exception that is handled.
std::string WhatWasThrown() {
  std::string text = "an exception";
  if (const std::type_info* const type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char* const name =
        abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    text = status == 0 ? name : type->name();
    std::free(name);
  }
  try {
    throw;
  } catch (const std::exception& error) {
    text += std::string(": ") + error.what();
  } catch (...) {
  }
  return text;
}

}  // namespace

std::unique_ptr<Fiber> Fiber::Make() {
  void* const memory =
      mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::unique_ptr<Fiber> fiber(new Fiber);
  fiber->memory_ = static_cast<std::uint8_t*>(memory);
  if (mprotect(memory, kGuardBytes, PROT_NONE) != 0) return nullptr;
  return fiber;
}

Fiber::~Fiber() { munmap(memory_, kGuardBytes + kStackBytes); }

bool Fiber::IsBehindEnd(const void* address) const {
  const auto* const byte = static_cast<const std::uint8_t*>(address);
  return byte >= memory_ && byte < memory_ + kGuardBytes;
}

Fiber::How Fiber::Start(void (*body)(void*), void* context) {
  body_ = body;
  context_ = context;
  handled_[0] = handled_[1] = nullptr;
  fake_stack_ = nullptr;
  // Frames that never returned have left their marks.
  if (how_ != How::kReturned && __asan_unpoison_memory_region != nullptr) {
    __asan_unpoison_memory_region(memory_ + kGuardBytes, kStackBytes);
  }
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = memory_ + kGuardBytes;
  inside_.uc_stack.ss_size = kStackBytes;
  inside_.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&inside_, reinterpret_cast<void (*)()>(&Enter), 2,
              static_cast<unsigned int>(self >> 32),
              static_cast<unsigned int>(self));
  // AddressSanitizer clears its marks of a stack that it knows at each switch;
  // 8 MiB of them take longer than a kernel.
  inside_.uc_stack.ss_size = 0;
  return SwitchIn();
}

Fiber::How Fiber::Resume() { return SwitchIn(); }

void Fiber::Enter(unsigned int high, unsigned int low) {
  auto* const self =
      reinterpret_cast<Fiber*>((static_cast<std::uintptr_t>(high) << 32) | low);
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(nullptr, &self->outside_bottom_,
                                    &self->outside_bytes_);
  }
  How how = How::kReturned;
  try {
    self->body_(self->context_);
  } catch (...) {
    self->thrown_ = WhatWasThrown();
    how = How::kThrew;
  }
  self->SwitchOut(how);
  std::abort();  // what has ended is not resumed
}

Fiber::How Fiber::SwitchIn() {
  // The exceptions that a side handles are its own; the globals hold them in
  // two words (Itanium C++ ABI, "Caught Exception Stack").
  void* const globals = abi::__cxa_get_globals();
  void* ours[2];
  std::memcpy(ours, globals, sizeof ours);
  std::memcpy(globals, handled_, sizeof handled_);
  void* fake_stack = nullptr;
  if (__sanitizer_start_switch_fiber != nullptr) {
    __sanitizer_start_switch_fiber(&fake_stack, memory_ + kGuardBytes,
                                   kStackBytes);
  }
  swapcontext(&outside_, &inside_);
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
  }
  std::memcpy(handled_, globals, sizeof handled_);
  std::memcpy(globals, ours, sizeof ours);
  return how_;
}

void Fiber::SwitchOut(How how) {
  how_ = how;
  if (__sanitizer_start_switch_fiber != nullptr) {
    __sanitizer_start_switch_fiber(
        how == How::kSuspended ? &fake_stack_ : nullptr, outside_bottom_,
        outside_bytes_);
  }
  swapcontext(&inside_, &outside_);
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(fake_stack_, &outside_bottom_,
                                    &outside_bytes_);
  }
}

void Fiber::Suspend() { SwitchOut(How::kSuspended); }

void Fiber::Leave() {
  SwitchOut(How::kLeft);
  std::abort();  // likewise
}

}  // namespace lanediff::host
