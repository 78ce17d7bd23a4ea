#include "kernel/launch/output_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "differential/testcase/write_file.h"

namespace lanediff::host {
namespace {

constexpr std::string_view kMark = "kernel: ";
/// What lines of a report begin with.
constexpr std::string_view kReport[] = {"SUMMARY", "CHECKED", "NOT-CHECKED"};

bool IsReport(std::string_view line) {
  return std::ranges::any_of(
      kReport, [&](std::string_view word) { return line.starts_with(word); });
}

bool MayBecomeReport(std::string_view line) {
  return std::ranges::any_of(
      kReport, [&](std::string_view word) { return word.starts_with(line); });
}

bool OneFile(int a, int b) {
  struct stat of_a = {};
  struct stat of_b = {};
  return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

void Close(int& file) {
  if (file >= 0) close(std::exchange(file, -1));
}

}  // namespace

std::string MarkedLines::Next(std::string_view text) {
  std::string marked;
  for (const char c : text) {
    open_ = c != '\n';
    const auto byte = static_cast<unsigned char>(c);
    if (place_ == Place::kEscape) {
      place_ = c == '[' ? Place::kSequence : Place::kStart;
    } else if (place_ == Place::kSequence) {
      if (byte >= 0x40 && byte <= 0x7e) place_ = Place::kStart;
    } else if (byte < ' ' || byte == 0x7f) {
      marked += std::exchange(held_, {});
      if (place_ == Place::kStart || c != '\t') {
        place_ = c == '\x1b' ? Place::kEscape : Place::kStart;
      }
    } else if (place_ == Place::kStart) {
      held_ += c;
      if (IsReport(held_)) {
        marked += kMark;
      } else if (MayBecomeReport(held_)) {
        continue;
      }
      marked += std::exchange(held_, {});
      place_ = Place::kInside;
      continue;
    }
    marked += c;
  }
  return marked;
}

std::string MarkedLines::End() { return std::exchange(held_, {}); }

std::unique_ptr<OutputRelay> OutputRelay::Make() {
  std::unique_ptr<OutputRelay> relay(new OutputRelay);
  const bool one = OneFile(STDOUT_FILENO, STDERR_FILENO);
  const auto open_pipe = [](int& read_end, int& write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  };
  if (!open_pipe(relay->read_[0], relay->write_[0]) ||
      (!one && !open_pipe(relay->read_[1], relay->write_[1])) ||
      !open_pipe(relay->wake_[0], relay->wake_[1])) {
    return nullptr;
  }
  relay->two_ = !one;
  relay->terminal_ = isatty(STDOUT_FILENO) != 0;
  return relay;
}

OutputRelay::~OutputRelay() {
  End();
  for (int* const ends : {read_, write_, wake_}) {
    Close(ends[0]);
    Close(ends[1]);
  }
}

void OutputRelay::Enter() {
  dup2(write_[0], STDOUT_FILENO);
  dup2(write_[write_[1] >= 0 ? 1 : 0], STDERR_FILENO);
  for (int* const ends : {read_, write_, wake_}) {
    Close(ends[0]);
    Close(ends[1]);
  }
  if (!terminal_) return;
  setenv(kTerminalVariable, "1", 1);
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
}

void OutputRelay::Begin() {
  Close(write_[0]);
  Close(write_[1]);
  for (const int file : read_) {
    if (file >= 0) fcntl(file, F_SETFL, O_NONBLOCK);
  }
  thread_ = std::thread([this] { Run(); });
}

bool OutputRelay::PassOn(int stream) {
  char buffer[1 << 14];
  const ssize_t n = read(read_[stream], buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return true;
  if (n < 0 && errno == EAGAIN) return false;
  const int to = stream == 0 ? STDOUT_FILENO : STDERR_FILENO;
  const std::string text =
      n > 0 ? lines_[stream].Next({buffer, static_cast<std::size_t>(n)})
            : lines_[stream].End();
  const int error = WriteAll(to, text);
  if (error != 0 && error != EPIPE && error_ == 0) error_ = error;
  // As without the relay, the program finds no reader.
  if (n <= 0 || error == EPIPE) Close(read_[stream]);
  return read_[stream] >= 0;
}

void OutputRelay::Run() {
  bool stop = false;
  while (read_[0] >= 0 || read_[1] >= 0) {
    pollfd ready[3] = {
        {read_[0], POLLIN, 0}, {read_[1], POLLIN, 0}, {wake_[0], POLLIN, 0}};
    if (!stop && poll(ready, 3, -1) < 0) continue;
    stop = stop || ready[2].revents != 0;
    bool more = false;
    for (const int stream : {0, 1}) {
      if (read_[stream] < 0) continue;
      if (stop || ready[stream].revents != 0) {
        more = PassOn(stream) || more;
      }
    }
    if (stop && !more) break;
  }
  for (const int stream : {0, 1}) {
    WriteAll(stream == 0 ? STDOUT_FILENO : STDERR_FILENO, lines_[stream].End());
  }
}

void OutputRelay::End() {
  if (!thread_.joinable()) return;
  (void)!write(wake_[1], "", 1);
  thread_.join();
}

void OutputRelay::BeginLine() {
  if (lines_[two_ ? 1 : 0].open()) (void)!write(STDERR_FILENO, "\n", 1);
}

}  // namespace lanediff::host
