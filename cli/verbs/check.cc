#include "cli/verbs/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "case/case_reader.h"
#include "case/fuzz_input.h"
#include "cli/common.h"
#include "cli/html.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/shard_file.h"
#include "cli/target_options.h"
#include "cli/verbs.h"
#include "diff/examine.h"
#include "diff/known_issues.h"
#include "diff/targets/find_target.h"
#include "make/in_order.h"
#include "reports/printable.h"
#include "reports/printers.h"

namespace lanediff::cli {
namespace {

using reports::Verdict;

struct CheckOptions {
  std::vector<std::string> paths;
  TargetOptions target;
  std::string reference = "oracle";
  /// List of known issues; empty: known_issues.json at the top of each folder
  /// among `paths`, where there is one.
  std::string known_issues;
  std::int64_t jobs = 0;    ///< 0: one for each processor
  std::string shard;        ///< "i/n"; empty: from the environment, else all
  std::string out = "out";  ///< folder for what a shard leaves
  ReportFiles files;
};

/// What a look at a file gave, and what pages show of it.
struct Checked {
  reports::CaseRecord record;
  std::optional<ExaminedCases::Entry> entry;
};

/// Reads and compares; what is wrong with the file is in `record.error`.
void CompareFile(const diff::Target& target, const diff::Target& reference,
                 Checked& checked) {
  reports::CaseRecord& record = checked.record;
  auto c = ReadCaseFile(record.path);
  if (!c) {
    record.error = c.error();
    return;
  }
  diff::Examination examined = diff::Examine(*c, target, reference);
  const diff::Comparison& result = examined.comparison;
  record.id = c->id;
  record.findings = result.findings;
  record.steps = result.steps;
  record.compared_bytes = result.compared_bytes;
  record.nodes = result.nodes;
  record.unrecorded = result.unrecorded;
  (result.malformed ? record.error : record.reason) = result.why;
  record.verdict = !record.findings.empty() ? Verdict::kDisagree
                   : result.unsupported     ? Verdict::kUnsupported
                                            : Verdict::kAgree;
  if (record.verdict == Verdict::kUnsupported) return;
  checked.entry = {std::move(*c), std::move(examined)};
}

/// The verdict does not look at known issues. What is thrown costs this case.
Checked CheckPath(const CasePath& path, const CheckOptions& options,
                  const diff::Target& target, const diff::Target& reference) {
  Checked checked;
  reports::CaseRecord& record = checked.record;
  record.path = path.path;
  record.error = path.error;
  if (record.error.empty()) {
    const auto thrown =
        Thrown([&] { CompareFile(target, reference, checked); });
    if (thrown) record.error = *thrown;
  }
  if (!record.error.empty()) record.verdict = Verdict::kMalformed;
  record.reproduce =
      Reproduce(path.path, options.target.name, options.reference);
  if (options.files.html.empty()) checked.entry.reset();
  return checked;
}

/// Notes which known issues have occurred, and accepts a case that shows no
/// others.
void Accept(diff::KnownIssueFilter& known, reports::CaseRecord& record) {
  if (!known.AllKnown(record.findings) || !record.error.empty()) return;
  record.verdict = Verdict::kKnown;
  const auto* const issue = known.Find(record.findings[0].signature);
  record.known_reason = fmt::format("{} ({})", issue->reason, issue->link);
}

/// The known issues of the run: of the list that was asked for, else of those
/// that lie in the folders.
std::expected<std::vector<diff::KnownIssue>, std::string> KnownIssuesOf(
    const CheckOptions& options) {
  if (!options.known_issues.empty()) {
    return diff::ReadKnownIssuesFile(options.known_issues);
  }
  std::vector<diff::KnownIssue> all;
  for (const std::string& path : options.paths) {
    const auto list = std::filesystem::path(path) / "known_issues.json";
    std::error_code error;
    if (!std::filesystem::is_directory(path, error) ||
        !std::filesystem::exists(list, error)) {
      continue;
    }
    auto issues = diff::ReadKnownIssuesFile(list.string());
    if (!issues) return std::unexpected(issues.error());
    all.insert(all.end(), issues->begin(), issues->end());
  }
  return all;
}

/// Entries that no longer say what is: they fail a run, so that they get
/// removed.
std::vector<std::string> StaleIssues(const diff::KnownIssueFilter& known,
                                     bool saw_everything) {
  std::vector<std::string> lines = known.Expired(diff::Today());
  if (saw_everything) {
    const auto gone = known.NotOccurred();
    lines.insert(lines.end(), gone.begin(), gone.end());
  }
  return lines;
}

/// Those of `paths` that the shard holds.
std::vector<CasePath> PathsOf(const std::vector<CasePath>& paths,
                              const Shard& shard) {
  std::vector<CasePath> part;
  for (std::size_t i = shard.index; i < paths.size(); i += shard.count) {
    part.push_back(paths[i]);
  }
  return part;
}

std::string HashOf(const std::string& text) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  return ContentHash({bytes, text.size()});
}

/// A line that is another one where there are other files.
std::string Described(const std::vector<CasePath>& paths) {
  std::string files;
  for (const CasePath& path : paths) {
    const auto text = ReadFile(path.path);
    files += path.path + " " + HashOf(text.value_or("")) + "\n";
  }
  return fmt::format("{} with names and contents of hash {}", paths.size(),
                     HashOf(files));
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
        return record.verdict == Verdict::kDisagree && !IsFailure(record);
      });
  if (disagrees || !run.stale_issues.empty()) return kDisagreement;
  if (run.disagree > 0) return kTargetFailed;
  if (run.malformed > 0 || run.agree + run.known == 0 ||
      !run.unfinished.empty()) {
    return kUsage;
  }
  return kAgree;
}

}  // namespace

