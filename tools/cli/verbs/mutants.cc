// Plants each known bug in turn and reports which checker finds it, after how
// many cases.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>

#include "differential/ordered_parallel_for.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_writer.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "tools/cli/common.h"
#include "tools/cli/html.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/hunt.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using reports::CheckerRecord;
using reports::MutantRecord;

struct MutantsOptions {
  std::vector<std::string> names;     ///< empty: all
  std::string instruction;            ///< empty: all
  std::vector<std::string> checkers;  ///< empty: all
  bool every_checker = false;  ///< not only until one has found the mutant
  std::string floor;           ///< what checkers may miss; empty: not held
  std::string edition;  ///< of every case; empty: the newest, of the corpus
                        ///< the cases' own
  std::string product;  ///< as which cases are run; empty: their own
  std::uint64_t cases = 20'000;  ///< budget of each checker and seed
  std::uint64_t seconds = 0;     ///< 0: no cap
  std::uint64_t seed = 1;
  std::uint64_t seeds = 1;
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::string corpus = "corpus";
  std::string properties;   ///< program of the laws; empty: look for it
  std::string shard;        ///< "i/n"; empty: from the environment, else all
  std::string out = "out";  ///< folder for what a shard leaves
  ReportFiles files;
};

/// One checker with one seed on mutants of one instruction.
struct Task {
  std::vector<std::size_t> mutants;  ///< among those of the run
  std::uint64_t seed = 0;
  std::size_t place = 0;  ///< of the seed among the seeds
};

using Chosen = std::vector<const mutants::Mutant*>;

Chosen Choose(const MutantsOptions& options) {
  Chosen chosen;
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    const bool named =
        options.names.empty() ||
        std::ranges::find(options.names, mutant.name) != options.names.end();
    if (named &&
        (options.instruction.empty() || options.instruction == mutant.slug)) {
      chosen.push_back(&mutant);
    }
  }
  return chosen;
}

/// Those of `mutants` that `checker` has to hunt.
std::vector<std::size_t> Open(const std::vector<MutantRecord>& mutants,
                              bool every_checker) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    if (every_checker || !mutants[i].found()) open.push_back(i);
  }
  return open;
}

/// What `checker` does about the mutants `open`: a task for each seed and
/// instruction, in which the reference runs once for all, or more where there
/// are threads for them. Laws and expectations, without a reference, take one
/// at a time.
std::vector<Task> MakeTasks(const MutantsOptions& options,
                            const std::string& checker, const Chosen& chosen,
                            const std::vector<std::size_t>& open,
                            std::size_t jobs) {
  std::map<std::string_view, std::vector<std::size_t>> slugs;
  for (const std::size_t i : open) slugs[chosen[i]->slug].push_back(i);
  const std::uint64_t seeds = DependsOnSeed(checker) ? options.seeds : 1;
  const std::size_t shares =
      jobs / std::max<std::size_t>(slugs.size() * seeds, 1) + 1;
  std::vector<Task> tasks;
  for (std::uint64_t s = 0; s < seeds; ++s) {
    for (const auto& [slug, mutants] : slugs) {
      const std::size_t most =
          HasReference(checker) ? (mutants.size() + shares - 1) / shares : 1;
      for (std::size_t i = 0; i < mutants.size(); i += most) {
        const auto from = mutants.begin() + static_cast<std::ptrdiff_t>(i);
        const std::size_t count = std::min(most, mutants.size() - i);
        tasks.push_back({{from, from + static_cast<std::ptrdiff_t>(count)},
                         options.seed + s,
                         s});
      }
    }
  }
  return tasks;
}

void Store(const std::string& checker, const Task& task,
           const std::vector<CheckerRecord>& records,
           std::vector<MutantRecord>& mutants) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    CheckerRecord& record = *std::ranges::find(
        mutants[task.mutants[i]].checkers, checker, &CheckerRecord::checker);
    record.left_out = false;
    record.found_after[task.place] = records[i].found_after.front();
    record.tried += records[i].tried;
    record.capped |= records[i].capped;
    if (!records[i].error.empty()) record.error = records[i].error;
  }
}

/// Runs the tasks of `checker` on `jobs` threads.
void RunTasks(const std::string& checker, const std::vector<Task>& tasks,
              const Chosen& chosen, const HuntGround& ground, std::size_t jobs,
              std::vector<MutantRecord>& mutants) {
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> found = 0;
  Progress progress(tasks.size(), fmt::format("hunts by {}", checker));
  const auto watch = [&] { progress.Step(done, found); };
  std::size_t stored = 0;
  diff::OrderedParallelFor(
      tasks.size(), {.jobs = jobs, .watch = watch},
      [&](std::size_t i, std::size_t) {
        Chosen own;
        for (std::size_t m : tasks[i].mutants) own.push_back(chosen[m]);
        std::vector<CheckerRecord> records;
        const auto thrown = Thrown(
            [&] { records = Hunt(checker, own, tasks[i].seed, ground); });
        if (thrown) {
          records.assign(
              own.size(),
              {.checker = {}, .found_after = {std::nullopt}, .error = *thrown});
        }
        found += static_cast<std::size_t>(
            std::ranges::count_if(records, &CheckerRecord::found));
        ++done;
        return records;
      },
      [&](const std::vector<CheckerRecord>& records) {
        Store(checker, tasks[stored++], records, mutants);
      });
}

