#include "tools/cli/verbs/hunt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

#include "differential/compare/check.h"
#include "differential/compare/signature.h"
#include "differential/subprocess/spawn.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/json.h"
#include "generators/boundary/sweep.h"
#include "generators/guided/guide.h"
#include "generators/guided/hunter.h"
#include "generators/random/generate.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/shard.h"
#include "tools/cli/work_folder.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using reports::CheckerRecord;

/// Laws of an instruction, about; the budget is shared out among them.
constexpr std::uint64_t kLaws = 10;

/// Machine state is every step's.
bool Concerns(const Case& c, std::string_view slug) {
  return slug == mutants::kProgramSlug ||
         std::ranges::any_of(c.program, [&](const isa::Step& step) {
           return diff::SlugOf(step) == slug;
         });
}

/// Whether what `c` expects was worked out without the programs under test.
bool ExpectsByItself(const Case& c) {
  if (!c.expect) return false;
  if (!c.origin || !c.origin->tool) return true;
  const std::string& tool = *c.origin->tool;
  return tool == "hand" || tool == "published" || tool.starts_with("script/");
}

/// What the cases expect, and no reference.
CheckerRecord CheckExpectations(const diff::Target& target,
                                std::string_view slug,
                                const HuntGround& ground) {
  CheckerRecord record{
      .checker = {}, .found_after = {std::nullopt}, .error = {}};
  for (const Case& c : ground.corpus) {
    if (!Concerns(c, slug) || !ExpectsByItself(c)) continue;
    if (ground.TimeIsUp()) {
      record.capped = true;
      break;
    }
    ++record.tried;
    if (diff::CompareWithExpectation(c, target.Run(c).value(), target.name())) {
      record.found_after = {record.tried};
      break;
    }
  }
  return record;
}

void HuntCorpus(std::string_view slug, const HuntGround& ground,
                make::Hunter& hunter) {
  for (const Case& c : ground.corpus) {
    if (!hunter.GoesOn() || ground.TimeIsUp()) return;
    if (Concerns(c, slug)) hunter.Try(c);
  }
}

void HuntSweep(std::string_view slug, const HuntGround& ground,
               make::Hunter& hunter) {
  make::ForEachSweepCase(
      slug, [](std::uint64_t) { return true; },
      [&](make::SweepCase&& swept) {
        hunter.Try(ground.As(std::move(swept.c)));
        return hunter.GoesOn() && !ground.TimeIsUp();
      },
      ground.edition);
}

void HuntGuided(std::string_view slug, std::uint64_t seed,
                const HuntGround& ground, make::Hunter& hunter) {
  make::Guide guide(slug, seed, ground.edition);
  while (hunter.GoesOn() && !ground.TimeIsUp()) {
    const Case c = ground.As(guide.Next());
    make::coverage::Observer observer(c, ground.edition);
    hunter.Try(c, std::ref(observer));
    guide.Learn(c, observer);
  }
}

void HuntPlainly(std::string_view slug, std::uint64_t seed,
                 const HuntGround& ground, make::Hunter& hunter) {
  make::Random random(seed);
  while (hunter.GoesOn() && !ground.TimeIsUp()) {
    hunter.Try(ground.As(make::Generate(slug, random, make::Style::kUniform,
                                        nullptr, ground.edition)
                             .c));
  }
}

/// "repeat_reduce_sum" is "RepeatReduceSumLaws".
std::string SuiteOf(std::string_view slug) {
  std::string suite;
  bool capital = true;
  for (char c : slug) {
    if (c != '_') {
      suite += capital ? static_cast<char>(c - 'a' + 'A') : c;
    }
    capital = c == '_';
  }
  return suite + "Laws";
}

/// The properties are a program of their own, which gets its target and ends at
/// the first property that fails.
CheckerRecord CheckProperties(const mutants::Mutant& mutant, std::uint64_t seed,
                              const HuntGround& ground) {
  CheckerRecord record{
      .checker = {}, .found_after = {std::nullopt}, .error = {}};
  if (ground.TimeIsUp()) {
    record.capped = true;
    return record;
  }
  if (ground.properties.empty()) {
    record.error = "there is no program of the laws; name it with --properties";
    return record;
  }
  const ScratchFolder scratch;
  if (!scratch.made()) {
    record.error = "can't make a folder as " + scratch.path();
    return record;
  }
  const std::string stats = scratch.In("stats");
  auto process = diff::Process::Start(
      {.words = {ground.properties,
                 "--gtest_filter=" + SuiteOf(mutant.slug) + ".*"},
       .program = ground.properties,
       .environment = ChildEnvironment(
           {fmt::format("LANEDIFF_PROPERTY_TARGET=mutant:{}", mutant.name),
            fmt::format("LANEDIFF_PROPERTY_EDITION={}",
                        isa::Name(ground.edition)),
            "LANEDIFF_PROPERTY_STATS=" + stats,
            fmt::format(
                "RC_PARAMS=seed={} max_success={}", seed,
                std::clamp<std::uint64_t>(ground.cases / kLaws, 1, 1000))}),
       .log = "/dev/null"});
  if (!process) {
    record.error = ground.properties + " can't be started";
    return record;
  }
  auto ended =
      process->Wait(diff::kForever, [&] { return !ground.TimeIsUp(); });
  if (!ended) {
    record.capped = true;
    process->Send(SIGINT);
    ended = process->Wait();
  }
  const int status = diff::ExitStatus(*ended);
  const bool found = status == 1 && !record.capped;
  if (!(std::ifstream(stats) >> record.tried) && found) {
    record.error = ground.properties + " left no count of its checks";
    return record;
  }
  record.found_after = {found ? std::optional(record.tried) : std::nullopt};
  if (status > 1 && !record.capped) {
    record.error =
        fmt::format("{} ended with status {}", ground.properties, status);
  }
  return record;
}

