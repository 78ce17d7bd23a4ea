#include "differential/compare/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "differential/targets/ahead.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "generators/in_order.h"
#include "isa/catalogue.h"
#include "reports/headline.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "tools/cli/common.h"
#include "tools/cli/html.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/shard.h"
#include "tools/cli/target_options.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/finish.h"

namespace lanediff::cli {
namespace {

using reports::Verdict;

struct CheckOptions {
  std::vector<std::string> paths;
  TargetOptions target;
  std::string reference = "oracle";
  std::string instruction;  ///< an instruction; empty: all cases
  std::string edition;      ///< empty: the cases' own
  std::string product;      ///< likewise
  bool quiet = false;       ///< no line for a case that is well
  /// List of known issues; empty: known_issues.json at the top of each folder
  /// among `paths`, where there is one.
  std::string known_issues;
  std::int64_t jobs = 0;    ///< 0: one for each processor
  std::string shard;        ///< "i/n"; empty: from the environment, else all
  std::string out = "out";  ///< folder for what a shard leaves
  std::string character;    ///< JSON of characterise; empty: none
  ReportFiles files;
};

/// What a look at a file gave, and what pages show of it.
struct Checked {
  reports::CaseRecord record;
  bool beyond = false;  ///< what the target claims
  isa::Edition edition = isa::kNewestEdition;
  std::optional<ExaminedCases::Entry> entry;
};

/// A case that is read; what is wrong with the file is in `error`.
struct ReadCaseOf {
  const CasePath* path;
  std::string error;
  Case c;
};

ReadCaseOf Read(const CasePath& path, const std::string& edition = "",
                const std::string& product = "") {
  ReadCaseOf read{.path = &path, .error = path.error, .c = {}};
  if (!read.error.empty()) return read;
  const auto thrown = Thrown([&] {
    auto c = ReadCaseFile(path.path);
    if (c) {
      read.c = *std::move(c);
      ReadAs(edition, read.c, product);
    } else {
      read.error = c.error();
    }
  });
  if (thrown) read.error = *thrown;
  return read;
}

/// Which instructions were compared, and what became of the rules that the case
/// breaks.
void NoteRules(const Case& c, const diff::Examination& examined,
               reports::CaseRecord& record) {
  for (const isa::Step& step : c.program) {
    const auto* const instruction = isa::InstructionOf(step);
    if (instruction == nullptr) continue;
    const std::string name(instruction->op);
    if (std::ranges::find(record.instructions, name) ==
        record.instructions.end()) {
      record.instructions.push_back(name);
    }
  }
  record.tolerated = examined.comparison.tolerated;
  const bool at_odds =
      std::ranges::any_of(record.findings, [](const diff::Finding& f) {
        return f.kind != diff::FindingKind::kMemory &&
               f.kind != diff::FindingKind::kNotes;
      });
  if (record.tolerated.empty() && !at_odds) {
    record.enforced = examined.reference_outcome.RulesOrNone();
  }
}

/// Compares; what is wrong is in `record.error`.
void CompareCaseOf(Case&& c, const diff::Target& target,
                   const diff::Target& reference, Checked& checked) {
  reports::CaseRecord& record = checked.record;
  diff::Examination examined = diff::Examine(c, target, reference);
  const diff::Comparison& result = examined.comparison;
  record.id = c.id;
  checked.edition = c.edition;
  record.edition = reports::OlderEdition(c);
  record.findings = result.findings;
  record.steps = result.steps;
  record.compared_bytes = result.compared_bytes;
  record.nodes = result.nodes;
  record.unrecorded = result.unrecorded;
  if (!result.malformed) AddKernelFindings(c, record);
  (result.malformed ? record.error : record.reason) = result.why;
  record.verdict = !record.findings.empty()   ? Verdict::kDisagree
                   : result.unsupported       ? Verdict::kUnsupported
                   : result.tolerated.empty() ? Verdict::kAgree
                                              : Verdict::kTolerated;
  if (record.verdict == Verdict::kUnsupported) return;
  const Outcome& outcome = examined.reference_outcome;
  if (record.verdict == Verdict::kDisagree && outcome.rejected()) {
    record.witness = WitnessLines(c, outcome.step, outcome.RulesOrNone());
  }
  record.open_memory = record.verdict != Verdict::kTolerated && c.expect &&
                       c.expect->memory_open();
  NoteRules(c, examined, record);
  checked.entry = {std::move(c), std::move(examined)};
}

/// The verdict does not look at known issues. What is thrown costs this case.
Checked CheckOne(ReadCaseOf&& read, const CheckOptions& options,
                 const diff::Target& target, const diff::Target& reference) {
  Checked checked;
  reports::CaseRecord& record = checked.record;
  record.path = read.path->path;
  record.error = std::move(read.error);
  if (record.error.empty()) {
    checked.beyond =
        diff::BeyondClaims(read.c, target.capabilities()).has_value();
    const auto thrown = Thrown(
        [&] { CompareCaseOf(std::move(read.c), target, reference, checked); });
    if (thrown) record.error = *thrown;
  }
  if (!record.error.empty()) record.verdict = Verdict::kMalformed;
  record.reproduce =
      Reproduce(record.path, options.target.name, options.reference) +
      ReadOption(options.edition, options.product);
  if (options.files.html.empty()) checked.entry.reset();
  return checked;
}

/// Those of some paths, in their order, up to an interrupt.
std::vector<Checked> CheckSome(std::span<const CasePath> paths,
                               const CheckOptions& options,
                               const diff::Target& target,
                               const diff::Target& reference) {
  std::vector<Checked> all;
  diff::Ahead<ReadCaseOf> ahead(
      target, reference,
      [](const ReadCaseOf& read) -> const Case* {
        return read.error.empty() ? &read.c : nullptr;
      },
      [&](ReadCaseOf&& read) {
        all.push_back(CheckOne(std::move(read), options, target, reference));
        return !Interrupted();
      });
  for (const CasePath& path : paths) {
    if (!ahead.Add(Read(path, options.edition, options.product))) break;
  }
  ahead.Finish();
  return all;
}

/// How many cases a thread takes at once: more than one where the target looks
/// ahead, so that it seldom has to wait.
std::size_t SomeOf(const diff::Target& target) {
  return std::max<std::size_t>(1, 4 * target.foresight());
}

/// Notes which known issues have occurred, and accepts a case that shows no
/// others.
void Accept(diff::KnownIssueFilter& known, reports::CaseRecord& record) {
  if (!known.AllKnown(record.findings) || !record.error.empty()) return;
  record.verdict = Verdict::kKnown;
  const auto* const issue = known.Find(record.findings[0].signature);
  record.known_reason = fmt::format("{} ({})", issue->reason, issue->link);
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

/// Whether a step of the case in `path` calls the instruction of `slug`. A file
/// that is no case is everybody's.
bool IsAbout(const CasePath& path, std::string_view slug) {
  const ReadCaseOf read = Read(path);
  return !read.error.empty() ||
         std::ranges::any_of(read.c.program, [&](const isa::Step& step) {
           const auto* const instruction = isa::InstructionOf(step);
           return instruction != nullptr && instruction->slug == slug;
         });
}

/// Prints the lines of cases, and counts those that a target does not claim,
/// for one without an account.
class Listing {
 public:
  explicit Listing(bool quiet) : lines_(!quiet) {}

  /// Cases that a target doesn't claim have no line.
  void Print(const Checked& checked, const reports::CaseRecord& record) {
    const bool unclaimed =
        checked.beyond && record.verdict == Verdict::kUnsupported;
    beyond_ += unclaimed;
    if (!unclaimed) lines_.Print(record);
  }

  void PrintRest(bool has_account) const {
    lines_.PrintRest();
    if (beyond_ == 0 || has_account) return;
    fmt::print("beyond what the target claims: {}\n",
               reports::Counted(beyond_, "case"));
  }

 private:
  CaseLines lines_;
  std::uint64_t beyond_ = 0;
};

/// A line that is another one where there are other files.
std::string Described(const std::vector<CasePath>& paths) {
  std::string files;
  for (const CasePath& path : paths) {
    const auto text = ReadFile(path.path);
    files += path.path + " " + TextHash(text.value_or("")) + "\n";
  }
  return fmt::format("{} with names and contents of hash {}", paths.size(),
                     TextHash(files));
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
  return reports::ReasonsOf(run).empty() ? kAgree : kUsage;
}

int RunCheck(const CheckOptions& options) {
  const auto [target, reference] =
      FindSides(options.target, options.reference, Takes::kAny,
                "nothing would be compared");
  const Shard shard = ShardFor(options.shard, options.files.baseline);
  auto issues = OrFail(KnownIssuesOf(options.known_issues, options.paths));
  diff::KnownIssueFilter known(std::move(issues));
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.files.baseline, "check"));
  auto about = AboutTarget(*target, options.character);

