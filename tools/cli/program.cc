#include "tools/cli/program.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "differential/targets/external/host_block.h"
#include "differential/targets/external/host_process.h"
#include "differential/targets/external/target_coverage.h"
#include "differential/testcase/write_file.h"
#include "tools/cli/command_line.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs.h"
#include "tools/cli/version.h"

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

/// Sees that the three standard descriptors are open, too, so that no file gets
/// their numbers.
void WatchStandardOutput() {
  for (const int i : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // A write to a file that is open for reading fails.
    if (fcntl(i, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  }
  WatchStream(standard_output, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF,
              stdout);
  WatchStream(standard_error, _IONBF, stderr);
}

/// Memories of cases come and go. Were they given back to the system each time,
/// the pages of the next one would cost more than the comparison.
void KeepFreedMemory() {
  constexpr int kMostSupported = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, kMostSupported);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

int Main(const std::string& program, const std::vector<std::string>& words) {
  KeepFreedMemory();
  CommandLine line(
      program, kVersion,
      "lanediff finds the differences between the documents of Ascend's vector "
      "intrinsics and an implementation.\n"
      "Exit status: 0 all agree, 1 a disagreement was found, 2 wrong usage, a "
      "malformed case, nothing compared or not all of it, 3 a target failed; "
      "with mixed results 1 beats 3 beats 2. Targets exec: and plugin: run in "
      "processes of their own; of others only audit and fuzz outlive one that "
      "crashes or hangs.");
  for (AddVerb* const add : kVerbs) add(line);
  return line.Run(words);
}

/// What is thrown ends the run, but not without a line.
int Caught(const std::string& program, const std::vector<std::string>& words) {
  int status = kUsage;
  const auto thrown = Thrown([&] { status = Main(program, words); });
  return thrown ? FailUsage(*thrown) : status;
}

/// What lanediff and fuzz programs start it as, to load a plugin:
/// "--plugin-host LAYOUT BLOCK PATH".
bool IsPluginHost(int argc, char** argv) {
  return argc == 5 && std::string_view(argv[1]) == "--plugin-host";
}

int HostPlugin(char** argv) {
  if (argv[2] != std::to_string(diff::kHostLayout)) {
    return FailUsage(
        "this program and the one that has it host a plugin are not built "
        "from one tree");
  }
  return diff::HostPlugin(argv[4], 3, std::strtoull(argv[3], nullptr, 10));
}

}  // namespace

int RunProgram(int argc, char** argv) {
  diff::ProvideCoverageCallbacks();
  if (IsPluginHost(argc, argv)) return HostPlugin(argv);
  diff::SetProgramHostsPlugins();
  WatchStandardOutput();
  HandleSignals();
  return FinishStandardOutput(Caught(argv[0], {argv + 1, argv + argc}));
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

void ExitAtOnce(int status) {
  RemoveTemporaryFile();
  _exit(FinishStandardOutput(status));
}

int RunVerb(const std::vector<std::string>& words) {
  return Caught("lanediff", words);
}

namespace {

volatile std::sig_atomic_t watching = 0;
volatile std::sig_atomic_t was_interrupted = 0;

void OnSignal(int signal) {
  if (watching != 0 && was_interrupted == 0) {
    was_interrupted = 1;
    return;
  }
  RemoveTemporaryFile();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void HandleSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, OnSignal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void WatchInterrupt() {
  watching = 1;
  // Shells let background jobs ignore the first; no child of ours should.
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
}

void ForgetInterrupt() { was_interrupted = 0; }

bool Interrupted() { return was_interrupted != 0; }

}  // namespace lanediff::cli
