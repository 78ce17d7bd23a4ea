// Runs the fuzz programs side by side, then confirms, shrinks and prints their
// findings, each once.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>

#include "differential/compare/known_issues.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "reports/headline.h"
#include "reports/printers.h"
#include "tools/cli/common.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {
namespace {

/// What came of all turns.
struct Sums : FuzzResult {
  bool failed = false;
  bool unwritable = false;
};

Sums AddTurns(std::vector<Turn>& turns, reports::RunRecord& run) {
  Sums sums;
  for (Turn& turn : turns) {
    sums.unwritable |= turn.unwritable;
    sums.failed |= !turn.record.error.empty() && !turn.unwritable;
    sums.Merge(std::move(turn.result));
    run.fuzzers.push_back(std::move(turn.record));
  }
  return sums;
}

std::uint64_t CasesOf(const reports::RunRecord& run) {
  std::uint64_t cases = 0;
  for (const auto& fuzzer : run.fuzzers) cases += fuzzer.cases;
  return cases;
}

/// Findings that are not known and end the target.
std::size_t CrashesOf(const reports::RunRecord& run) {
  return static_cast<std::size_t>(
      std::ranges::count_if(run.cases, [](const reports::CaseRecord& record) {
        return record.verdict == reports::Verdict::kDisagree &&
               diff::IsFailure(record.findings.front().kind);
      }));
}

int StatusOf(const reports::RunRecord& run, bool unreported, bool failed) {
  const std::size_t crashes = CrashesOf(run);
  if (run.disagree > crashes || !run.stale_issues.empty() || unreported) {
    return kDisagreement;
  }
  if (failed || crashes > 0) return kTargetFailed;
  return reports::ReasonsOf(run).empty() ? kAgree : kUsage;
}

/// Prints the counted signatures without a report; whether there are any.
bool PrintUnreported(const std::map<std::string, std::uint64_t>& counts,
                     const Triaged& triaged, const FuzzFolders& folders) {
  bool unreported = false;
  for (const auto& [signature, count] : counts) {
    if (triaged.taken.contains(signature)) continue;
    unreported = true;
    fmt::print(stderr,
               "lanediff: {}: {} cases disagreed, but none was looked at; what "
               "is left is in {}\n",
               signature, count, folders.Own("raw/"));
  }
  return unreported;
}

reports::ShardRecord ShardOf(const FuzzOptions& options, const Shard& shard,
                             const diff::KnownIssueFilter& known) {
  reports::ShardRecord record = NewShard("fuzz", shard, options.out);
  AddTargets(options.target, "oracle", record);
  record.options.emplace_back("instruction", options.instruction);
  record.options.emplace_back("edition", options.edition);
  record.options.emplace_back("seconds", std::to_string(options.seconds));
  record.known_issues = known.issues();
  record.occurred = known.occurred();
  return record;
}

int RunFuzz(const FuzzOptions& options) {
  const diff::Target* const target =
      FindTarget(options.target, Takes::kRunning);
  auto fuzzers = FindFuzzers(options);
  std::erase_if(fuzzers.instructions, [&](const std::string& slug) {
    return !Claims(target->capabilities(), slug);
  });
  if (fuzzers.instructions.empty()) {
    return FailUsage("--target: it claims no instruction that is fuzzed");
  }
  const Shard shard = ShardFor(options.shard, options.files.baseline);
  auto issues = OrFail(KnownIssuesOf(options.known_issues, {options.corpus}));
  diff::KnownIssueFilter known(std::move(issues));
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.files.baseline, "fuzz"));
  auto about = AboutTarget(*target, options.character);
  WatchInterrupt();
  auto folders = FuzzFolders::Make(options.out, shard);
  const FuzzSetup setup{options, fuzzers, std::move(folders)};
  MakeSeeds(options.corpus, options.edition, setup.folders);
  const std::uint64_t seed =
      options.seed != 0 ? options.seed : std::random_device{}();
  const std::size_t jobs = JobsOf(options.jobs);
  fmt::print(stderr, "fuzzing {} with {} for {} s, {} at once, seed {}\n",
             options.target.name, fmt::join(fuzzers.instructions, ", "),
             options.seconds, jobs, seed);

  reports::RunRecord run;
  run.about = std::move(about);
  run.verb = "fuzz";
  run.target = options.target.name;
  run.vectors = target->vectors();
  run.reference = "oracle";
  run.edition =
      options.edition.empty()
          ? fmt::format("{}", fmt::join(AllWords<isa::Edition>(), ", "))
          : options.edition;
  std::vector<Turn> turns = MakeTurns(setup, shard, seed, jobs);
  RunTurns(setup, turns, jobs);
  bool interrupted = Interrupted();
  if (interrupted) {
    fmt::print(stderr,
               "lanediff: interrupted; what was found is confirmed and "
               "shrunk, press again to leave that to the next run\n");
    ForgetInterrupt();
  }
  const Sums sums = AddTurns(turns, run);
  const Triaged triaged = TriageFindings(setup, sums.counts, known, run);
  interrupted = interrupted || Interrupted();
  run.coverage = CoverageOf(options, setup.fuzzers.instructions, sums.bins);
  if (sums.counters) {
    run.target_coverage =
        reports::TargetCoverageOf(*sums.counters, sums.places);
  }
  run.stale_issues = known.Expired(Today());
  const bool unwritten = triaged.unwritten > 0 || sums.unwritable;
  if (unwritten) run.unfinished = "something could not be written";
  if (interrupted) run.unfinished = "interrupted";
  const bool unreported = PrintUnreported(sums.counts, triaged, setup.folders);
  const int status = FinishTarget(
      *target, FinishFuzz(run, unreported, sums.failed, setup.folders.out(),
                          baseline, options.files));
  if (!shard.IsPart()) return status;
  reports::ShardRecord record = ShardOf(options, shard, known);
  record.complete = !interrupted && !unwritten;
  record.run = std::move(run);
  return LeaveShard(record) || status != kAgree ? status : kUsage;
}

}  // namespace

