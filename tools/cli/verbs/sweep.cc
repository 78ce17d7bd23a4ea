// Compares on the systematic cases of generators/boundary, with several
// threads, each on its own part of the numbers.

#include "generators/boundary/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/targets/ahead.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_writer.h"
#include "generators/boundary/sample.h"
#include "generators/in_order.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/shard.h"
#include "tools/cli/target_options.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/finish.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

struct SweepOptions {
  std::string instruction;  ///< empty: all
  std::string shard;        ///< "i/n"; empty: from the environment, else all
  TargetOptions target;
  std::string reference = "oracle";
  std::string edition;     ///< empty: the newest
  std::int64_t cases = 0;  ///< of each rule; 0: all
  bool sample = false;     ///< --sample: less than all is enough
  std::int64_t jobs = 0;   ///< 0: one for each processor
  std::string out = "out";
  ReportFiles files;
};

struct Found {
  make::SweepCase swept;
  std::vector<diff::Finding> findings;
};

/// What one thread, or all, saw of one instruction.
struct Tally {
  reports::SweepRecord sums;
  std::map<isa::RuleId, reports::SweptRule> rules;
  diff::SignatureCounts signatures;
  std::vector<Found> found;  ///< of each signature the lowest numbers

  void Count(const make::SweepCase& swept, const diff::Comparison& result,
             const std::vector<isa::StepResult>& answers);
  void Keep(make::SweepCase&& swept, std::vector<diff::Finding>&& findings);
  void Merge(Tally&& other);
};

void Tally::Count(const make::SweepCase& swept, const diff::Comparison& result,
                  const std::vector<isa::StepResult>& answers) {
  ++sums.cases;
  sums.steps += result.steps;
  sums.compared_bytes += result.compared_bytes;
  sums.nodes += result.nodes;
  if (!result.findings.empty()) {
    ++sums.disagree;
  } else if (result.unsupported) {
    ++sums.unsupported;
  } else if (!result.tolerated.empty()) {
    ++sums.tolerated;
  }
  const bool rejected = result.rejected;
  sums.rejected += rejected;
  sums.legal += !rejected && !result.unsupported;
  for (const isa::StepResult& answer : answers) {
    for (isa::RuleId id : answer.rules) {
      ++(answer.rules.size() == 1 ? rules[id].alone : rules[id].together);
    }
    for (isa::RuleId id : answer.notes) ++rules[id].noted;
  }
  if (swept.rule && !rejected && !result.unsupported) ++rules[*swept.rule].kept;
}

void Tally::Keep(make::SweepCase&& swept,
                 std::vector<diff::Finding>&& findings) {
  if (signatures.Add(findings) == nullptr) return;
  found.push_back({std::move(swept), std::move(findings)});
}

void Tally::Merge(Tally&& other) {
  sums.cases += other.sums.cases;
  sums.legal += other.sums.legal;
  sums.rejected += other.sums.rejected;
  sums.unsupported += other.sums.unsupported;
  sums.beyond += other.sums.beyond;
  sums.tolerated += other.sums.tolerated;
  sums.disagree += other.sums.disagree;
  sums.steps += other.sums.steps;
  sums.compared_bytes += other.sums.compared_bytes;
  sums.nodes += other.sums.nodes;
  for (const auto& [id, rule] : other.rules) {
    reports::SweptRule& sum = rules[id];
    sum.alone += rule.alone;
    sum.together += rule.together;
    sum.noted += rule.noted;
    sum.kept += rule.kept;
  }
  signatures.Add(other.signatures.Record());
  std::ranges::move(other.found, std::back_inserter(found));
  std::ranges::sort(found, {}, [](const Found& f) { return f.swept.number; });
  diff::LeaveKept(found, &Found::findings);
}

struct Plan {
  std::vector<std::string_view> slugs;
  /// Of the sequences of steps only those that call this; empty: all of them.
  std::string_view op = {};
  const diff::Target* target;
  const diff::Target* reference;
  Shard shard;
  std::uint64_t jobs;
  isa::Edition edition = isa::kNewestEdition;
  std::vector<make::Sample> samples =
      {};  ///< of each instruction; empty: all is run
  std::atomic<std::uint64_t> done = 0;
  std::atomic<std::uint64_t> disagree = 0;
  std::uint64_t total = 0;
  std::mutex mutex = {};
  std::string failure = {};  ///< what was thrown first; empty if nothing was
  std::atomic<bool> failed = false;

