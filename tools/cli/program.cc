#include "tools/cli/program.h"

#include <malloc.h>

#include <string_view>

#include "differential/targets/external/host_block.h"
#include "differential/targets/external/host_process.h"
#include "differential/targets/external/target_coverage.h"
#include "tools/cli/command_line.h"
#include "tools/cli/common.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/standard_output.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

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

int RunVerb(const std::vector<std::string>& words) {
  return Caught("lanediff", words);
}

}  // namespace lanediff::cli
