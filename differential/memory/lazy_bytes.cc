#include "differential/memory/lazy_bytes.h"

#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>

namespace lanediff::diff {
namespace {

/// Those that are there, in all threads. No thread touches lazy bytes while
/// holding the lock, so that a fault finds the lock free or soon free.
class Registry {
 public:
  void Add(LazyBytes* bytes) {
    const Held held(busy_);
    all_.push_back(bytes);
  }
  void Remove(LazyBytes* bytes) {
    const Held held(busy_);
    std::erase(all_, bytes);
  }
  LazyBytes* At(const void* address) {
    const Held held(busy_);
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (LazyBytes* bytes : all_) {
      const auto begin =
          reinterpret_cast<std::uintptr_t>(bytes->bytes().data());
      if (at >= begin && at - begin < bytes->bytes().size()) return bytes;
    }
    return nullptr;
  }

 private:
  /// A lock that a handler of signals may take.
  class Held {
   public:
    explicit Held(std::atomic_flag& busy) : busy_(busy) {
      while (busy_.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Held() { busy_.clear(std::memory_order_release); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    std::atomic_flag& busy_;
  };

  std::atomic_flag busy_;
  std::vector<LazyBytes*> all_;
};

/// Never destroyed: memories of other threads may outlive any order.
Registry& TheRegistry() {
  static auto* const registry = new Registry;
  return *registry;
}

struct sigaction handler_before{};

void OnFault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  LazyBytes* const bytes = TheRegistry().At(info->si_addr);
  const bool opened = bytes != nullptr && bytes->OpenAt(info->si_addr);
  errno = error;
  if (opened) return;
  // A real fault, which goes its way.
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
    handler_before.sa_sigaction(signal, info, context);
  } else if (handler_before.sa_handler != SIG_DFL &&
             handler_before.sa_handler != SIG_IGN) {
    handler_before.sa_handler(signal);
  } else {
    sigaction(SIGSEGV, &handler_before, nullptr);
  }
}

void CatchFaults() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  struct sigaction now{};
  sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == OnFault) return;
  handler_before = now;
  struct sigaction ours{};
  ours.sa_sigaction = OnFault;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace

LazyBytes::LazyBytes(std::size_t size, std::uint8_t fill)
    : size_(size),
      mapped_((size + kBlockBytes - 1) / kBlockBytes * kBlockBytes),
      fill_(fill) {
  CatchFaults();
  void* const mapping =
      mmap(nullptr, mapped_, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<std::uint8_t*>(mapping);
  ASAN_POISON_MEMORY_REGION(begin_ + size_, mapped_ - size_);
  TheRegistry().Add(this);
}

LazyBytes::LazyBytes(const LazyBytes& other)
    : LazyBytes(other.size_, other.fill_) {
  LayUnder(other.series_, other.inverted_);
  other.ForEachOpen([&](std::size_t at, std::size_t bytes) {
    std::memcpy(begin_ + at, other.begin_ + at, bytes);
  });
}

LazyBytes::~LazyBytes() {
  TheRegistry().Remove(this);
  ASAN_UNPOISON_MEMORY_REGION(begin_, mapped_);
  munmap(begin_, mapped_);
}

void LazyBytes::LayUnder(const std::vector<Region>& regions, bool inverted) {
  inverted_ = inverted;
  std::ranges::copy_if(
      regions, std::back_inserter(series_),
      [](const Region& region) { return region.series != nullptr; });
}

bool LazyBytes::IsPristine(std::size_t at, std::size_t bytes) const {
  const std::size_t end = at + bytes;
  for (auto open = open_.lower_bound(at / kBlockBytes);
       open != open_.end() && open->first * kBlockBytes < end; ++open) {
    const auto& [block, first] = *open;
    const std::size_t from = std::max(at, block * kBlockBytes);
    const std::size_t to = std::min(end, (block + 1) * kBlockBytes);
    const std::uint8_t* const now = begin_ + from;
    const bool same =
        first.empty()
            ? *now == fill_ && std::memcmp(now, now + 1, to - from - 1) == 0
            : std::memcmp(now, first.data() + from % kBlockBytes, to - from) ==
                  0;
    if (!same) return false;
  }
  return true;
}

bool LazyBytes::OpenAt(const void* address) {
  const auto at = static_cast<std::size_t>(
      static_cast<const std::uint8_t*>(address) - begin_);
  const std::size_t block = at / kBlockBytes;
  if (open_.contains(block)) return false;  // there, and faults all the same
  const std::size_t all = mapped_ / kBlockBytes;
  // A process has only so many mappings: where they run out, larger parts are
  // opened as one.
  for (std::size_t blocks = 1;; blocks *= 16) {
    const std::size_t first = block / blocks * blocks;
    const std::size_t last = std::min(first + blocks, all);
    if (mprotect(begin_ + first * kBlockBytes, (last - first) * kBlockBytes,
                 PROT_READ | PROT_WRITE) == 0) {
      Make(first, last);
      return true;
    }
    if (last - first == all) return false;
  }
}

std::size_t LazyBytes::BytesOf(std::size_t block) const {
  return std::min(kBlockBytes, size_ - block * kBlockBytes);
}

/// Gives the blocks from `first` up to `last` what they begin with, unless they
/// are open.
void LazyBytes::Make(std::size_t first, std::size_t last) {
  for (std::size_t block = first; block < last; ++block) {
    const auto [open, is_new] = open_.try_emplace(block);
    if (!is_new) continue;
    const std::size_t at = block * kBlockBytes;
    const std::span bytes(begin_ + at, BytesOf(block));
    if (fill_ != 0) std::memset(bytes.data(), fill_, bytes.size());
    if (!HasSeries(at, bytes.size())) continue;
    for (const Region& region : series_) {
      const std::int64_t begin =
          std::max(region.at, static_cast<std::int64_t>(at));
      const std::int64_t end =
          std::min(region.end(), static_cast<std::int64_t>(at + bytes.size()));
      if (begin >= end) continue;
      const std::span part(begin_ + begin, begin_ + end);
      region.series->Write(begin - region.at, part);
      if (!inverted_) continue;
      for (std::uint8_t& byte : part) byte = static_cast<std::uint8_t>(~byte);
    }
    open->second.assign(bytes.begin(), bytes.end());
  }
}

bool LazyBytes::HasSeries(std::size_t at, std::size_t bytes) const {
  return std::ranges::any_of(series_, [&](const Region& region) {
    return region.at < static_cast<std::int64_t>(at + bytes) &&
           region.end() > static_cast<std::int64_t>(at);
  });
}

}  // namespace lanediff::diff