  /// Whether a case of the `r`th of the instructions is requested.
  bool IsAbout(std::size_t r, const Case& c) const {
    return op.empty() || slugs[r] != kMachineState ||
           std::ranges::any_of(c.program, [&](const isa::Step& step) {
             return isa::OpName(step) == op;
           });
  }
  bool GoesOn() const { return !failed && !Interrupted(); }
  void Fail(std::string what) {
    const std::lock_guard lock(mutex);
    if (!failed.exchange(true)) failure = std::move(what);
  }
  /// Why not all was done; empty if all was.
  std::string Unfinished() const {
    if (!failed && done == total) return "";
    return fmt::format("{} after {} of {} cases",
                       failed ? failure : "interrupted", done.load(), total);
  }
};

void Compare(Plan& plan, make::SweepCase&& swept, Tally& tally) {
  std::vector<isa::StepResult> answers;
  diff::Comparison result = diff::CompareCase(
      swept.c, *plan.target, *plan.reference,
      [&](const diff::ReferenceStep& step) { answers.push_back(step.result); });
  tally.Count(swept, result, answers);
  if (result.findings.empty()) return;
  ++plan.disagree;
  tally.Keep(std::move(swept), std::move(result.findings));
}

void SweepModule(Plan& plan, std::size_t r, std::uint64_t job, Tally& tally) {
  const make::Sample* const sample =
      plan.samples.empty() ? nullptr : &plan.samples[r];
  // A sample is drawn of the others.
  if (sample != nullptr && job == 0) tally.sums.beyond = sample->not_drawn;
  const diff::Capabilities can = plan.target->capabilities();
  const auto compare = [&](make::SweepCase&& swept) {
    Compare(plan, std::move(swept), tally);
    return plan.GoesOn();
  };
  diff::Ahead<make::SweepCase> ahead(
      *plan.target, *plan.reference,
      [](const make::SweepCase& s) { return &s.c; }, compare);
  make::ForEachSweepCase(
      plan.slugs[r],
      [&](std::uint64_t number) {
        if (!plan.shard.Holds(number)) return false;
        if (sample != nullptr && !sample->Holds(number)) return false;
        if (number / plan.shard.count % plan.jobs != job) return false;
        ++plan.done;
        return true;
      },
      [&](make::SweepCase&& swept) {
        if (!plan.IsAbout(r, swept.c)) return plan.GoesOn();
        if (!diff::BeyondCapabilities(swept.c, can)) {
          return ahead.Add(std::move(swept));
        }
        ++tally.sums.beyond;
        return plan.GoesOn();
      },
      plan.edition);
  ahead.Finish();
  plan.done -= ahead.waiting();
}

/// One thread's part of every instruction, up to what is thrown.
std::vector<Tally> SweepPart(Plan& plan, std::uint64_t job) {
  std::vector<Tally> tallies(plan.slugs.size());
  for (std::size_t r = 0; r < plan.slugs.size() && plan.GoesOn(); ++r) {
    const auto thrown = Thrown([&] { SweepModule(plan, r, job, tallies[r]); });
    if (thrown) plan.Fail(fmt::format("{}: {}", plan.slugs[r], *thrown));
  }
  return tallies;
}

/// Draws `per_rule` cases of each rule, of what the target claims.
void DrawSamples(Plan& plan, std::uint64_t per_rule) {
  const diff::Capabilities can = plan.target->capabilities();
  Progress progress(plan.slugs.size(), "samples drawn");
  std::atomic<std::uint64_t> drawn = 0;
  make::InOrder(
      plan.slugs.size(),
      {.jobs = plan.jobs, .watch = [&] { progress.Step(drawn, 0); }},
      [&](std::size_t r, std::size_t) {
        return make::DrawSample(
            plan.slugs[r], per_rule, plan.shard,
            [&](const Case& c) {
              return std::uint64_t{!diff::BeyondCapabilities(c, can)};
            },
            [&](const Case& c) { return plan.IsAbout(r, c); }, plan.edition);
      },
      [&](make::Sample&& sample) {
        plan.samples.push_back(std::move(sample));
        ++drawn;
      });
}

std::uint64_t NumbersIn(const Plan& plan) {
  std::uint64_t total = 0;
  for (const make::Sample& sample : plan.samples) {
    total += sample.numbers.size();
  }
  if (!plan.samples.empty()) return total;
  for (std::string_view slug : plan.slugs) {
    make::ForEachSweepCase(
        slug,
        [&](std::uint64_t number) {
          total += plan.shard.Holds(number);
          return false;
        },
        [](make::SweepCase&&) { return false; });
  }
  return total;
}

