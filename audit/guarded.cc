#include "audit/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include "differential/memory/memory_set.h"

namespace lanediff::audit {
namespace {

/// Pages with one behind them that may not be touched.
class GuardedPages {
 public:
  explicit GuardedPages(std::size_t bytes)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        usable_((bytes + page_ - 1) / page_ * page_) {
    void* const start = mmap(nullptr, usable_ + page_, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    start_ = static_cast<std::uint8_t*>(start);
    if (mprotect(start_ + usable_, page_, PROT_NONE) != 0) {
      munmap(start_, usable_ + page_);
      throw std::bad_alloc();
    }
  }
  ~GuardedPages() { munmap(start_, usable_ + page_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  std::size_t size() const { return usable_; }
  /// The last `bytes` bytes before the guard.
  std::span<std::uint8_t> Last(std::size_t bytes) {
    return {start_ + usable_ - bytes, bytes};
  }

 private:
  std::size_t page_;
  std::size_t usable_;
  std::uint8_t* start_;
};

/// Unused pages, kept for the next session: mapping is slow.
class Shelf {
 public:
  std::unique_ptr<GuardedPages> Take(std::size_t bytes) {
    const auto fits = std::ranges::find_if(
        pages_, [&](const auto& pages) { return pages->size() >= bytes; });
    if (fits == pages_.end()) {
      constexpr std::size_t kLeast = 1 << 18;
      return std::make_unique<GuardedPages>(std::max(bytes, kLeast));
    }
    auto pages = std::move(*fits);
    pages_.erase(fits);
    return pages;
  }
  void Put(std::unique_ptr<GuardedPages> pages) {
    constexpr std::size_t kMost = 32;
    if (pages_.size() < kMost) pages_.push_back(std::move(pages));
  }

 private:
  std::vector<std::unique_ptr<GuardedPages>> pages_;
};

Shelf& TheShelf() {
  thread_local Shelf shelf;
  return shelf;
}

void Copy(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

class GuardedSession final : public diff::Session {
 public:
  GuardedSession(const diff::StepwiseTarget& inner, isa::Profile profile,
                 isa::Memories outside)
      : outside_(outside) {
    for (isa::Memory memory : diff::kAllMemories) {
      const auto m = static_cast<std::size_t>(memory);
      const std::size_t bytes = outside_[memory].size();
      if (bytes == 0) continue;
      pages_[m] = TheShelf().Take(bytes);
      inside_[memory] = pages_[m]->Last(bytes);
    }
    session_ = inner.Open(profile, inside_);
  }
  ~GuardedSession() override {
    for (auto& pages : pages_) {
      if (pages) TheShelf().Put(std::move(pages));
    }
  }

  void MakeSpaceFor(std::size_t steps) override {
    session_->MakeSpaceFor(steps);
  }

  isa::StepResult Execute(const isa::Step& step) override {
    for (isa::Memory m : diff::kAllMemories) Copy(outside_[m], inside_[m]);
    const isa::StepResult result = session_->Execute(step);
    for (isa::Memory m : diff::kAllMemories) Copy(inside_[m], outside_[m]);
    return result;
  }
  const diff::NoOutcome* failure() const override {
    return session_->failure();
  }

 private:
  isa::Memories outside_;
  isa::Memories inside_;
  std::array<std::unique_ptr<GuardedPages>, isa::kCount<isa::Memory>> pages_;
  std::unique_ptr<diff::Session> session_;
};

}  // namespace

std::unique_ptr<diff::Session> GuardedTarget::Open(
    isa::Profile profile, isa::Memories memories) const {
  // A target in another process has guards of its own.
  if (account() != nullptr) return inner_steps().Open(profile, memories);
  return std::make_unique<GuardedSession>(inner_steps(), profile, memories);
}

}  // namespace lanediff::audit