  WatchInterrupt();
  reports::RunRecord run;
  run.about = std::move(about);
  run.verb = "check";
  run.target = options.target.name;
  run.vectors = target->vectors();
  run.reference = options.reference;
  ExaminedCases examined;
  auto all = FindCases(options.paths);
  if (!options.instruction.empty()) {
    std::erase_if(all, [&](const CasePath& path) {
      return !IsAbout(path, options.instruction);
    });
  }
  std::set<std::string_view> editions;
  Listing listing(options.quiet);
  const auto paths = PathsOf(all, shard);
  {
    Progress progress(paths.size());
    const auto take = [&](Checked&& checked) {
      reports::CaseRecord& record = checked.record;
      if (checked.entry) examined.Add(record.path, std::move(*checked.entry));
      Accept(known, record);
      record.number = run.cases.size() * shard.count + shard.index;
      if (record.error.empty()) editions.insert(isa::Name(checked.edition));
      run.Add(std::move(record));
      listing.Print(checked, run.cases.back());
      progress.Step(run.cases.size(), run.disagree);
    };
    const std::size_t some = SomeOf(*target);
    bool whole = true;  // nothing of what was taken is missing
    make::InOrder((paths.size() + some - 1) / some,
                  {.jobs = JobsOf(options.jobs), .stop = Interrupted},
                  [&](std::size_t i, std::size_t) {
                    const std::span from = std::span(paths).subspan(i * some);
                    return CheckSome(from.first(std::min(some, from.size())),
                                     options, *target, *reference);
                  },
                  [&](std::vector<Checked>&& some_checked) {
                    if (!whole) return;
                    for (Checked& checked : some_checked)
                      take(std::move(checked));
                    whole = some_checked.size() == some;
                  });
  }
  run.edition = fmt::format("{}", fmt::join(editions, ", "));
  if (run.cases.size() < paths.size()) {
    run.unfinished = fmt::format("interrupted after {} of {} cases",
                                 run.cases.size(), paths.size());
    FailUsage(run.unfinished);
  }
  listing.PrintRest(target->account() != nullptr);
  // What did not occur here may occur in another shard.
  const bool saw_everything = run.unfinished.empty() && !shard.IsPart() &&
                              run.unrecorded == 0 &&
                              options.instruction.empty();
  run.stale_issues = StaleIssues(known, saw_everything);
  KeepAccount(*target, options.target, shard.IsPart(), run);
  const int status =
      FinishComparison(*target, options.target,
                       FinishCheck(run, baseline, options.files, &examined));
  // What came out is what a person's eyes are on in the end.
  if (isatty(STDOUT_FILENO) != 0) {
    fmt::print("{}\n", reports::HeadlineOf(run).sentence);
  }
  if (!shard.IsPart()) return status;
  reports::ShardRecord record = NewShard("check", shard, options.out);
  AddTargets(options.target, options.reference, record);
  record.options.emplace_back("cases", Described(all));
  record.options.emplace_back("instruction", options.instruction);
  record.options.emplace_back("edition", options.edition);
  record.options.emplace_back("product", options.product);
  record.complete = run.unfinished.empty();
  record.known_issues = known.issues();
  record.occurred = known.occurred();
  record.run = std::move(run);
  return LeaveShard(record) || status != kAgree ? status : kUsage;
}

}  // namespace