/// Every part, each by one thread, as cases can't be made from their numbers
/// alone.
std::vector<Tally> SweepAll(Plan& plan) {
  std::vector<Tally> all(plan.slugs.size());
  std::optional<Progress> progress;
  const auto watch = [&] {
    if (!progress) {
      plan.total = NumbersIn(plan);
      progress.emplace(plan.total);
    }
    progress->Step(plan.done, plan.disagree);
  };
  make::InOrder(
      plan.jobs,
      {.jobs = plan.jobs,
       .stop = [&] { return !plan.GoesOn(); },
       .watch = watch},
      [&](std::size_t part, std::size_t) { return SweepPart(plan, part); },
      [&](std::vector<Tally>&& part) {
        for (std::size_t r = 0; r < part.size(); ++r) {
          all[r].Merge(std::move(part[r]));
        }
      });
  return all;
}

/// Adds the rules that the instruction has in `edition` and that were not met,
/// unless only `part` of it was requested, and orders all as the catalogue
/// does.
void ListRules(std::string_view slug, isa::Edition edition, bool part,
               Tally& tally) {
  const isa::Instruction* const of_slug = isa::FindInstruction(slug);
  // The cases without an instruction are about the mode as well.
  const std::string_view op =
      of_slug == nullptr ? isa::SetSaturation::kOp : of_slug->op;
  for (const isa::Rule& rule : isa::Catalogue()) {
    const auto met = tally.rules.find(rule.id);
    if (met == tally.rules.end() &&
        (part || rule.instruction != op || !rule.HoldsIn(edition))) {
      continue;
    }
    reports::SweptRule line =
        met == tally.rules.end() ? reports::SweptRule{} : met->second;
    line.id = rule.id;
    tally.sums.rules.push_back(line);
  }
}

std::vector<std::string_view> NeverReached(const reports::RunRecord& run) {
  std::vector<std::string_view> ids;
  for (const reports::SweepRecord& sweep : run.sweeps) {
    for (const reports::SweptRule& rule : sweep.rules) {
      if (!rule.Reached()) ids.push_back(rule.id.text());
    }
  }
  return ids;
}

reports::CaseRecord Save(const SweepOptions& options, std::string_view slug,
                         Found&& found) {
  Case& c = found.swept.c;
  c.origin = diff::OriginOf(found.findings.front(), "lanediff-sweep");
  c.expect = diff::ToExpectation((**diff::FindTarget("oracle")).Run(c).value());
  reports::CaseRecord record;
  record.path = fmt::format("{}/{}.json", FindingsBelow(options.out),
                            diff::FileNameOf(c.id));
  record.id = c.id;
  record.edition = reports::OlderEdition(c);
  record.what = found.swept.what;
  record.slug = slug;
  record.number = found.swept.number;
  record.verdict = reports::Verdict::kDisagree;
  record.findings = std::move(found.findings);
  record.reproduce =
      Reproduce(record.path, options.target.name, options.reference);
  if (const auto kept = diff::KeepCase(c, record.path); !kept) {
    record.error = kept.error();
    fmt::print(stderr, "lanediff: {}; the case follows\n{}", kept.error(),
               WriteCase(c));
  }
  return record;
}

void SaveFindings(const SweepOptions& options, std::string_view slug,
                  Tally& tally, reports::RunRecord& run) {
  for (Found& found : tally.found) {
    run.cases.push_back(Save(options, slug, std::move(found)));
  }
}

bool AllSaved(const reports::RunRecord& run) {
  return std::ranges::all_of(run.cases, &std::string::empty,
                             &reports::CaseRecord::error);
}

