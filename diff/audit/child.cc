#include "diff/audit/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <new>
#include <system_error>

namespace lanediff::diff::audit {
namespace {

constexpr int kFailed = 70;

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

void WriteAll(int pipe, const std::vector<std::uint8_t>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(pipe, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(kFailed);
    done += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void RunInChild(const Child::Work& work, Beacon& beacon,
                             int pipe) {
  signal(SIGINT, SIG_IGN);  // the parent decides
  try {
    WriteAll(pipe, work(beacon));
  } catch (const std::exception&) {
    _exit(kFailed);
  }
  _exit(0);
}

}  // namespace

Child::Child(const Work& work) : beacon_(MapBeacon()), last_change_(Now()) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) == 0) pid_ = fork();
  if (pid_ == 0) {
    close(ends[0]);
    RunInChild(work, *beacon_, ends[1]);
  }
  if (pid_ < 0) {
    const int error = errno;
    munmap(beacon_, sizeof(Beacon));
    throw std::system_error(error, std::generic_category(),
                            "a process can't be started");
  }
  close(ends[1]);
  pipe_ = ends[0];
}

Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
  munmap(beacon_, sizeof(Beacon));
}

Child::End Child::Finish(End end) {
  if (end == End::kHung) kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (end == End::kHung) return end;
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return well ? End::kDone : End::kCrashed;
}

Child::End Child::Poll(int milliseconds, double hang_seconds) {
  pollfd ready{.fd = pipe_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, milliseconds) > 0) {
    std::array<std::uint8_t, 1 << 16> some{};
    const ssize_t n = read(pipe_, some.data(), some.size());
    if (n == 0) return Finish(End::kDone);
    if (n > 0) bytes_.insert(bytes_.end(), some.begin(), some.begin() + n);
    return End::kRunning;
  }
  const std::uint64_t beats = beacon_->beats;
  if (beats != last_beats_) {
    last_beats_ = beats;
    last_change_ = Now();
  }
  return Now() - last_change_ > hang_seconds ? Finish(End::kHung)
                                             : End::kRunning;
}

std::optional<std::vector<std::uint8_t>> RunApart(const Child::Work& work,
                                                  double hang_seconds) {
  Child child(work);
  Child::End end = Child::End::kRunning;
  while (end == Child::End::kRunning) end = child.Poll(100, hang_seconds);
  if (end != Child::End::kDone) return std::nullopt;
  return child.bytes();
}

}  // namespace lanediff::diff::audit