/// The program of the laws beside this one: bin/lanediff,
/// tests/properties_tests.
std::string FindProperties(const MutantsOptions& options) {
  if (!options.properties.empty()) return options.properties;
  std::error_code error;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", error).parent_path() /
      "../tests/properties_tests";
  return fs::exists(beside, error) ? beside.lexically_normal().string() : "";
}

HuntGround GroundOf(const MutantsOptions& options,
                    const std::vector<std::string>& checkers,
                    Clock::time_point start) {
  HuntGround ground;
  ground.cases = options.cases;
  ground.edition = EditionOf(options.edition);
  ground.product = options.product;
  ground.deadline = options.seconds == 0
                        ? Clock::time_point::max()
                        : start + std::chrono::seconds(options.seconds);
  ground.properties = FindProperties(options);
  if (std::ranges::count(checkers, "expectations") +
          std::ranges::count(checkers, "corpus") >
      0) {
    ground.corpus =
        ReadCorpus(options.corpus, options.edition, options.product);
  }
  return ground;
}

/// The editions of the cases that are made and read.
std::string EditionsOf(const HuntGround& ground) {
  std::set<std::string_view> editions = {isa::Name(ground.edition)};
  for (const Case& c : ground.corpus) editions.insert(isa::Name(c.edition));
  return fmt::format("{}", fmt::join(editions, ", "));
}

}  // namespace

reports::MutantHead HeadOf(const mutants::Mutant& mutant) {
  return {.name = std::string(mutant.name),
          .instruction = std::string(mutant.slug),
          .rule = std::string(mutant.rule.text()),
          .defect = std::string(mutant.defect),
          .modelled_on = std::string(mutant.modelled_on)};
}

namespace {

/// A record of which nothing is known yet.
reports::MutantsRecord NewRecord(const MutantsOptions& options,
                                 const std::vector<std::string>& checkers,
                                 const Chosen& chosen,
                                 const HuntGround& ground) {
  reports::MutantsRecord record{
      .vectors = std::string((*diff::FindTarget("emulator"))->vectors()),
      .edition = EditionsOf(ground),
      .product = options.product,
      .seed = options.seed,
      .seeds = options.seeds,
      .cases = options.cases,
      .mutants = {}};
  for (const mutants::Mutant* m : chosen) {
    MutantRecord mutant{HeadOf(*m), {}};
    for (const std::string& checker : checkers) {
      CheckerRecord one;
      one.checker = checker;
      one.left_out = true;
      one.found_after.resize(DependsOnSeed(checker) ? options.seeds : 1);
      mutant.checkers.push_back(std::move(one));
    }
    record.mutants.push_back(std::move(mutant));
  }
  return record;
}

reports::ShardRecord ShardOf(const MutantsOptions& options,
                             const std::vector<std::string>& checkers,
                             std::size_t mutants, const Shard& shard) {
  reports::ShardRecord record = NewShard("mutants", shard, options.out);
  record.options = {
      {"mutants", fmt::format("{} of {} {}", mutants, options.instruction,
                              fmt::join(options.names, " "))},
      {"checkers", fmt::format("{}", fmt::join(checkers, " "))},
      {"edition", options.edition},
      {"product", options.product},
      {"cases", std::to_string(options.cases)},
      {"seconds", std::to_string(options.seconds)},
      {"seed", std::to_string(options.seed)},
      {"seeds", std::to_string(options.seeds)},
      {"every checker", options.every_checker ? "yes" : "no"}};
  return record;
}

/// What the run is held against, if a file is named.
std::optional<Floor> FloorOf(const MutantsOptions& options,
                             const Shard& shard) {
  if (options.floor.empty()) return std::nullopt;
  const auto fail = [](const std::string& why) { Fail("--floor: " + why); };
  if (!options.every_checker) fail("expected with --every-checker");
  if (!options.edition.empty()) fail("expected without --edition");
  if (!options.product.empty()) fail("expected without --product");
  auto floor = ReadFloor(options.floor, shard);
  if (floor.seed != options.seed || floor.cases != options.cases ||
      options.seeds != 1) {
    fail(fmt::format(
        "{} is of --seed {} --max-cases {} --seeds 1; expected the same, found "
        "--seed {} --max-cases {} --seeds {}",
        floor.file, floor.seed, floor.cases, options.seed, options.cases,
        options.seeds));
  }
  return floor;
}

int RunMutants(const MutantsOptions& options) {
  const Shard shard = ShardFor(options.shard, options.files.baseline);
  const Chosen all = Choose(options);
  Chosen chosen;
  for (std::size_t i = shard.index; i < all.size(); i += shard.count) {
    chosen.push_back(all[i]);
  }
  for (const std::string& name : options.names) {
    OrFail(diff::FindTarget("mutant:" + name));
  }
  if (all.empty()) {
    return FailUsage(
        "no mutant is chosen{}{}; \"lanediff list mutants\" lists them",
        options.instruction.empty() ? "" : " of ", options.instruction);
  }
  const auto baseline =
      OrFail(reports::ReadMutantsBaseline(options.files.baseline));
  const std::optional<Floor> floor = FloorOf(options, shard);
  std::vector<std::string> checkers = options.checkers;
  if (checkers.empty()) {
    checkers.assign(std::begin(kCheckers), std::end(kCheckers));
  }

  WatchInterrupt();
  const auto start = Clock::now();
  const auto ground = GroundOf(options, checkers, start);
  reports::MutantsRecord record = NewRecord(options, checkers, chosen, ground);
  const std::size_t jobs = JobsOf(options.jobs);
  for (const std::string& checker : checkers) {
    const auto open = Open(record.mutants, options.every_checker);
    RunTasks(checker, MakeTasks(options, checker, chosen, open, jobs), chosen,
             ground, jobs, record.mutants);
  }
  record.seconds = SecondsSince(start);

  record.interrupted = Interrupted();
  int status = FinishMutants(record, baseline, options.files);
  if (floor) status = Worse(status, HoldToFloor(*floor, record));
  bool left = true;
  if (shard.IsPart()) {
    auto part = ShardOf(options, checkers, all.size(), shard);
    part.complete = !record.interrupted;
    part.mutants = record;
    left = LeaveShard(part);
  }
  if (record.interrupted)
    return FailUsage("interrupted; the table is not complete");
  if (record.mutants.empty()) return FailUsage("nothing was compared");
  return left || status != kAgree ? status : kUsage;
}

}  // namespace