int RunSweep(const SweepOptions& options) {
  const auto [target, reference] =
      FindSides(options.target, options.reference, Takes::kRunning,
                "nothing would be compared");
  const Shard shard = ShardFor(options.shard, options.files.baseline);
  const auto slugs = make::SweepModules();
  Plan plan{.slugs = {slugs.begin(), slugs.end()},
            .target = target,
            .reference = reference,
            .shard = shard,
            .jobs = JobsOf(options.jobs),
            .edition = EditionOf(options.edition)};
  if (!options.instruction.empty()) plan.slugs = {options.instruction};
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.files.baseline, "sweep"));
  std::erase_if(plan.slugs, [&](std::string_view slug) {
    return !Claims(target->capabilities(), slug);
  });
  if (plan.slugs.empty()) {
    return FailUsage("--instruction: the target does not claim it");
  }
  if (const auto* only = isa::FindInstruction(options.instruction)) {
    plan.op = only->op;
    plan.slugs.push_back(kMachineState);
  }
  std::error_code error;
  fs::create_directories(FindingsBelow(options.out), error);
  if (error) {
    return FailUsage(fmt::format("--out: {}: can't be made: {}", options.out,
                                 error.message()));
  }

  if (options.cases > 0) {
    DrawSamples(plan, static_cast<std::uint64_t>(options.cases));
  }
  WatchInterrupt();
  std::vector<Tally> tallies = SweepAll(plan);
  reports::RunRecord run;
  run.verb = "sweep";
  run.target = options.target.name;
  run.vectors = target->vectors();
  run.reference = options.reference;
  run.edition = isa::Name(plan.edition);
  for (const make::Sample& sample : plan.samples) {
    if (!run.sample) run.sample.emplace();
    run.sample->Add(sample.size);
    run.sample->meant = options.sample;
  }
  for (std::size_t r = 0; r < tallies.size(); ++r) {
    SaveFindings(options, plan.slugs[r], tallies[r], run);
    tallies[r].sums.instruction = plan.slugs[r];
    tallies[r].sums.signatures = tallies[r].signatures.Record();
    const bool part = !plan.op.empty() && plan.slugs[r] == kMachineState;
    if (part) tallies[r].sums.with = plan.op;
    ListRules(plan.slugs[r], plan.edition, part, tallies[r]);
    run.AddSweep(std::move(tallies[r].sums));
  }
  run.unfinished = plan.Unfinished();
  if (!run.unfinished.empty()) FailUsage(run.unfinished);
  KeepAccount(*target, options.target, shard.IsPart(), run);
  const int status = FinishComparison(
      *target, options.target,
      FinishSweep(run, shard.IsPart(), baseline, options.files));
  if (!shard.IsPart()) return status;
  reports::ShardRecord record = NewShard("sweep", shard, options.out);
  AddTargets(options.target, options.reference, record);
  record.options.emplace_back("instruction", options.instruction);
  record.options.emplace_back("edition", isa::Name(plan.edition));
  record.options.emplace_back("cases", fmt::format("{}", options.cases));
  record.options.emplace_back("sample", options.sample ? "yes" : "no");
  record.complete = run.unfinished.empty() && AllSaved(run);
  record.run = std::move(run);
  return LeaveShard(record) || status != kAgree ? status : kUsage;
}

}  // namespace

int FinishSweep(reports::RunRecord& run, bool part,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files) {
  const auto reasons = reports::ReasonsOf(run);
  fmt::print("{}", IncompleteText(reasons));
  CaseLines lines;
  for (const reports::CaseRecord& record : run.cases) lines.Print(record);
  lines.PrintRest();
  for (const reports::SweepRecord& sweep : run.sweeps) {
    fmt::print("{}", reports::SweepText(sweep, IsVerbose()));
  }
  const auto missed = NeverReached(run);
  fmt::print(
      "rules never reached{}{}: {}\n", run.sample ? " by this sample" : "",
      part ? " by this shard" : "",
      missed.empty() ? "none" : fmt::format("{}", fmt::join(missed, ", ")));
  PrintChanges(baseline, run);
  fmt::print("{}{}", reports::HeadlineText(run), reports::SummaryText(run));
  const int status = run.disagree > 0  ? kDisagreement
                     : reasons.empty() ? kAgree
                                       : kUsage;
  const bool written = WriteReports(run, files, status);
  if (status == kAgree && !written) return kUsage;
  if (status != kUsage || !AllSaved(run) || !run.unfinished.empty()) {
    return status;
  }
  return FailUsage(reasons.front().text);
}

void AddSweep(CommandLine& line) {
  auto [verb, options] = line.Add(
      "sweep",
      "compare on systematic cases: both sides of every rule's boundary, alone "
      "and with another broken rule, special values, pairs of parameter "
      "classes; what disagrees is saved as a case",
      RunSweep);
  AddInstruction(verb, options.instruction,
                 "one instruction only, and the sequences that it takes part "
                 "in, or program for machine state",
                 {kMachineState});
  AddSample(verb, options.cases, options.sample);
  AddShard(verb, options.shard);
  AddTarget(verb, options.target);
  AddProduct(verb, options.target);
  AddLegalOnly(verb, options.target);
  AddAllowUnsupported(verb, options.target);
  AddAnyNumber(verb);
  AddReference(verb, options.reference);
  AddEdition(verb, options.edition);
  AddJobs(verb, options.jobs, "threads");
  verb.Add("--out DIR", options.out, "folder; findings go to its findings/")
      .ShowDefault();
  AddReportFiles(verb, options.files);
  AddSarif(verb, options.files);
  AddVerbose(verb,
             "how often each rule was broken, every finding, and what "
             "the target does not support");
  verb.Docs("own-implementation.md",
            {{"sweep --instruction min --max-cases 2 --sample"},
             {"sweep --instruction min --max-cases 2 --sample --target "
              "mutant:min-half-not-saturated"}});
}

}  // namespace lanediff::cli
