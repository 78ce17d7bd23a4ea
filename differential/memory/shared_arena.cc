#include "differential/memory/shared_arena.h"

#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

namespace lanediff::diff {
namespace {

/// Addresses only: pages are there once they are touched.
constexpr std::size_t kSizes[] = {std::size_t{16} << 30, std::size_t{1} << 30};

std::atomic<SharedArena*> the_arena = nullptr;
thread_local int sharing = 0;

std::mutex& Lock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

/// Places that were freed, by the logarithm of their size.
std::array<std::vector<void*>, 64>& Freed() {
  static auto* const freed = new std::array<std::vector<void*>, 64>;
  return *freed;
}

int NewFile(std::size_t size) {
  const int file = memfd_create("lanediff", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

}  // namespace

SharedArena* SharedArena::There() {
  return the_arena.load(std::memory_order_acquire);
}

SharedArena* SharedArena::Enable() {
  static SharedArena* const arena = [] {
    SharedArena* const made = new SharedArena;
    if (!made->Make()) return static_cast<SharedArena*>(nullptr);
    pthread_atfork([] { Lock().lock(); }, [] { Lock().unlock(); }, CopyInFork);
    the_arena.store(made, std::memory_order_release);
    return made;
  }();
  return arena;
}

bool SharedArena::Make() {
  for (const std::size_t size : kSizes) {
    file_ = NewFile(size);
    if (file_ < 0) continue;
    void* const place = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (place != MAP_FAILED) {
      first_ = static_cast<std::uint8_t*>(place);
      size_ = size;
      return true;
    }
    close(file_);
  }
  return false;
}

/// Puts a file of its own under the fork's mapping, with what there is now.
void SharedArena::CopyInFork() {
  SharedArena* const arena = There();
  Lock().unlock();
  if (arena == nullptr || sharing > 0) return;
  const int file = NewFile(arena->size_);
  std::size_t done = 0;
  while (file >= 0 && done < arena->used_) {
    const ssize_t n = pwrite(file, arena->first_ + done, arena->used_ - done,
                             static_cast<off_t>(done));
    if (n <= 0) _exit(71);
    done += static_cast<std::size_t>(n);
  }
  if (file < 0 ||
      mmap(arena->first_, arena->size_, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0) == MAP_FAILED) {
    _exit(71);  // what the parent would take for too little memory
  }
  close(arena->file_);
  arena->file_ = file;
}

std::size_t SharedArena::RoundedSize(std::size_t bytes) {
  return std::max(kPage, std::bit_ceil(bytes));
}

void* SharedArena::Allocate(std::size_t bytes) {
  const std::size_t rounded = RoundedSize(bytes);
  const std::lock_guard lock(Lock());
  auto& freed = Freed()[static_cast<std::size_t>(std::bit_width(rounded) - 1)];
  if (!freed.empty()) {
    void* const place = freed.back();
    freed.pop_back();
    return place;
  }
  if (rounded > size_ - used_) return nullptr;
  void* const place = first_ + used_;
  used_ += rounded;
  return place;
}

void SharedArena::Free(void* bytes, std::size_t size) {
  const std::size_t rounded = RoundedSize(size);
  // What its last owner closed is open for the next, as after free().
  ASAN_UNPOISON_MEMORY_REGION(bytes, rounded);
  const std::lock_guard lock(Lock());
  Freed()[static_cast<std::size_t>(std::bit_width(rounded) - 1)].push_back(
      bytes);
}

SharedArena::ShareInFork::ShareInFork() { ++sharing; }
SharedArena::ShareInFork::~ShareInFork() { --sharing; }

}  // namespace lanediff::diff
