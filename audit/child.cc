#include "audit/child.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <system_error>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/testcase/content_hash.h"

namespace lanediff::audit {
namespace {

constexpr int kFailed = 70;
constexpr int kStarved = 71;

/// More than any report is.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

std::uint64_t HashOf(std::string_view bytes) {
  ContentHasher hasher;
  hasher.Add(bytes);
  return hasher.Number();
}

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int RunInChild(const Child::Work& work, Beacon& beacon) {
  // What is meant for all processes of a job the parent decides of.
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) signal(s, SIG_IGN);
  try {
    const std::string payload = work(beacon);
    if (payload.size() > kMostBytes) return kFailed;
    std::ranges::copy(payload, beacon.answer());
    beacon.answer_hash = HashOf(payload);
    beacon.answer_size = payload.size();
    return 0;
  } catch (const std::bad_alloc&) {
    return kStarved;
  } catch (...) {
    return kFailed;
  }
}

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

Child::Child(const Work& work) : last_change_(Now()) {
  constexpr std::size_t kBytes = sizeof(Beacon) + kMostBytes;
  void* const pages = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(), "mmap");
  }
  beacon_.reset(new (pages) Beacon());
  auto started = diff::Process::Start(
      {.work = [&] { return RunInChild(work, *beacon_); }});
  if (!started) {
    throw std::system_error(started.error(), "a process can't be started");
  }
  process_.emplace(*std::move(started));
  madvise(pages, kBytes, MADV_DONTFORK);  // no other child has them
}

void Child::Unmap::operator()(Beacon* beacon) const {
  munmap(beacon, sizeof(Beacon) + kMostBytes);
}

/// A target may have written over anything that is shared with the child.
Child::End Child::EndOf(int status) {
  if (!WIFEXITED(status)) return End::kCrashed;
  if (WEXITSTATUS(status) == kStarved) return End::kNoMemory;
  if (WEXITSTATUS(status) != 0) return End::kCrashed;
  const std::uint64_t size = beacon_->answer_size;
  if (size > kMostBytes) return End::kGarbled;
  bytes_.assign(beacon_->answer(), beacon_->answer() + size);
  if (HashOf(bytes_) == beacon_->answer_hash) return End::kDone;
  bytes_.clear();
  return End::kGarbled;
}

Child::End Child::Poll(int milliseconds, double hang_seconds) {
  if (const auto status = process_->Wait(milliseconds / 1000.0)) {
    return EndOf(*status);
  }
  const std::uint64_t beats = beacon_->beats;
  if (beats != last_beats_) {
    last_beats_ = beats;
    last_change_ = Now();
  }
  if (Now() - last_change_ <= hang_seconds) return End::kRunning;
  process_->Kill();
  return End::kHung;
}

Apart RunApart(const Child::Work& work, double hang_seconds,
               const std::function<bool()>& goes_on) {
  Child child(work);
  Apart apart;
  while (apart.end == Child::End::kRunning && (!goes_on || goes_on())) {
    apart.end = child.Poll(100, hang_seconds);
  }
  apart.bytes = child.bytes();
  return apart;
}

std::string_view WhyNoAnswer(Child::End end) {
  switch (end) {
    case Child::End::kHung:
      return "the target gave no answer in this case";
    case Child::End::kNoMemory:
      return "there was too little memory to run this case";
    case Child::End::kDone:
    case Child::End::kGarbled:
      return "what the process of the target sent of this case can't be read";
    case Child::End::kCrashed:
    case Child::End::kRunning:
      break;
  }
  return "the target ended in this case";
}

std::unique_ptr<diff::Session> GuardedTarget::Open(
    isa::Profile profile, isa::Memories memories) const {
  // A target in another process has guards of its own.
  if (account() != nullptr) return inner_steps().Open(profile, memories);
  return std::make_unique<GuardedSession>(inner_steps(), profile, memories);
}

}  // namespace lanediff::audit
