#include "tools/cli/verbs/fuzz/crash.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "differential/compare/finding_case.h"
#include "differential/compare/signature.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/fuzz/trial.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReader = "case_json";

/// The instruction in "INSTRUCTION@0-crash-…".
std::string InstructionOfArtifact(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.substr(0, name.find('@'));
}

/// The first steps of `c` that end the program; `c` where none but all do.
Case CutToCrash(const FuzzSetup& setup, const std::string& program,
                const Case& c, Trial& trial) {
  const std::string path = setup.folders.Raw("cut.tmp");
  std::error_code error;
  for (std::size_t steps = 1; steps < c.program.size(); ++steps) {
    Case cut = c;
    cut.program.resize(steps);
    const auto bytes = EncodeFuzzInput(cut);
    if (!bytes || !WriteFile(path, {bytes->begin(), bytes->end()})) break;
    const Trial shorter = RunInput(setup, program, path);
    fs::remove(path, error);
    if (shorter.end != TrialEnd::kCrashes) continue;
    trial = shorter;
    return cut;
  }
  return c;
}

}  // namespace

std::expected<Crash, std::string> ConfirmCrash(const FuzzSetup& setup,
                                               const std::string& path) {
  const std::string instruction = InstructionOfArtifact(path);
  Crash crash;
  crash.program = setup.fuzzers.Program(instruction);
  Trial trial = RunInput(setup, crash.program, path);
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
  finding.kind = diff::FindingKind::kCrash;
  finding.side = setup.options.target.name;
  finding.reference = "oracle";
  if (!crash.is_case) {
    finding.op = instruction;
    finding.signature =
        diff::Signature{finding.kind, "case_json", "reader", "text"}.Text();
    finding.message = trial.line;
    return crash;
  }
  Case c = DecodeFuzzInput(
      {reinterpret_cast<const std::uint8_t*>(input->data()), input->size()});
  ReadAs(setup.options.edition, c);
  crash.c = CutToCrash(setup, crash.program, c, trial);
  if (const auto bytes = EncodeFuzzInput(crash.c)) {
    crash.input.assign(bytes->begin(), bytes->end());
  }
  finding.step = crash.c.program.size() - 1;
  finding.op = isa::OpName(crash.c.program.back());
  finding.message = fmt::format("step {} {}: the target ended: {}",
                                finding.step, finding.op, trial.line);
  finding.signature = diff::SignatureOf(crash.c, finding).Text();
  crash.c = diff::CaseOfFinding(std::move(crash.c), finding, instruction,
                                "lanediff-fuzz-" + instruction);
  return crash;
}

std::string ReproduceCrash(const FuzzOptions& options, const Crash& crash,
                           const std::string& input) {
  return fmt::format(
      "LANEDIFF_FUZZ_TARGET={} {} {}", ShellWord(options.target.name),
      ShellWord(fs::path(crash.program).lexically_normal()), ShellWord(input));
}

}  // namespace lanediff::cli
