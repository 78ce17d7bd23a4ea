// The systematic cases of generators/boundary.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/ordered_parallel_for.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/record_join.h"
#include "generators/boundary/sample.h"
#include "generators/boundary/sweep.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/test/test.h"

namespace lanediff::cli {
namespace {

using make::SweepCase;

/// What is to be run.
struct Plan {
  std::vector<std::string_view> slugs;
  /// Of the sequences of steps only those that call this; empty: all of them.
  std::string_view op = {};
  Shard shard;
  std::size_t jobs = 1;
  isa::Edition edition = isa::kNewestEdition;
  std::vector<make::Sample> samples = {};  ///< of each slug; empty: all is run

  /// Whether a case of the `r`th slug is requested.
  bool IsAbout(std::size_t r, const Case& c) const {
    return op.empty() || slugs[r] != kMachineState ||
           std::ranges::any_of(c.program, [&](const isa::Step& step) {
             return isa::OpName(step) == op;
           });
  }
};

/// Draws `per_rule` cases of each rule, of what the target claims.
void DrawSamples(Plan& plan, std::uint64_t per_rule,
                 const diff::Capabilities& can) {
  Progress progress(plan.slugs.size(), "samples drawn");
  std::atomic<std::uint64_t> drawn = 0;
  diff::OrderedParallelFor(
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

/// Each slug has a part for each job, as cases can't be made from their numbers
/// alone.
class BoundarySource final : public diff::CaseSource<SweepCase> {
 public:
  explicit BoundarySource(const Plan& plan) : plan_(plan) {}

  std::uint64_t size() const override {
    std::uint64_t total = 0;
    for (const make::Sample& sample : plan_.samples) {
      total += sample.numbers.size();
    }
    if (!plan_.samples.empty()) return total;
    for (std::string_view slug : plan_.slugs) {
      make::ForEachSweepCase(
          slug,
          [&](std::uint64_t number) {
            total += plan_.shard.Holds(number);
            return false;
          },
          [](SweepCase&&) { return false; });
    }
    return total;
  }
  std::size_t parts() const override { return plan_.slugs.size() * plan_.jobs; }
  void Produce(std::size_t part,
               const std::function<bool(SweepCase&&)>& take) override {
    const std::size_t r = part / plan_.jobs;
    make::ForEachSweepCase(
        plan_.slugs[r],
        [&](std::uint64_t number) {
          return plan_.shard.Holds(number) &&
                 (plan_.samples.empty() || plan_.samples[r].Holds(number)) &&
                 number / plan_.shard.count % plan_.jobs == part % plan_.jobs;
        },
        [&](SweepCase&& swept) {
          return !plan_.IsAbout(r, swept.c) || take(std::move(swept));
        },
        plan_.edition);
  }
  void Announce(const SweepCase& swept, const diff::Target& target,
                const diff::Target& reference) const override {
    diff::AnnounceCase(swept.c, target, reference);
  }
  std::string NameOf(std::size_t part) const override {
    return std::string(plan_.slugs[part / plan_.jobs]);
  }

 private:
  const Plan& plan_;
};

struct Found {
  SweepCase swept;
  std::vector<diff::Finding> findings;
};

/// What a part, or all parts, met of one slug.
struct Tally {
  reports::SweepRecord sums;
  std::map<isa::RuleId, reports::SweptRule> rules;
  diff::SignatureCounts signatures;
  std::vector<Found> found;  ///< of each signature the lowest numbers

  void Count(const SweepCase& swept, const diff::Comparison& result,
             const std::vector<isa::StepResult>& answers);
  void Merge(Tally&& other);
};

void Tally::Count(const SweepCase& swept, const diff::Comparison& result,
                  const std::vector<isa::StepResult>& answers) {
  cli::Count(result, sums);
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

void Tally::Merge(Tally&& other) {
  JoinInto(other.sums, sums);
  for (const auto& [id, rule] : other.rules) JoinInto(rule, rules[id]);
  signatures.Add(other.signatures.Record());
  std::ranges::move(other.found, std::back_inserter(found));
  std::ranges::sort(found, {}, [](const Found& f) { return f.swept.number; });
  diff::LeaveKept(found, &Found::findings);
}

class BoundarySink final : public diff::Sink<SweepCase, Tally> {
 public:
  BoundarySink(const Plan& plan, const Sides& sides)
      : plan_(plan), sides_(sides), can_(sides.target->capabilities()) {
    tallies.resize(plan.slugs.size());
  }

  Tally Begin(std::size_t part) override {
    Tally tally;
    // A sample is drawn of the others.
    if (!plan_.samples.empty() && part % plan_.jobs == 0) {
      tally.sums.beyond = plan_.samples[part / plan_.jobs].not_drawn;
    }
    return tally;
  }
  bool Wants(const SweepCase& swept, Tally& tally) override {
    const bool beyond = diff::BeyondCapabilities(swept.c, can_).has_value();
    tally.sums.beyond += beyond;
    return !beyond;
  }
  bool Compare(SweepCase&& swept, std::size_t, Tally& tally) override {
    std::vector<isa::StepResult> answers;
    diff::Comparison result =
        diff::CompareCase(swept.c, *sides_.target, *sides_.reference,
                          [&](const diff::ReferenceStep& step) {
                            answers.push_back(step.result);
                          });
    tally.Count(swept, result, answers);
    if (result.findings.empty()) return true;
    ++found;
    if (tally.signatures.Add(result.findings) != nullptr) {
      tally.found.push_back({std::move(swept), std::move(result.findings)});
    }
    return true;
  }
  void Take(std::size_t part, Tally&& tally) override {
    tallies[part / plan_.jobs].Merge(std::move(tally));
  }

  std::vector<Tally> tallies;  ///< of each slug

 private:
  const Plan& plan_;
  const Sides& sides_;
  diff::Capabilities can_;
};

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

reports::CaseRecord Save(const TestOptions& options, std::string_view slug,
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

/// What is to be run of what the target claims.
Plan PlanOf(const TestOptions& options, const Shard& shard,
            const diff::Capabilities& can) {
  const auto slugs = make::SweepModules();
  Plan plan{.slugs = {slugs.begin(), slugs.end()},
            .shard = shard,
            .jobs = JobsOf(options.jobs),
            .edition = EditionOf(options.edition)};
  if (!options.instruction.empty()) plan.slugs = {options.instruction};
  std::erase_if(plan.slugs,
                [&](std::string_view slug) { return !Claims(can, slug); });
  if (plan.slugs.empty()) {
    Fail("--instruction: the target does not claim it");
  }
  if (const auto* only = isa::FindInstruction(options.instruction)) {
    plan.op = only->op;
    plan.slugs.push_back(kMachineState);
  }
  return plan;
}

/// Fills `run` with what came of each slug, and saves the cases.
void FillRecord(const TestOptions& options, const Plan& plan,
                std::vector<Tally>& tallies, reports::RunRecord& run) {
  for (const make::Sample& sample : plan.samples) {
    if (!run.sample) run.sample.emplace();
    run.sample->Add(sample.size);
    run.sample->meant = options.sample;
  }
  for (std::size_t r = 0; r < tallies.size(); ++r) {
    Tally& tally = tallies[r];
    for (Found& found : tally.found) {
      run.cases.push_back(Save(options, plan.slugs[r], std::move(found)));
    }
    tally.sums.instruction = plan.slugs[r];
    tally.sums.signatures = tally.signatures.Record();
    const bool part = !plan.op.empty() && plan.slugs[r] == kMachineState;
    if (part) tally.sums.with = plan.op;
    ListRules(plan.slugs[r], plan.edition, part, tally);
    run.AddSweep(std::move(tally.sums));
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

}  // namespace

int FinishSweep(reports::RunRecord& run, bool part,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files) {
  std::string details;
  for (const reports::SweepRecord& sweep : run.sweeps) {
    details += reports::SweepText(sweep, IsVerbose());
  }
  const auto missed = NeverReached(run);
  details += fmt::format(
      "rules never reached{}{}: {}\n", run.sample ? " by this sample" : "",
      part ? " by this shard" : "",
      missed.empty() ? "none" : fmt::format("{}", fmt::join(missed, ", ")));
  return FinishCheck(run, CaseLines(run), details, baseline, files);
}

int TestBoundary(const TestOptions& options) {
  const Sides sides = FindSides(options.target, options.reference,
                                Takes::kRunning, "nothing would be compared");
  const Shard shard = ShardFor(options.shard, options.files.baseline);
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.files.baseline, "sweep"));
  const diff::Capabilities can = sides.target->capabilities();
  Plan plan = PlanOf(options, shard, can);
  if (!MakeFolder(FindingsBelow(options.out), "--out")) return kUsage;
  if (options.cases > 0) {
    DrawSamples(plan, static_cast<std::uint64_t>(options.cases), can);
  }
  WatchInterrupt();
  BoundarySource source(plan);
  BoundarySink sink(plan, sides);
  const diff::RunEnd end = RunSource(source, sides, sink, plan.jobs);
  reports::RunRecord run = NewRun("sweep", options, *sides.target);
  run.edition = isa::Name(plan.edition);
  FillRecord(options, plan, sink.tallies, run);
  run.unfinished = end.Unfinished();
  if (!run.unfinished.empty()) FailUsage(run.unfinished);
  return EndRun(
      std::move(run), options, *sides.target, shard,
      [&](reports::RunRecord& all) {
        return FinishSweep(all, shard.IsPart(), baseline, options.files);
      },
      [&](reports::ShardRecord& record) {
        record.options.emplace_back("instruction", options.instruction);
        record.options.emplace_back("edition", isa::Name(plan.edition));
        record.options.emplace_back("cases", fmt::format("{}", options.cases));
        record.options.emplace_back("sample", options.sample ? "yes" : "no");
      });
}

}  // namespace lanediff::cli
