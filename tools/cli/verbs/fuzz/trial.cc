#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/shrink/shrink.h"
#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/cli/common.h"
#include "tools/cli/program.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs/fuzz/setup.h"

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

/// Runs a program to its end; its status, `kNotStarted` also where there is an
/// interrupt, which may have ended it.
int Run(std::vector<std::string> words, Trial& trial,
        std::vector<std::string> variables = {}) {
  const auto result =
      diff::RunToEnd({.words = std::move(words),
                      .environment = ChildEnvironment(std::move(variables))},
                     kPatienceSeconds);
  if (Interrupted()) return diff::kNotStarted;
  trial.line = result.status == diff::kTimedOut
                   ? fmt::format("no answer in {} s", kPatienceSeconds)
                   : LineOfFailure(result.output);
  return result.status;
}

constexpr std::string_view kReader = "case_json";

/// The instruction in "INSTRUCTION@0-crash-…".
std::string InstructionOfArtifact(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.substr(0, name.find('@'));
}

/// Runs fuzz program `program` on the one input in `path`; crashes or agrees.
Trial RunInput(const FuzzSetup& setup, const std::string& program,
               const std::string& path) {
  Trial trial;
  const std::string again = setup.folders.Own("raw/again-");
  const int status =
      Run({program, "-timeout=60", "-rss_limit_mb=4096",
           "-artifact_prefix=" + again, path},
          trial,
          {"LANEDIFF_FUZZ_TARGET=" + setup.options.target.name,
           "LANEDIFF_FUZZ_EDITION=" + setup.options.edition,
           "LANEDIFF_PLUGIN_HOST=" + SelfProgram(),
           "LANEDIFF_FUZZ_FINDINGS=" + setup.folders.Own("raw/")});
  if (status == diff::kNotStarted) return trial;
  trial.end = status == kAgree ? TrialEnd::kAgrees : TrialEnd::kCrashes;
  // The input is where it was; the program's own copy of it is one too many.
  for (const std::string& copy : FilesIn(again)) {
    std::error_code error;
    fs::remove(copy, error);
  }
  return trial;
}

/// Drops the steps of `crash.c` without which it ends the program, too.
void DropSteps(const FuzzSetup& setup, Crash& crash) {
  constexpr diff::ShrinkBudget kBudget{
      .candidates = 500, .seconds = kPatienceSeconds, .steps_only = true};
  const std::string path = setup.folders.Own("raw/cut.tmp");
  const auto shows = [&](const Case& c) -> std::optional<diff::Finding> {
    if (Interrupted()) return {};
    const auto bytes = EncodeFuzzInput(c);
    if (!bytes || !WriteFile(path, {bytes->begin(), bytes->end()})) return {};
    const Trial trial = RunInput(setup, crash.program, path);
    std::error_code error;
    fs::remove(path, error);
    if (trial.end != TrialEnd::kCrashes) return {};
    return CrashOf(setup, c, trial.line);
  };
  auto result = diff::Shrink(crash.c, crash.finding, shows, kBudget);
  crash.c = std::move(result.shrunk);
  crash.finding = std::move(result.finding);
}

}  // namespace

bool IsOfLint(const std::string& signature) {
  return diff::KindIn(signature) == diff::FindingKind::kLintDiffers;
}

diff::Finding CrashOf(const FuzzSetup& setup, const Case& c,
                      const std::string& line) {
  diff::Finding finding;
  finding.kind = diff::FindingKind::kCrash;
  finding.side = setup.options.target.name;
  finding.reference = "oracle";
  finding.step = c.program.size() - 1;
  finding.op = isa::OpName(c.program.back());
  finding.message = fmt::format("step {} {}: the target ended: {}",
                                finding.step, finding.op, line);
  finding.signature = diff::SignatureOf(c, finding).Text();
  return finding;
}

Trial CheckInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& signature) {
  Trial trial;
  const std::string self = SelfProgram();
  const int status =
      IsOfLint(signature)
          ? Run({self, "lint", "--compare", path}, trial)
          : Run({self, "check", path, "--target", setup.options.target.name},
                trial);
  if (status == kDisagreement) trial.end = TrialEnd::kShows;
  if (status == kAgree) trial.end = TrialEnd::kAgrees;
  if (status >= kTargetFailed) trial.end = TrialEnd::kCrashes;
  return trial;
}

bool ShrinkInProcess(const FuzzSetup& setup, const std::string& path,
                     const std::string& out, double seconds,
                     const std::string& signature) {
  Trial trial;
  const std::string self = SelfProgram();
  if (IsOfLint(signature)) {
    return Run({self, "lint", "--compare", path, "-o", out}, trial) ==
           kDisagreement;
  }
  return Run({self, "shrink", path, "-o", out, "--target",
              setup.options.target.name, "--seconds",
              fmt::format("{:.1f}", seconds)},
             trial) == kAgree;
}

std::expected<Crash, std::string> ConfirmCrash(const FuzzSetup& setup,
                                               const std::string& path) {
  const std::string instruction = InstructionOfArtifact(path);
  Crash crash;
  crash.program = setup.fuzzers.Program(instruction);
  const Trial trial = RunInput(setup, crash.program, path);
  if (trial.end == TrialEnd::kNotTried) {
    return std::unexpected(crash.program + " can't be started");
  }
  if (trial.end != TrialEnd::kCrashes) {
    return std::unexpected("ended a fuzz program once, but not again");
  }
  const auto input = ReadFile(path);
  if (!input) return std::unexpected(input.error());
  crash.input = *input;
  crash.is_case = instruction != kReader;
  diff::Finding& finding = crash.finding;
  if (!crash.is_case) {
    finding.kind = diff::FindingKind::kCrash;
    finding.side = setup.options.target.name;
    finding.reference = "oracle";
    finding.op = instruction;
    finding.signature =
        diff::Signature{finding.kind, "case_json", "reader", "text"}.Text();
    finding.message = trial.line;
    return crash;
  }
  crash.c = DecodeFuzzInput(
      {reinterpret_cast<const std::uint8_t*>(input->data()), input->size()});
  ReadAs(setup.options.edition, crash.c);
  finding = CrashOf(setup, crash.c, trial.line);
  DropSteps(setup, crash);
  if (const auto bytes = EncodeFuzzInput(crash.c)) {
    crash.input.assign(bytes->begin(), bytes->end());
  }
  crash.c = diff::CaseOfFinding(std::move(crash.c), finding, instruction,
                                "lanediff-fuzz-" + instruction);
  return crash;
}

}  // namespace lanediff::cli