int FinishCheck(reports::RunRecord& run,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files, const ExaminedCases* examined) {
  PrintStaleIssues(run.stale_issues);
  PrintChanges(baseline, run);
  fmt::print("{}{}", reports::HeadlineText(run), reports::SummaryText(run));
  const int status = StatusOf(run);
  const bool written = WriteReports(run, files, status, examined);
  if (status == kUsage && run.malformed == 0 && run.unfinished.empty() &&
      written) {
    return FailUsage(reports::ReasonsOf(run).front().text);
  }
  return status == kAgree && !written ? kUsage : status;
}

void AddCheck(CommandLine& line) {
  auto [verb, options] = line.Add(
      "check", "run cases on target and reference and compare them", RunCheck);
  AddCases(verb, options.paths);
  AddTarget(
      verb, options.target,
      "what is under test: emulator, mutant:NAME, exec:COMMAND, a program "
      "that speaks lanediff-target/1, plugin:PATH, a library, or "
      "recorded:DIR, the outcomes that were seen elsewhere");
  AddLegalOnly(verb, options.target);
  AddAllowUnsupported(verb, options.target);
  AddInstruction(verb, options.instruction, "only cases that call this one");
  verb.Add("--quiet", options.quiet,
           "no lines for cases that are well: findings and the summary");
  AddCharacter(verb, options.character);
  AddReference(verb, options.reference);
  AddReadAs(verb, options.edition, options.product);
  AddKnownIssues(verb, options.known_issues,
                 "at the top of each folder given as PATH");
  AddJobs(verb, options.jobs, "threads");
  AddShard(verb, options.shard);
  AddShardOut(verb, options.out);
  AddReportFiles(verb, options.files);
  AddSarif(verb, options.files);
  AddVerbose(verb, "the lines of every case");
  verb.Docs(
      "own-implementation.md",
      {{"check corpus/min --quiet"},
       {"check corpus/min --target mutant:min-half-not-saturated --quiet"}});
}

}  // namespace lanediff::cli