int FinishFuzz(reports::RunRecord& run, bool unreported, bool failed,
               const std::string& out,
               const std::optional<reports::RunBaseline>& baseline,
               const ReportFiles& files) {
  std::uint64_t findings = 0;
  std::string details;
  for (const auto& fuzzer : run.fuzzers) {
    findings += fuzzer.findings;
    details += reports::FuzzerText(fuzzer);
  }
  details += reports::RatesText(run.Rates());
  for (const auto& slug : run.coverage) details += reports::CoverageText(slug);
  if (run.target_coverage) {
    details += reports::TargetCoverageText(*run.target_coverage);
  }
  PrintRun(run, CaseLines(run), details, baseline);
  fmt::print(
      "fuzz: {} cases, {} of them disagreed; {} findings reported, {} known, "
      "in {}, edition {}\n",
      CasesOf(run), findings, run.disagree, run.known, FindingsBelow(out),
      run.edition);
  const int status = StatusOf(run, unreported, failed);
  const bool written = WriteReports(run, files, status);
  if (status == kAgree && !written) return kUsage;
  if (CasesOf(run) == 0 && status == kUsage && run.unfinished.empty() &&
      written) {
    return FailUsage("nothing was compared");
  }
  return status;
}

void AddFuzz(CommandLine& line) {
  auto [verb, options] = line.Add(
      "fuzz", "run the coverage-guided fuzzers, save findings as cases",
      RunFuzz);
  verb.footer =
      "The fuzz programs (lanediff-fuzz-INSTRUCTION) are looked for in "
      "--fuzzers DIR, beside this program, and in the bin folder of the "
      "sibling preset, ../../fuzz/bin. Where there are none: cmake --preset "
      "fuzz && cmake --build --preset fuzz.\n"
      "A finding is confirmed in a process of its own, shrunk, and kept as "
      "OUT/findings/SIGNATURE.json; what does not show again goes to "
      "OUT/unconfirmed. Status 1: a finding that is not known, or a known "
      "issue has expired; 3: the target crashed, or a fuzz program failed; 2: "
      "wrong usage, OUT can't be written, nothing compared, interrupted; 1 "
      "beats 3 beats 2.";
  AddInstruction(verb, options.instruction,
                 "one fuzz program only, by the name of its instruction, or "
                 "program",
                 {kMachineState});
  verb.Add("--seconds", options.seconds, "time for all of them together")
      .Within(1, 10'000'000)
      .ShowDefault();
  AddJobs(verb, options.jobs, "processes at once");
  AddSeed(verb, options.seed, "0: a new one, printed");
  AddShard(verb, options.shard);
  AddTarget(verb, options.target);
  AddProduct(verb, options.target);
  AddLegalOnly(verb, options.target);
  AddCharacter(verb, options.character);
  AddCaseEdition(verb, options.edition);
  verb.Add("--corpus DIR", options.corpus, "folder of cases to start from")
      .ShowDefault();
  verb.Add("--out DIR", options.out, "folder for findings, logs and summary")
      .ShowDefault();
  AddKnownIssues(verb, options.known_issues, "in the corpus");
  verb.Add("--fuzzers DIR", options.fuzzers, "folder of the fuzz programs");
  AddReportFiles(verb, options.files);
  AddSarif(verb, options.files);
  AddVerbose(verb, "what the target does not support");
  verb.Docs("fuzzing.md",
            {{"fuzz --seconds 600 --out out", "needs the fuzz programs"},
             {"fuzz --instruction min --seconds 60 --target "
              "exec:./mine",
              "needs the fuzz programs and your target"}});
}

}  // namespace lanediff::cli
