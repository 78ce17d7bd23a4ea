#include "audit/child.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <system_error>

#include "reports/printable.h"

namespace lanediff::audit {
namespace {

constexpr int kFailed = 70;
constexpr int kStarved = 71;

/// What stands before an answer in its file. Threads of the target may go on,
/// and write to anything.
struct Header {
  std::uint64_t size = 0;
  std::uint64_t hash = 0;
};
/// More than any report is; who writes more is out of hand.
constexpr off_t kMostBytes = off_t{1} << 31;

/// FNV-1a.
std::uint64_t HashOf(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

off_t SizeOf(int file) {
  struct stat info{};
  return fstat(file, &info) == 0 ? info.st_size : 0;
}

bool ReadAt(int file, off_t at, void* bytes, std::size_t size) {
  return pread(file, bytes, size, at) == static_cast<ssize_t>(size);
}

bool WriteAt(int file, off_t at, const void* bytes, std::size_t size) {
  return pwrite(file, bytes, size, at) == static_cast<ssize_t>(size);
}

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Beacon* MapBeacon() {
  void* const page = mmap(nullptr, sizeof(Beacon), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(), "mmap");
  }
  return new (page) Beacon();
}

int RunInChild(const Child::Work& work, Beacon& beacon, int file) {
  // What is meant for all processes of a job the parent decides of.
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) signal(s, SIG_IGN);
  try {
    const std::vector<std::uint8_t> payload = work(beacon);
    const Header header{.size = payload.size(), .hash = HashOf(payload)};
    return ftruncate(file, 0) == 0 &&
                   WriteAt(file, 0, &header, sizeof(header)) &&
                   WriteAt(file, sizeof(header), payload.data(), payload.size())
               ? 0
               : kFailed;
  } catch (const std::bad_alloc&) {
    return kStarved;
  } catch (...) {
    return kFailed;
  }
}

}  // namespace

Child::Child(const Work& work)
    : beacon_(MapBeacon()),
      file_(memfd_create("answer", MFD_CLOEXEC)),
      last_change_(Now()) {
  auto started = diff::Process::Start(
      {.work = [&] { return RunInChild(work, *beacon_, file_); }});
  if (started) {
    process_.emplace(*std::move(started));
    return;
  }
  close(file_);
  munmap(beacon_, sizeof(Beacon));
  throw std::system_error(started.error(), "a process can't be started");
}

Child::~Child() {
  process_.reset();
  close(file_);
  munmap(beacon_, sizeof(Beacon));
}

Child::End Child::EndOf(int status) {
  if (!WIFEXITED(status)) return End::kCrashed;
  if (WEXITSTATUS(status) == kStarved) return End::kNoMemory;
  if (WEXITSTATUS(status) != 0) return End::kCrashed;
  Header header;
  const off_t size = SizeOf(file_) - static_cast<off_t>(sizeof(header));
  if (size < 0 || size > kMostBytes ||
      !ReadAt(file_, 0, &header, sizeof(header)) ||
      header.size != static_cast<std::uint64_t>(size)) {
    return End::kGarbled;
  }
  bytes_.resize(header.size);
  if (ReadAt(file_, sizeof(header), bytes_.data(), bytes_.size()) &&
      HashOf(bytes_) == header.hash) {
    return End::kDone;
  }
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
  const bool hangs = Now() - last_change_ > hang_seconds;
  if (!hangs && SizeOf(file_) <= kMostBytes) return End::kRunning;
  process_->Kill();
  return hangs ? End::kHung : End::kGarbled;
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

bool IsPlainText(std::string_view text) {
  return reports::InOneLine(text) == text;
}

}  // namespace lanediff::audit
