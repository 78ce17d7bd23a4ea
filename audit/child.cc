#include "audit/child.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <system_error>

namespace lanediff::audit {
namespace {

constexpr int kFailed = 70;
constexpr int kStarved = 71;

/// More than any report is.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

/// FNV-1a.
std::uint64_t HashOf(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
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
    const std::vector<std::uint8_t> payload = work(beacon);
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

}  // namespace lanediff::audit