int FinishMutants(reports::MutantsRecord& record,
                  const std::optional<reports::MutantsBaseline>& baseline,
                  const ReportFiles& files) {
  if (baseline) record.changes = reports::ChangesSince(*baseline, record);
  const reports::Report report = ToReport(record);
  fmt::print("{}", ToText(report, IsVerbose()));
  const bool written =
      WriteTo(files.json, [&] { return MutantsJson(record); }) &&
      WriteTo(files.junit, [&] { return ToJunit(report); }) &&
      WriteHtml(
          files.html,
          {.title = "lanediff mutants", .verb = "mutants", .report = &report});
  if (record.Count(reports::MutantVerdict::kNotFound) > 0) return kDisagreement;
  return written && record.complete() ? kAgree : kUsage;
}

void AddMutants(CommandLine& line) {
  auto [verb, options] =
      line.Add("mutants",
               "plant each known bug in turn and report which checker finds it",
               RunMutants);
  verb.footer =
      "A checker hunts what those before it did not find. Status 0: every "
      "mutant was found; 1: one was not found by any checker; 2: wrong usage, "
      "or a hunt was not finished, by --seconds or because a checker could not "
      "run.";
  verb.Add("NAME", options.names,
           "mutants by name (lanediff list mutants); default: all");
  AddInstruction(verb, options.instruction,
                 "those of one instruction only, or of program, the steps that "
                 "set machine state",
                 {kMachineState});
  verb.Add("--checker", options.checkers,
           "which checkers hunt, in this order; default: all, the cheapest "
           "first")
      .OneOf({std::begin(kCheckers), std::end(kCheckers)})
      .ByCommas();  // what follows is a NAME
  verb.Add("--every-checker", options.every_checker,
           "let each checker hunt every mutant, also those that another one "
           "has found");
  verb.Add("--floor FILE", options.floor,
           "with --every-checker: how many mutants each checker alone may "
           "miss; status 1 where one misses more");
  AddEdition(verb, options.edition);
  verb.Add("--product PRODUCT", options.product,
           "run cases as of this product instead of their own, but for those "
           "of the checker properties; one of another product is held to no "
           "expectation")
      .OneOf(AllWords<isa::Product>());
  verb.Add("--max-cases", options.cases,
           "budget in cases of each checker that makes them")
      .Within(1, 1'000'000'000)
      .ShowDefault()
      .Was("--cases");
  verb.Add("--seconds", options.seconds, "cap on the time of it all; 0: none")
      .Within(0, 10'000'000);
  AddSeed(verb, options.seed, "of the first hunt");
  verb.Add("--seeds", options.seeds,
           "hunts of guided and baseline; medians are printed")
      .Within(1, 1000)
      .ShowDefault();
  AddJobs(verb, options.jobs, "threads");
  verb.Add("--corpus DIR", options.corpus, "folder of cases").ShowDefault();
  verb.Add("--properties FILE", options.properties,
           "program of the laws (default: ../tests/properties_tests beside "
           "this program)");
  AddShard(verb, options.shard);
  verb.Add("--out DIR", options.out, "folder for what a shard leaves")
      .ShowDefault();
  AddReportFiles(verb, options.files);
  AddVerbose(verb, "mutants that were found");
  verb.Docs("finding-power.md",
            {{"mutants min-half-not-saturated --checker corpus"},
             {"mutants --instruction vec_trans --checker corpus --json "
              "mutants.json"}});
}

}  // namespace lanediff::cli