int FinishCheck(reports::RunRecord& run,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files, const ExaminedCases* examined) {
  for (const std::string& line : run.stale_issues) {
    fmt::print("known issue: {}\n", reports::InOneLine(line));
  }
  TellChanges(baseline, run);
  fmt::print("{}{}", reports::SignaturesText(run), reports::SummaryText(run));
  const int status = StatusOf(run);
  const bool written = WriteReports(run, files, status, examined);
  if (status == kUsage && run.agree + run.known == 0 && run.malformed == 0 &&
      run.unfinished.empty() && written) {
    return FailUsage("nothing was compared");
  }
  return status == kAgree && !written ? kUsage : status;
}

namespace {

int RunCheck(const CheckOptions& options) {
  const auto target = FindTarget(options.target, Takes::kAny);
  if (!target) return target.error();
  const auto reference = diff::FindStepwiseTarget(options.reference);
  if (!reference) return FailUsage("--reference: " + reference.error());
  if (*target == *reference) {
    return FailUsage(
        "--target and --reference are the same; nothing would be "
        "compared");
  }
  const auto shard = FindShard(options.shard);
  if (!shard) return FailUsage(shard.error());
  if (shard->IsPart() && !options.files.baseline.empty()) {
    return FailUsage(kShardBaseline);
  }
  auto issues = KnownIssuesOf(options);
  if (!issues) return FailUsage(issues.error());
  diff::KnownIssueFilter known(std::move(*issues));
  const auto baseline =
      reports::ReadRunBaseline(options.files.baseline, "check");
  if (!baseline) return FailUsage(baseline.error());

  WatchInterrupt();
  reports::RunRecord run;
  run.verb = "check";
  run.target = options.target.name;
  run.vectors = (*target)->vectors();
  run.reference = options.reference;
  ExaminedCases examined;
  const auto all = FindCases(options.paths);
  const auto paths = PathsOf(all, *shard);
  {
    Progress progress(paths.size());
    make::InOrder(
        paths.size(), {.jobs = JobsOf(options.jobs), .stop = Interrupted},
        [&](std::size_t i, std::size_t) {
          return CheckPath(paths[i], options, **target, **reference);
        },
        [&](Checked&& checked) {
          reports::CaseRecord& record = checked.record;
          if (checked.entry) {
            examined.Add(record.path, std::move(*checked.entry));
          }
          Accept(known, record);
          record.number = run.cases.size() * shard->count + shard->index;
          run.Add(std::move(record));
          fmt::print("{}", reports::CaseText(run.cases.back()));
          progress.Step(run.cases.size(), run.disagree);
        });
  }
  if (run.cases.size() < paths.size()) {
    run.unfinished = fmt::format("interrupted after {} of {} cases",
                                 run.cases.size(), paths.size());
    FailUsage(run.unfinished);
  }
  // What did not occur here may occur in another shard.
  run.stale_issues = StaleIssues(
      known, run.unfinished.empty() && !shard->IsPart() && run.unrecorded == 0);
  KeepAccount(**target, run);
  const int status = FinishTarget(
      **target, FinishCheck(run, *baseline, options.files, &examined));
  if (!shard->IsPart()) return status;
  reports::ShardRecord record = NewShard("check", *shard, options.out);
  AddTargets(options.target.name, options.reference, record);
  record.options.emplace_back("cases", Described(all));
  record.complete = run.unfinished.empty();
  record.known_issues = known.issues();
  record.occurred = known.occurred();
  record.run = std::move(run);
  return LeaveShard(record) || status != kAgree ? status : kUsage;
}

}  // namespace

void AddCheck(CommandLine& line) {
  const auto options = std::make_shared<CheckOptions>();
  Verb verb =
      line.Add("check", "run cases on target and reference and compare them",
               [options] { return RunCheck(*options); });
  verb.Add("PATH", options->paths, "case files, and folders of them")
      .Required();
  AddTarget(
      verb, options->target,
      "what is under test: emulator, mutant:NAME, exec:COMMAND, a program "
      "that speaks lanediff-target/1, plugin:PATH, a library, or "
      "recorded:DIR, the outcomes that were seen elsewhere");
  AddLegalOnly(verb, options->target);
  AddReference(verb, options->reference);
  verb.Add("--known-issues", options->known_issues,
           "list of accepted defects; without it, known_issues.json at the top "
           "of each folder given as PATH");
  AddJobs(verb, options->jobs, "threads");
  AddShard(verb, options->shard);
  AddShardOut(verb, options->out);
  AddReportFiles(verb, options->files);
  AddSarif(verb, options->files);
}

}  // namespace lanediff::cli
