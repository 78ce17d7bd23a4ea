// `lanediff test`: which options each source has, and what all sources do
// alike when a run ends.

#include "tools/cli/verbs/test/test.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "generators/random/intent.h"
#include "reports/printers.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/finish.h"

namespace lanediff::cli {
namespace {

void AddFileOptions(Verb& verb, TestOptions& options) {
  AddInstruction(verb, options.instruction, "only cases that call this one");
  AddCharacter(verb, options.character);
  AddReadAs(verb, options.edition, options.product);
  AddKnownIssues(verb, options.known_issues,
                 "at the top of each folder given as PATH");
}

void AddRandomOptions(Verb& verb, TestOptions& options) {
  options.cases = 10'000;
  AddInstruction(verb, options.instruction,
                 "one instruction only, or \"program\"", {kMachineState});
  verb.Add("--max-cases", options.cases, "cases of each instruction")
      .Within(1, 1'000'000'000)
      .ShowDefault()
      .Was("--count");
  AddSeed(verb, options.seed, "same seed, same cases");
  verb.Add("--style", options.style,
           "by-intent, or uniform: the plain one to compare with")
      .OneOf(AllWords<make::Style>())
      .ShowDefault();
  verb.Add("--check", options.check,
           "run each case on target and oracle and compare them");
  verb.Add("--until-found", options.until_found,
           "check, and stop at the first finding of an instruction");
}

void AddBoundaryOptions(Verb& verb, TestOptions& options) {
  AddInstruction(verb, options.instruction,
                 "one instruction only, and the sequences that it takes part "
                 "in, or program for machine state",
                 {kMachineState});
  AddSample(verb, options.cases, options.sample);
}

void AddExhaustiveOptions(Verb& verb, TestOptions& options) {
  verb.Add("SPACE", options.names, "names of spaces");
  verb.Add("--list", options.list, "print the spaces and their bounds");
  verb.Add("--range A..B", options.range,
           "A..B: only calls A to B-1, numbered from 0");
  verb.Add("--state FILE", options.state, "file to go on from, of one space");
}

/// A row of the table of sources. The first is what `test` alone does.
struct SourceRow {
  const char* word;
  const char* older;  ///< the older name of the verb
  const char* does;
  int (*run)(const TestOptions& options);
  void (*add)(Verb& verb, TestOptions& options);  ///< options of its own
  const char* footer;
  const char* page;
  const char* examples[2];  ///< behind the name
};

constexpr SourceRow kSources[] = {
    {"files",
     "check",
     "run cases on target and reference and compare them",
     TestFiles,
     AddFileOptions,
     "",
     "own-implementation.md",
     {"corpus/min --quiet",
      "corpus/min --target mutant:min-half-not-saturated --quiet"}},
    {"random",
     "generate",
     "generate cases, measure their quality, check them",
     TestRandom,
     AddRandomOptions,
     "",
     "fuzzing.md",
     {"--instruction min --max-cases 500",
      "--instruction min --max-cases 500 --check --target "
      "mutant:min-half-not-saturated"}},
    {"boundary",
     "sweep",
     "compare on systematic cases: both sides of every rule's boundary, alone "
     "and with another broken rule, special values, pairs of parameter "
     "classes; what disagrees is saved as a case",
     TestBoundary,
     AddBoundaryOptions,
     "",
     "own-implementation.md",
     {"--instruction min --max-cases 2 --sample",
      "--instruction min --max-cases 2 --sample --target "
      "mutant:min-half-not-saturated"}},
    {"exhaustive",
     "exhaust",
     "enumerate small spaces completely, from where it was left",
     TestExhaustive,
     AddExhaustiveOptions,
     "--list prints every space with its size, its fields and their values. "
     "A run that was interrupted or killed goes on when the same command is "
     "given again; its state is in DIR/exhaust, or in FILE. Findings are "
     "counted, and the first 3 of each signature saved as cases in "
     "DIR/findings.",
     "fuzzing.md",
     {"--list", "min-int16 --range 0..4"}},
};

void AddOptions(const SourceRow& row, Verb& verb, TestOptions& options) {
  const bool files = row.run == TestFiles;
  const bool boundary = row.run == TestBoundary;
  const bool random = row.run == TestRandom;
  row.add(verb, options);
  if (files) {
    AddTarget(
        verb, options.target,
        "what is under test: emulator, mutant:NAME, exec:COMMAND, a program "
        "that speaks lanediff-target/1, plugin:PATH, a library, or "
        "recorded:DIR, the outcomes that were seen elsewhere");
  } else {
    AddTarget(verb, options.target);
    AddProduct(verb, options.target);
    AddEdition(verb, options.edition);
  }
  AddLegalOnly(verb, options.target);
  AddAllowUnsupported(verb, options.target);
  if (boundary || random) AddAnyNumber(verb);
  if (files || boundary) AddReference(verb, options.reference);
  if (!random) {
    AddJobs(verb, options.jobs, "threads");
    AddShard(verb, options.shard);
  }
  verb.Add("--out DIR", options.out,
           "folder for findings, which go to its findings/, states and what a "
           "shard leaves")
      .ShowDefault();
  AddReportFiles(verb, options.files, files || boundary);
  AddSarif(verb, options.files);
  AddVerbose(verb,
             "every line and finding, how often each rule, layout and kind of "
             "data came, and what the target does not support");
}

/// Whether the target failed in it, and there is nothing else.
bool IsFailure(const reports::CaseRecord& record) {
  return std::ranges::all_of(record.findings, [](const diff::Finding& f) {
    return diff::IsFailure(f.kind);
  });
}

int StatusOf(const reports::RunRecord& run) {
  const bool disagrees =
      std::ranges::any_of(run.cases, [](const reports::CaseRecord& record) {
        return record.verdict == reports::Verdict::kDisagree &&
               !IsFailure(record);
      });
  if (disagrees || !run.stale_issues.empty()) return kDisagreement;
  if (run.disagree > 0) return kTargetFailed;
  return reports::ReasonsOf(run).empty() ? kAgree : kUsage;
}

/// Whether all cases of it could be read, or saved.
bool HasNoErrors(const reports::RunRecord& run) {
  return std::ranges::all_of(run.cases, &std::string::empty,
                             &reports::CaseRecord::error);
}

}  // namespace

reports::RunRecord NewRun(std::string_view verb, const TestOptions& options,
                          const diff::Target& target) {
  reports::RunRecord run;
  run.verb = verb;
  run.target = options.target.name;
  run.vectors = target.vectors();
  run.reference = options.reference;
  return run;
}

void NameByFile(std::string_view slug, reports::CaseRecord& record) {
  if (record.path.empty()) {
    record.path = record.id;
    return;
  }
  const std::string file = std::filesystem::path(record.path).stem().string();
  if (!file.starts_with(fmt::format("{}-", slug))) return;
  record.id = fmt::format("{}/{}", slug, file.substr(slug.size() + 1));
}

void Count(const diff::Comparison& result, reports::SweepRecord& sums) {
  ++sums.cases;
  sums.steps += result.steps;
  sums.compared_bytes += result.compared_bytes;
  diff::Join(result.open, sums.open);
  sums.nodes += result.nodes;
  if (!result.findings.empty()) {
    ++sums.disagree;
  } else if (result.unsupported) {
    ++sums.unsupported;
  } else if (!result.tolerated.empty()) {
    ++sums.tolerated;
  }
}

bool WriteFigureReports(const reports::RunRecord& run, ReportFiles files) {
  files.json.clear();
  return WriteReports(run, files, StatusOf(run));
}

void AcceptKnown(diff::KnownIssueFilter& known, reports::CaseRecord& record) {
  if (!known.AllKnown(record.findings) || !record.error.empty()) return;
  record.verdict = reports::Verdict::kKnown;
  const auto* const issue = known.Find(record.findings[0].signature);
  record.known_reason = fmt::format("{} ({})", issue->reason, issue->link);
}

int FinishCheck(reports::RunRecord& run, const CaseLines& lines,
                const std::string& details,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files, const ExaminedCases* examined) {
  PrintRun(run, lines, details, baseline);
  fmt::print("{}", reports::SummaryText(run));
  const int status = StatusOf(run);
  const bool written = WriteReports(run, files, status, examined);
  if (status == kUsage && written && run.unfinished.empty() &&
      HasNoErrors(run)) {
    return FailUsage(reports::ReasonsOf(run).front().text);
  }
  return status == kAgree && !written ? kUsage : status;
}

int EndRun(reports::RunRecord&& run, const TestOptions& options,
           const diff::Target& target, const Shard& shard,
           const std::function<int(reports::RunRecord&)>& finish,
           const std::function<void(reports::ShardRecord&)>& add) {
  KeepAccount(target, options.target, shard.IsPart(), run);
  const int status = FinishComparison(target, options.target, finish(run));
  if (!shard.IsPart()) return status;
  reports::ShardRecord record = NewShard(run.verb, shard, options.out);
  AddTargets(options.target, options.reference, record);
  add(record);
  // A file that is no case is a result of check.
  record.complete =
      run.unfinished.empty() && (run.verb == "check" || HasNoErrors(run));
  record.run = std::move(run);
  return LeaveShard(record) || status != kAgree ? status : kUsage;
}

void AddTest(CommandLine& line) {
  for (const SourceRow& row : kSources) {
    const bool is_default = row.run == TestFiles;
    const auto options = std::make_shared<TestOptions>();
    Verb& verb = line.Add(
        is_default ? "test" : fmt::format("test --source {}", row.word),
        row.does, [options, &row] { return row.run(*options); });
    verb.older = row.older;
    verb.footer = row.footer;
    if (is_default) {
      AddCases(verb, options->names);
      std::vector<std::string> words;
      for (const SourceRow& one : kSources) words.emplace_back(one.word);
      verb.Add("--source SOURCE", options->source,
               "where cases come from; each source has options of its own")
          .OneOf(std::move(words));
    }
    AddOptions(row, verb, *options);
    std::vector<Example> examples;
    for (const char* const words : row.examples) {
      examples.push_back({fmt::format("{} {}", verb.name, words)});
    }
    verb.Docs(row.page, std::move(examples));
  }
}

}  // namespace lanediff::cli
