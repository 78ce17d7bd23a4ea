#include "audit/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <system_error>

#include "reports/printable.h"

namespace lanediff::audit {
namespace {

constexpr int kFailed = 70;
constexpr int kStarved = 71;

/// What stands before an answer. A target may write to anything in the child,
/// the pipe among it, so that an answer must be recognized as one.
struct Header {
  std::array<char, 8> mark = {'l', 'd', 'a', 'n', 's', 'w', 'e', 'r'};
  std::uint64_t size = 0;
  std::uint64_t hash = 0;

  bool operator==(const Header&) const = default;
};
/// More than any report is; who sends more is out of hand.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;

/// FNV-1a.
std::uint64_t HashOf(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

Header HeaderOf(std::span<const std::uint8_t> payload) {
  Header header;
  header.size = payload.size();
  header.hash = HashOf(payload);
  return header;
}

Header HeaderIn(const std::vector<std::uint8_t>& bytes) {
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

/// Whether `bytes`, so far, may become an answer.
bool MayBecome(const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < sizeof(Header)) return true;
  const Header header = HeaderIn(bytes);
  return header.mark == Header().mark && header.size <= kMostBytes &&
         bytes.size() - sizeof(Header) <= header.size;
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

void WriteAll(int pipe, std::span<const std::uint8_t> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(pipe, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(kFailed);
    done += static_cast<std::size_t>(n);
  }
}

int RunInChild(const Child::Work& work, Beacon& beacon, int pipe) {
  // What is meant for all processes of a job the parent decides of.
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) signal(s, SIG_IGN);
  try {
    const std::vector<std::uint8_t> payload = work(beacon);
    const Header header = HeaderOf(payload);
    std::array<std::uint8_t, sizeof(Header)> first{};
    std::memcpy(first.data(), &header, sizeof(header));
    WriteAll(pipe, first);
    WriteAll(pipe, payload);
  } catch (const std::bad_alloc&) {
    return kStarved;
  } catch (...) {
    return kFailed;
  }
  return 0;
}

}  // namespace

Child::Child(const Work& work) : beacon_(MapBeacon()), last_change_(Now()) {
  std::array<int, 2> ends{};
  std::error_code error;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    error.assign(errno, std::generic_category());
  } else if (auto started = diff::Process::Start({.work = [&] {
               close(ends[0]);
               return RunInChild(work, *beacon_, ends[1]);
             }})) {
    process_.emplace(*std::move(started));
    close(ends[1]);
    pipe_ = ends[0];
  } else {
    error = started.error();
    for (const int end : ends) close(end);
  }
  if (!error) return;
  munmap(beacon_, sizeof(Beacon));
  throw std::system_error(error, "a process can't be started");
}

Child::~Child() {
  process_.reset();
  if (pipe_ >= 0) close(pipe_);
  munmap(beacon_, sizeof(Beacon));
}

Child::End Child::EndOf(int status) {
  if (!WIFEXITED(status)) return End::kCrashed;
  if (WEXITSTATUS(status) == kStarved) return End::kNoMemory;
  if (WEXITSTATUS(status) != 0) return End::kCrashed;
  if (bytes_.size() < sizeof(Header)) return End::kGarbled;
  const Header header = HeaderIn(bytes_);
  bytes_.erase(bytes_.begin(), bytes_.begin() + sizeof(Header));
  return header == HeaderOf(bytes_) ? End::kDone : End::kGarbled;
}

Child::End Child::Finish(End end) {
  const int status =
      end == End::kDone ? *process_->Wait() : process_->Kill();
  if (end == End::kDone) end = EndOf(status);
  if (end != End::kDone) bytes_.clear();
  return end;
}

Child::End Child::Poll(int milliseconds, double hang_seconds) {
  pollfd ready{.fd = pipe_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, milliseconds) > 0) {
    std::array<std::uint8_t, 1 << 16> some{};
    const ssize_t n = read(pipe_, some.data(), some.size());
    if (n == 0) return Finish(End::kDone);
    if (n > 0) bytes_.insert(bytes_.end(), some.begin(), some.begin() + n);
    return MayBecome(bytes_) ? End::kRunning : Finish(End::kGarbled);
  }
  const std::uint64_t beats = beacon_->beats;
  if (beats != last_beats_) {
    last_beats_ = beats;
    last_change_ = Now();
  }
  return Now() - last_change_ > hang_seconds ? Finish(End::kHung)
                                             : End::kRunning;
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
