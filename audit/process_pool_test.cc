#include "audit/process_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "audit/case_result.h"
#include "audit/testing.h"

namespace lanediff::audit {
namespace {

constexpr std::string_view kSlug = "vec_trans";

ProcessPoolOptions Options(std::size_t jobs = 1) {
  ProcessPoolOptions options;
  options.products = {isa::Product::kAtlasA2};
  options.jobs = jobs;
  return options;
}

std::vector<Chunk> Chunks() {
  return {{kSlug, 0, 150, 150}, {kSlug, 150, 160, 10}, {kSlug, 160, 400, 240}};
}

/// Sums of all cells by showing.
ShowingCounts Sums(const Tally& tally) {
  ShowingCounts sums{};
  for (const CellTally& cell : tally.cells) {
    for (std::size_t s = 0; s < sums.size(); ++s) {
      sums[s] += cell.alone[s] + cell.together[s];
    }
  }
  return sums;
}

std::uint64_t Of(const Tally& tally, Showing showing) {
  return Sums(tally)[static_cast<std::size_t>(showing)];
}

/// A case of the chunks whose call no other of them makes.
AuditCase LoneCase() {
  const auto all = test::CasesIn(kSlug, 0, 400);
  for (std::size_t i = all.size() / 2; i < all.size(); ++i) {
    const auto same = [&](const AuditCase& c) {
      return c.c.program.back() == all[i].c.program.back();
    };
    if (all[i].rule && std::ranges::count_if(all, same) == 1) {
      return all[i];
    }
  }
  ADD_FAILURE() << "no call is made once";
  return all[0];
}

/// Does `what` at the call of `c`.
test::HandMade At(const AuditCase& c, void (*what)()) {
  return test::HandMade(
      [call = c.c.program.back(), what](
          const isa::Step& step, diff::Session& emulator, isa::Memories) {
        if (step == call) what();
        return emulator.Execute(step);
      });
}

/// Does `what` at every call.
test::HandMade Always(void (*what)()) {
  return test::HandMade(
      [what](const isa::Step&, diff::Session&, isa::Memories) {
        what();
        return isa::StepResult{};
      });
}

/// That the tally has `c` with `showing` and all else as of the emulator.
void ExpectOneFailure(const Tally& tally, const AuditCase& c, Showing showing) {
  const ProcessPoolResult good =
      RunProcessPool(test::TheEmulator(), Chunks(), Options());
  const CaseResult failed = FailedResult(c.c, c.rule, showing, "");
  EXPECT_FALSE(failed.observations.empty());
  EXPECT_EQ(tally.cases, good.tally.cases);
  EXPECT_EQ(tally.steps, good.tally.steps);
  // Only what the case was made for is blamed; the rest has a case less.
  EXPECT_EQ(failed.observations.size(), 1u);
  EXPECT_EQ(Of(tally, showing), failed.observations.size());
  auto expected = Sums(good.tally);
  const CaseResult fine = ResultOf(c.c, c.rule, test::TheEmulator());
  for (const Observation& o : fine.observations) {
    --expected[static_cast<std::size_t>(o.showing)];
  }
  expected[static_cast<std::size_t>(showing)] += failed.observations.size();
  EXPECT_EQ(Sums(tally), expected);
  const CellTally& cell = *tally.FindCell(*c.rule, c.c.product);
  ASSERT_EQ(cell.bad.size(), 1u);
  EXPECT_EQ(cell.bad[0].number, c.number);
  EXPECT_EQ(cell.bad[0].showing, showing);
}

TEST(WorkerPool, CountsTheCasesInWhichATargetReportsAFailure) {
  const AuditCase lone = LoneCase();
  const auto of = [&](diff::NoOutcome::Kind kind) {
    const auto target = test::FailsHere(
        [&, kind](const Case& c) -> std::optional<diff::NoOutcome::Kind> {
          if (c.id != lone.c.id) return std::nullopt;
          return kind;
        });
    return RunProcessPool(target, Chunks(), Options());
  };
  const ProcessPoolResult crashes = of(diff::NoOutcome::Kind::kCrash);
  EXPECT_EQ(crashes.crashed, 1u);
  EXPECT_EQ(crashes.hung, 0u);
  EXPECT_EQ(crashes.crashed, Of(crashes.tally, Showing::kCrashed));
  const ProcessPoolResult hangs = of(diff::NoOutcome::Kind::kTimeout);
  EXPECT_EQ(hangs.crashed, 0u);
  EXPECT_EQ(hangs.hung, 1u);
  EXPECT_EQ(hangs.tally.hung, 1u);
}

TEST(WorkerPool, CasesThatATargetWhichWasGivenUpIsNotAskedAreNotRun) {
  const AuditCase lone = LoneCase();
  const auto target = test::FailsHere(
      [&](const Case& c) -> std::optional<diff::NoOutcome::Kind> {
        return c.id == lone.c.id ? diff::NoOutcome::Kind::kCrash
                                 : diff::NoOutcome::Kind::kGivenUp;
      });
  const ProcessPoolResult result = RunProcessPool(target, Chunks(), Options());
  EXPECT_EQ(result.crashed, 1u);
  EXPECT_EQ(result.tally.given_up, result.tally.cases - 1);
  EXPECT_EQ(result.tally.skipped, result.tally.given_up);
  EXPECT_EQ(result.tally.unsupported, 0u);
  EXPECT_TRUE(result.stopped.starts_with(
      "the target ended 1 times and hung 0 times, and was given up: "))
      << result.stopped;
}

TEST(WorkerPool, TallyDoesNotDependOnTheNumberOfProcesses) {
  const auto one = RunProcessPool(test::TheEmulator(), Chunks(), Options(1));
  const auto three = RunProcessPool(test::TheEmulator(), Chunks(), Options(3));
  EXPECT_EQ(one.crashed + one.hung + three.crashed + three.hung, 0u);
  EXPECT_EQ(one.stopped, "");
  EXPECT_FALSE(one.interrupted);
  EXPECT_GT(one.tally.cases, 100u);
  EXPECT_TRUE(one.tally.Serialized() == three.tally.Serialized());
}

TEST(WorkerPool, OneCrashOrMissingAnswerCostsOneCase) {
  const AuditCase lone = LoneCase();
  for (const auto& [what, message] :
       {std::pair(
            +[] { test::EndProcess(); }, "the target ended in this case"),
        std::pair(
            +[] { _exit(0); },
            "what the process of the target sent of this case can't be "
            "read")}) {
    for (std::size_t jobs : {1, 3}) {
      const auto result =
          RunProcessPool(At(lone, what), Chunks(), Options(jobs));
      EXPECT_EQ(result.crashed, 1u);
      EXPECT_EQ(result.hung, 0u);
      EXPECT_EQ(result.stopped, "");
      ExpectOneFailure(result.tally, lone, Showing::kCrashed);
      EXPECT_EQ(
          result.tally.FindCell(*lone.rule, lone.c.product)->bad[0].message,
          message);
    }
  }
}

int children_to_end = 0;

TEST(WorkerPool, AProcessThatEndsBeforeItsFirstCaseIsCountedAndCostsNone) {
  // Later forks run the handler, too: it then ends no process.
  pthread_atfork(
      nullptr, [] { children_to_end -= children_to_end > 0 ? 1 : 0; },
      [] {
        if (children_to_end > 0) raise(SIGKILL);
      });
  const auto all = RunProcessPool(test::TheEmulator(), Chunks(), Options(1));
  children_to_end = 2;
  const auto result = RunProcessPool(test::TheEmulator(), Chunks(), Options(1));
  EXPECT_EQ(children_to_end, 0);
  EXPECT_EQ(result.crashed, 2u);
  EXPECT_EQ(result.stopped, "");
  EXPECT_EQ(result.tally.cases, all.tally.cases);
  EXPECT_EQ(Of(result.tally, Showing::kCrashed), 0u);
  ASSERT_EQ(result.tally.problems.size(), 2u);
  EXPECT_TRUE(result.tally.problems[0].ends_with(
      ": the process ended before its first case; they are run again"))
      << result.tally.problems[0];
}

TEST(WorkerPool, OneHangCostsOneCase) {
  const AuditCase lone = LoneCase();
  const auto target = At(lone, [] {
    while (true) pause();
  });
  ProcessPoolOptions options = Options(2);
  options.hang_seconds = 5;
  const auto result = RunProcessPool(target, Chunks(), options);
  EXPECT_EQ(result.crashed, 0u);
  EXPECT_EQ(result.hung, 1u);
  ExpectOneFailure(result.tally, lone, Showing::kHung);
}

TEST(WorkerPool, TooLittleMemoryIsNotTheTargets) {
  const AuditCase lone = LoneCase();
  const auto target = At(lone, [] { throw std::bad_alloc(); });
  const auto result = RunProcessPool(target, Chunks(), Options(2));
  EXPECT_EQ(result.crashed + result.hung, 0u);
  EXPECT_EQ(result.tally.skipped, 1u);
  EXPECT_EQ(Of(result.tally, Showing::kCrashed), 0u);
  EXPECT_EQ(result.tally.problems,
            std::vector<std::string>{
                lone.c.id + ": there was too little memory to run this case"});
}

TEST(WorkerPool, GivesUpATargetThatAlwaysFails) {
  constexpr std::string_view kEnded =
      "the target ended 3 times and hung 0 times";
  for (const auto& [what, crashed, stopped] :
       {std::tuple(
            +[] { test::EndProcess(); }, 3u, kEnded),
        std::tuple(
            +[] { _exit(0); }, 3u, kEnded),
        std::tuple(
            +[] { throw std::bad_alloc(); }, 0u,
            std::string_view("there was too little memory 3 times"))}) {
    ProcessPoolOptions options = Options();
    options.most_failures = 3;
    const auto result = RunProcessPool(Always(what), Chunks(), options);
    EXPECT_EQ(result.crashed, crashed);
    EXPECT_EQ(result.stopped, stopped);
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.tally.cases, 3u) << "those that failed are reported";
    EXPECT_EQ(result.tally.skipped, 3 - crashed);
    EXPECT_EQ(Of(result.tally, Showing::kCrashed) > 0, crashed > 0);
  }
}

TEST(WorkerPool, EndsWhenItIsInterruptedAndKeepsWhatIsDone) {
  ProcessPoolOptions options = Options();
  options.goes_on = [](std::uint64_t done) { return done < 150; };
  const auto result = RunProcessPool(test::TheEmulator(), Chunks(), options);
  EXPECT_TRUE(result.interrupted);
  const auto first =
      RunProcessPool(test::TheEmulator(), {Chunks()[0]}, Options());
  EXPECT_TRUE(result.tally.Serialized() == first.tally.Serialized());
}

TEST(ChunksOf, HoldEveryNumberOnce) {
  const auto chunks = ChunksOf({kSlug}, Options());
  const std::uint64_t numbers = NumbersOf(kSlug);
  std::uint64_t cases = 0;
  for (const Chunk& chunk : chunks) cases += chunk.cases;
  EXPECT_EQ(cases, numbers) << "on one product";
  for (std::uint64_t n = 0; n < numbers; ++n) {
    EXPECT_EQ(std::ranges::count_if(
                  chunks, [&](const Chunk& chunk) { return chunk.Holds(n); }),
              1)
        << n;
    EXPECT_FALSE(chunks.front().Holds(n + numbers));
  }
}

TEST(ChunksOf, BeginsWithALittleOfAllOfEachModule) {
  const std::vector<std::string_view> slugs = {kSlug, "min", "program"};
  const auto chunks = ChunksOf(slugs, Options());
  for (std::size_t r = 0; r < slugs.size(); ++r) {
    EXPECT_EQ(chunks[r].slug, slugs[r]);
    // Some of each tenth of its numbers, and not much of all.
    std::array<std::uint64_t, 10> held{};
    const std::uint64_t numbers = NumbersOf(slugs[r]);
    for (std::uint64_t n = 0; n < numbers; ++n) {
      held[n * held.size() / numbers] += chunks[r].Holds(n);
    }
    std::uint64_t sum = 0;
    for (std::uint64_t some : held) {
      EXPECT_GT(some, 0u) << slugs[r];
      sum += some;
    }
    EXPECT_LT(sum, 200u) << slugs[r];
  }
}

TEST(ChunksOf, CountTheCasesOfTheRequestedProducts) {
  ProcessPoolOptions options = Options();
  const auto cases = [&] {
    std::uint64_t sum = 0;
    for (const Chunk& chunk : ChunksOf({"min"}, options)) sum += chunk.cases;
    return sum;
  };
  const std::uint64_t of_one = cases();
  options.products.push_back(isa::Product::kAtlasInferenceAicore);
  EXPECT_EQ(cases(), 2 * of_one);
}

TEST(WorkerPool, RunsWhatASampleHoldsAndNoMore) {
  ProcessPoolOptions options = Options(2);
  options.sample[kSlug] = make::DrawSample(kSlug, 5, {}, [](const Case& c) {
    return std::uint64_t{IsSupported(c, isa::Product::kAtlasA2)};
  });
  const make::Sample& sample = options.sample[kSlug];
  const auto result =
      RunProcessPool(test::TheEmulator(), ChunksOf({kSlug}, options), options);
  EXPECT_EQ(result.tally.cases, sample.size.cases);
  EXPECT_LT(result.tally.cases, sample.size.of);
}

TEST(AuditShard, IsReadBackAndATallyOfAnotherProgramIsNone) {
  ProcessPoolResult pool;
  pool.tally.cases = 7;
  pool.crashed = 2;
  pool.stopped = "the target ended";
  reports::AuditShard shard = ShardOf(pool);
  const auto back = PoolResultOf(shard);
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_EQ(back->tally.Serialized(), pool.tally.Serialized());
  EXPECT_EQ(back->crashed, 2u);
  EXPECT_EQ(back->stopped, "the target ended");
  shard.tally = {"[\"x\"]"};
  const auto read = PoolResultOf(shard);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().substr(0, 23), "/audit/tally: no tally:");
}

}  // namespace
}  // namespace lanediff::audit
