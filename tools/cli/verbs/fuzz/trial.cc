#include "tools/cli/verbs/fuzz/trial.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "differential/compare/signature.h"
#include "differential/testcase/case_reader.h"
#include "tools/cli/process.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs/fuzz/programs.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

/// Much more than any case takes.
constexpr double kPatienceSeconds = 60;

/// The first line of a sanitizer's or libFuzzer's report, else the last one.
std::string LineOfFailure(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::string last;
  while (std::getline(lines, line)) {
    for (const char* sign : {"ERROR: ", "runtime error: "}) {
      const auto at = line.find(sign);
      if (at != std::string::npos) {
        return line.substr(at + std::string_view(sign).size());
      }
    }
    if (!line.empty()) last = line;
  }
  return last;
}

/// Runs `process` to its end; its status, -1 if it can't be started.
int Run(const FuzzSetup& setup, Process& process, Trial& trial) {
  process.log = setup.folders.Logs("trial.log");
  std::error_code error;
  fs::remove(process.log, error);
  const int status = RunToEnd(process, kPatienceSeconds);
  if (const auto text = ReadFile(process.log)) {
    trial.line = LineOfFailure(*text);
  }
  if (status == kTimedOut) {
    trial.line = fmt::format("no answer in {} s", kPatienceSeconds);
  }
  return status;
}

}  // namespace

Replayer ReplayerOf(const std::string& signature) {
  return diff::KindIn(signature) == diff::FindingKind::kLintDiffers
             ? Replayer::kLint
             : Replayer::kTarget;
}

Trial CheckInProcess(const FuzzSetup& setup, const std::string& path,
                     Replayer replayer) {
  Trial trial;
  std::vector<std::string> arguments = {"check", path, "--target",
                                        setup.options.target.name};
  if (replayer == Replayer::kLint) arguments = {"lint", "--compare", path};
  Process process{.program = SelfProgram(setup.options),
                  .arguments = std::move(arguments),
                  .environment = {},
                  .log = {}};
  const int status = Run(setup, process, trial);
  if (status == kDisagreement) trial.end = TrialEnd::kShows;
  if (status == kAgree) trial.end = TrialEnd::kAgrees;
  if (status >= kTargetFailed) trial.end = TrialEnd::kCrashes;
  return trial;
}

bool ShrinkInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& out, double seconds,
                     Replayer replayer) {
  Trial trial;
  std::vector<std::string> arguments = {
      "shrink",    path,
      "-o",        out,
      "--target",  setup.options.target.name,
      "--seconds", fmt::format("{:.1f}", seconds)};
  const bool lint = replayer == Replayer::kLint;
  if (lint) arguments = {"lint", "--compare", path, "-o", out};
  Process process{.program = SelfProgram(setup.options),
                  .arguments = std::move(arguments),
                  .environment = {},
                  .log = {}};
  return Run(setup, process, trial) == (lint ? kDisagreement : kAgree);
}

Trial RunInput(const FuzzSetup& setup, const std::string& program,
               const std::string& path) {
  Trial trial;
  const std::string again = setup.folders.Raw("again-");
  Process process{
      .program = program,
      .arguments = {"-timeout=60", "-rss_limit_mb=4096",
                    "-artifact_prefix=" + again, path},
      .environment = {"LANEDIFF_FUZZ_TARGET=" + setup.options.target.name,
                      "LANEDIFF_FUZZ_EDITION=" + setup.options.edition,
                      "LANEDIFF_PLUGIN_HOST=" + SelfProgram(setup.options),
                      "LANEDIFF_FUZZ_FINDINGS=" + setup.folders.Raw()},
      .log = {}};
  const int status = Run(setup, process, trial);
  if (status < 0) return trial;
  trial.end = status == kAgree ? TrialEnd::kAgrees : TrialEnd::kCrashes;
  // The input is where it was; the program's own copy of it is one too many.
  for (const std::string& copy : FilesBeginningWith(again)) {
    std::error_code error;
    fs::remove(copy, error);
  }
  return trial;
}

}  // namespace lanediff::cli
