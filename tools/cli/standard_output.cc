#include "tools/cli/standard_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "tools/cli/common.h"
#include "tools/cli/status.h"

namespace lanediff::cli {
namespace {

/// What could not be printed to one of the two descriptors.
struct Watched {
  int file;
  int first_error = 0;
};
Watched standard_output{.file = STDOUT_FILENO};
Watched standard_error{.file = STDERR_FILENO};

ssize_t Print(void* cookie, const char* text, std::size_t size) {
  Watched& to = *static_cast<Watched*>(cookie);
  for (std::size_t done = 0; done < size && to.first_error == 0;) {
    const ssize_t n = write(to.file, text + done, size - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EAGAIN) {
      pollfd ready{.fd = to.file, .events = POLLOUT, .revents = 0};
      poll(&ready, 1, -1);
    } else if (n == 0 || errno != EINTR) {
      to.first_error = n == 0 ? EIO : errno;
    }
  }
  return static_cast<ssize_t>(size);
}

/// Puts a stream that never fails in the place of `stream`.
void WatchStream(Watched& watched, int buffering, FILE*& stream) {
  FILE* const never_fails = fopencookie(
      &watched, "w",
      {.read = nullptr, .write = Print, .seek = nullptr, .close = nullptr});
  if (never_fails == nullptr) return;
  setvbuf(never_fails, nullptr, buffering, BUFSIZ);
  stream = never_fails;
}

}  // namespace

void WatchStandardOutput() {
  for (const int i : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // A write to a file that is open for reading fails.
    if (fcntl(i, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  }
  WatchStream(standard_output, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF,
              stdout);
  WatchStream(standard_error, _IONBF, stderr);
}

int FinishStandardOutput(int status) {
  std::fflush(stdout);
  if (standard_output.first_error == 0) return status;
  if (standard_output.first_error != EPIPE) {
    FailUsage(std::string("standard output: can't be written: ") +
              strerror(standard_output.first_error));
  }
  return status == kAgree ? kUsage : status;
}

}  // namespace lanediff::cli