const diff::Target& TargetOf(const mutants::Mutant& mutant) {
  return *diff::FindTarget(fmt::format("mutant:{}", mutant.name)).value();
}

/// Cases on all mutants beside the reference.
std::vector<CheckerRecord> HuntWithCases(
    std::string_view checker, std::span<const mutants::Mutant* const> mutants,
    std::uint64_t seed, const HuntGround& ground) {
  const std::string_view slug = mutants.front()->slug;
  std::vector<const diff::Target*> targets;
  for (const mutants::Mutant* mutant : mutants) {
    targets.push_back(&TargetOf(*mutant));
  }
  // Corpus and sweep end by themselves.
  const bool endless = DependsOnSeed(checker);
  make::Hunter hunter(
      targets, *diff::FindTarget("oracle").value(),
      endless ? ground.cases : std::numeric_limits<std::uint64_t>::max());
  if (checker == "corpus") HuntCorpus(slug, ground, hunter);
  if (checker == "sweep") HuntSweep(slug, ground, hunter);
  if (checker == reports::kGuided) HuntGuided(slug, seed, ground, hunter);
  if (checker == reports::kBaseline) HuntPlainly(slug, seed, ground, hunter);

  std::vector<CheckerRecord> records;
  for (const make::Hunter::Result& result : hunter.results()) {
    CheckerRecord record;
    record.found_after = {result.found_after};
    record.tried = result.found_after.value_or(hunter.tried());
    record.capped = !result.found_after && ground.TimeIsUp();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace

Case HuntGround::As(Case c) const {
  ReadAs("", c, product);
  return c;
}

bool DependsOnSeed(std::string_view checker) {
  return checker == reports::kGuided || checker == reports::kBaseline;
}

bool HasReference(std::string_view checker) {
  return checker != "properties" && checker != "expectations";
}

std::vector<CheckerRecord> Hunt(std::string_view checker,
                                std::span<const mutants::Mutant* const> mutants,
                                std::uint64_t seed, const HuntGround& ground) {
  std::vector<CheckerRecord> records;
  if (!HasReference(checker)) {
    for (const mutants::Mutant* mutant : mutants) {
      records.push_back(
          checker == "properties"
              ? CheckProperties(*mutant, seed, ground)
              : CheckExpectations(TargetOf(*mutant), mutant->slug, ground));
    }
  } else {
    records = HuntWithCases(checker, mutants, seed, ground);
  }
  for (CheckerRecord& record : records) record.checker = checker;
  return records;
}

using reports::MutantRecord;

Floor ReadFloor(const std::string& file, const Shard& shard) {
  const auto text = OrFail(ReadFile(file), "--floor: " + file + ": ");
  Floor floor{.file = file, .missed = {}};
  const std::string own = fmt::format("{}/{}", shard.index, shard.count);
  std::istringstream lines(text);
  std::string line;
  bool has_options = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto fail = [&](const std::string& why) {
      Fail("--floor: {}:{}: {}", file, number, why);
    };
    std::istringstream words(line);
    std::string first;
    std::string second;
    std::string rest;
    if (!has_options) {
      if (!(words >> first >> floor.seed >> second >> floor.cases) ||
          first != "seed" || second != "cases" || words >> rest) {
        fail("expected \"seed N cases N\"");
      }
      has_options = true;
      continue;
    }
    std::size_t missed = 0;
    if (!(words >> first >> second >> missed) || words >> rest) {
      fail("expected \"SHARD CHECKER MISSED\"");
    }
    if (std::ranges::find(kCheckers, second) == std::end(kCheckers)) {
      fail(fmt::format("found checker \"{}\"; expected one of {}",
                       Quote(second, 80), fmt::join(kCheckers, ", ")));
    }
    if (first == own && !floor.missed.emplace(second, missed).second) {
      fail("expected each checker of a shard once");
    }
  }
  if (floor.missed.empty()) {
    Fail("--floor: {}: expected lines of shard {}, found none", file, own);
  }
  return floor;
}

int HoldToFloor(const Floor& floor, const reports::MutantsRecord& record) {
  if (record.mutants.empty()) return kAgree;
  bool fell = false;
  std::size_t open = 0;
  for (std::size_t i = 0; i < record.mutants.front().checkers.size(); ++i) {
    std::size_t missed = 0;
    std::size_t unfinished = 0;
    for (const MutantRecord& mutant : record.mutants) {
      const CheckerRecord& one = mutant.checkers[i];
      if (one.found()) continue;
      const bool ended = !one.capped && one.error.empty() && !one.left_out;
      ++(ended ? missed : unfinished);
    }
    const std::string& checker = record.mutants.front().checkers[i].checker;
    fmt::print("floor: {} alone: {} of {} found", checker,
               record.mutants.size() - missed - unfinished,
               record.mutants.size());
    const auto most = floor.missed.find(checker);
    if (most == floor.missed.end()) {
      fmt::print("; no floor in {}", floor.file);
    } else if (missed > most->second) {
      fell = true;
      fmt::print("; expected at most {} missed, found {}", most->second,
                 missed);
    } else if (missed < most->second && unfinished == 0) {
      fmt::print("; the floor rises: {} allows {} missed, found {}", floor.file,
                 most->second, missed);
    }
    fmt::print("\n");
    open += unfinished;
  }
  if (fell) return kDisagreement;
  if (open == 0) return kAgree;
  return FailUsage(
      "{} of single checkers not finished, so that the floor "
      "is not held",
      Counted(open, "hunt"));
}

}  // namespace lanediff::cli
