// Lets the verbs declare themselves and runs the one that is asked for.

#include <malloc.h>

#include <string>

#include "cli/command_line.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/standard_output.h"
#include "cli/status.h"
#include "cli/verbs.h"
#include "cli/version.h"

namespace {

using namespace lanediff::cli;

/// Memories of cases come and go. Were they given back to the system each time,
/// the pages of the next one would cost more than the comparison.
void KeepFreedMemory() {
  constexpr int kMostSupported = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, kMostSupported);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

int Main(int argc, char** argv) {
  KeepFreedMemory();
  CommandLine line(
      argv[0], kVersion,
      "lanediff finds the difference between what the documents of Ascend's "
      "vector intrinsics say and what an implementation does.\n"
      "Exit status: 0 all agree, 1 a disagreement was found, 2 wrong usage, a "
      "malformed case, nothing compared or not all of it, 3 a target failed; "
      "with mixed results 1 beats 3 beats 2. Only audit and fuzz outlive a "
      "target that crashes or hangs.");
  for (AddVerb* const add : kVerbs) add(line);
  return line.Run({argv + 1, argv + argc});
}

/// What is thrown ends the run, but not without a line.
int Caught(int argc, char** argv) {
  int status = kUsage;
  const auto thrown = Thrown([&] { status = Main(argc, argv); });
  return thrown ? FailUsage(*thrown) : status;
}

}  // namespace

int main(int argc, char** argv) {
  WatchStandardOutput();
  HandleSignals();
  return FinishStandardOutput(Caught(argc, argv));
}
