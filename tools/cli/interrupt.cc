#include "tools/cli/interrupt.h"

#include <csignal>

#include "differential/testcase/write_file.h"

namespace lanediff::cli {
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
