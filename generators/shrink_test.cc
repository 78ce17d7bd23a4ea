#include "differential/shrink/shrink.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/testing.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "emulator/mutants/mutant.h"
#include "generators/random/generate.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using diff::Emulator;
using diff::Oracle;

const diff::Target& Mutant(std::string_view name) {
  return **diff::FindTarget("mutant:" + std::string(name));
}

/// Up to `count` generated cases that show the defect.
std::vector<Case> CasesThatShow(std::string_view mutant, std::size_t count) {
  const diff::Target& target = Mutant(mutant);
  const std::string_view slug = mutants::FindMutant(mutant)->slug;
  std::vector<Case> cases;
  for (std::uint64_t seed = 1; seed < 5000 && cases.size() < count; ++seed) {
    Random random(seed);
    Case c = Generate(slug, random).c;
    if (!diff::CompareCase(c, target, Oracle()).findings.empty()) {
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

Case CaseThatShows(std::string_view mutant) {
  return CasesThatShow(mutant, 1).at(0);
}

template <class T>
T Median(std::vector<T> values) {
  std::ranges::sort(values);
  return values.empty() ? T{} : values[values.size() / 2];
}

std::string SizeText(const diff::CaseSize& size) {
  return fmt::format("{} steps {} iterations {} bytes {} elements", size.steps,
                     size.iterations, size.bytes, size.nonzero_elements);
}

/// The shrunk case is a case of its own that shows what the first one showed.
void ExpectSound(const Case& c, const diff::ShrinkResult& result,
                 const diff::Target& target) {
  const auto wanted = diff::CompareCase(c, target, Oracle()).findings.front();
  EXPECT_EQ(result.finding.signature, wanted.signature);
  EXPECT_EQ(result.shrunk.origin->signature, wanted.signature);
  EXPECT_TRUE(result.complete);
  EXPECT_LE(result.after.steps, result.before.steps);
  EXPECT_LE(result.after.bytes, result.before.bytes);
  // A fill counts as none, and may become the one element that it takes.
  EXPECT_LE(result.after.nonzero_elements,
            std::max<std::int64_t>(result.before.nonzero_elements, 1));
  const auto read = ReadCase(WriteCase(result.shrunk));
  ASSERT_TRUE(read) << read.error().pointer << ": " << read.error().message;
  EXPECT_TRUE(diff::CheckCase(*read, Emulator(), Oracle()).findings.empty());
  const auto findings = diff::CheckCase(*read, target, Oracle()).findings;
  EXPECT_TRUE(std::ranges::any_of(findings, [&](const diff::Finding& f) {
    return f.signature == wanted.signature;
  })) << wanted.signature;
}

/// Every how manyth mutant is looked at: 1 for measuring.
std::size_t MutantStep() {
  const char* const text = std::getenv("LANEDIFF_SHRINK_EVERY");
  return text == nullptr ? 7 : std::strtoul(text, nullptr, 10);
}

TEST(Shrink, MakesCasesOfMutantsSmall) {
  std::vector<std::int64_t> iterations;
  std::vector<std::int64_t> elements;
  std::vector<double> seconds;
  const auto all = mutants::Mutants();
  for (std::size_t i = 0; i < all.size(); i += MutantStep()) {
    const diff::Target& target = Mutant(all[i].name);
    for (const Case& c : CasesThatShow(all[i].name, 1)) {
      const auto result = diff::Shrink(c, target, Oracle(), {});
      ASSERT_TRUE(result) << result.error();
      SCOPED_TRACE(fmt::format("{}: {} -> {}, {} candidates in {:.2f} s",
                               all[i].name, SizeText(result->before),
                               SizeText(result->after), result->candidates,
                               result->seconds));
      ExpectSound(c, *result, target);
      if (result->after.steps == result->before.steps) {
        // A call with one iteration is as small as one with none.
        EXPECT_LE(result->after.iterations,
                  std::max<std::int64_t>(result->before.iterations, 1));
      }
      iterations.push_back(result->after.iterations);
      elements.push_back(result->after.nonzero_elements);
      seconds.push_back(result->seconds);
    }
  }
  EXPECT_GE(seconds.size(), all.size() / MutantStep() / 2);
  EXPECT_LE(Median(iterations), 2);
  EXPECT_LE(Median(elements), 16);
  fmt::print(
      "{} cases; medians: {} iterations, {} elements, {:.3f} s; worst: {} "
      "iterations, {} elements, {:.3f} s\n",
      seconds.size(), Median(iterations), Median(elements), Median(seconds),
      std::ranges::max(iterations), std::ranges::max(elements),
      std::ranges::max(seconds));
}

TEST(Shrink, FindsTheSmallestWhereItIsKnown) {
  struct Row {
    std::string_view mutant;
    std::int64_t iterations;
    std::int64_t elements;  ///< at most
  };
  const Row rows[] = {
      {"rrs-subnormal-sums-flushed", 1, 3},
      {"rrs-src-align-16", 1, 0},
      {"rrs-dst-rep-stride-in-blocks", 2, 1},
      {"min-half-zero-sign-by-order", 1, 1},
      {"dc-last-block-skipped", 2, 1},
      {"vt-copies", 1, 1},
      {"vt-last-repeat-skipped", 2, 1},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.mutant);
    const auto cases = CasesThatShow(row.mutant, 3);
    ASSERT_FALSE(cases.empty());
    // Of one case a local minimum may be left.
    std::int64_t elements = std::numeric_limits<std::int64_t>::max();
    for (const Case& c : cases) {
      const auto result = diff::Shrink(c, Mutant(row.mutant), Oracle(), {});
      ASSERT_TRUE(result) << result.error();
      EXPECT_EQ(result->after.iterations, row.iterations);
      elements = std::min(elements, result->after.nonzero_elements);
    }
    EXPECT_LE(elements, row.elements);
  }
}

TEST(Shrink, LeavesNoPaddingThatDoesNotMatter) {
  constexpr std::string_view kMutant = "dcp-last-block-skipped";
  const auto cases = CasesThatShow(kMutant, 12);
  int padded = 0;
  for (const Case& c : cases) {
    const auto call = std::get<isa::Call>(c.program.back());
    padded += call.is_pad ? 1 : 0;
    const auto result = diff::Shrink(c, Mutant(kMutant), Oracle(), {});
    ASSERT_TRUE(result) << result.error();
    const auto& left = std::get<isa::Call>(result->shrunk.program.back());
    EXPECT_FALSE(left.is_pad) << WriteCase(result->shrunk);
    EXPECT_EQ(left[isa::Param::kLeftPadding], 0);
    EXPECT_EQ(left[isa::Param::kRightPadding], 0);
    EXPECT_EQ(left[isa::Param::kBlockLen], isa::SizeBytes(left.dtype));
  }
  EXPECT_GT(padded, 0);
}

TEST(Shrink, GivesTheSameEveryTime) {
  const diff::Target& target = Mutant("rrs-left-fold");
  const Case c = CaseThatShows("rrs-left-fold");
  const auto once = diff::Shrink(c, target, Oracle(), {});
  const auto twice = diff::Shrink(c, target, Oracle(), {});
  EXPECT_EQ(WriteCase(once->shrunk), WriteCase(twice->shrunk));
  EXPECT_EQ(once->candidates, twice->candidates);
  // What is smallest stays as it is.
  const auto again = diff::Shrink(once->shrunk, target, Oracle(), {});
  EXPECT_EQ(WriteCase(again->shrunk), WriteCase(once->shrunk));
}

TEST(Shrink, StopsWithinItsBudget) {
  const diff::Target& target = Mutant("rrs-left-fold");
  const Case c = CaseThatShows("rrs-left-fold");
  for (std::int64_t candidates : {0, 1, 20}) {
    const auto result =
        diff::Shrink(c, target, Oracle(),
                     {.candidates = candidates, .seconds = std::nullopt});
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->candidates, candidates);
    EXPECT_FALSE(result->complete);
    EXPECT_FALSE(
        diff::CompareCase(result->shrunk, target, Oracle()).findings.empty());
  }
  const auto result =
      diff::Shrink(c, target, Oracle(), {.candidates = 6000, .seconds = 0});
  EXPECT_EQ(result->candidates, 0);
}

/// A target that a count mode ends once the mask has been reset.
TEST(Shrink, DropsStepsAloneWhereCasesTakeLong) {
  Case c;
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] = {
      .fill = 7, .size = 4096, .regions = {}};
  const std::vector<isa::Step> needed = {isa::ResetMask{}, isa::SetMaskCount{}};
  c.program = {isa::SetMaskNorm{}, needed[0],          isa::SetMaskNorm{},
               isa::SetMaskNorm{}, needed[1],          isa::SetMaskNorm{},
               isa::SetMaskNorm{}, isa::SetMaskNorm{}, isa::SetMaskNorm{}};
  std::vector<std::size_t> shown;
  const auto ends = [&](const Case& candidate) -> std::optional<diff::Finding> {
    const auto reset = std::ranges::find(candidate.program, needed[0]);
    if (std::find(reset, candidate.program.end(), needed[1]) ==
        candidate.program.end()) {
      return std::nullopt;
    }
    shown.push_back(candidate.program.size());
    diff::Finding finding;
    finding.kind = diff::FindingKind::kCrash;
    finding.step = candidate.program.size() - 1;
    return finding;
  };
  const auto result =
      diff::Shrink(c, *ends(c), ends,
                   {.candidates = 100, .seconds = {}, .steps_only = true});
  EXPECT_EQ(result.shrunk.program, needed);
  EXPECT_EQ(result.shrunk.memory, c.memory);
  EXPECT_TRUE(result.complete);
  EXPECT_LE(result.candidates, 20);
  // A hang is costly: the first case that shows it has no step behind it.
  EXPECT_EQ(shown.at(1), 5U);
}

TEST(Shrink, KeepsWhoFoundIt) {
  constexpr std::string_view kMutant = "rrs-subnormal-sums-flushed";
  Case c = CaseThatShows(kMutant);
  c.origin = Origin{.tool = "t",
                    .seed = std::int64_t{7},
                    .target = "other",
                    .signature = "old",
                    .date = "2026-01-02"};
  const auto result = diff::Shrink(c, Mutant(kMutant), Oracle(), {});
  ASSERT_TRUE(result);
  const std::string signature = diff::CompareCase(c, Mutant(kMutant), Oracle())
                                    .findings.front()
                                    .signature;
  const Origin expected{.tool = "lanediff-shrink",
                        .seed = std::int64_t{7},
                        .target = "mutant:rrs-subnormal-sums-flushed",
                        .signature = signature,
                        .date = "2026-01-02"};
  EXPECT_EQ(result->shrunk.origin, expected);
}

TEST(Shrink, NeverLosesTheFindingOfAnUnsteadyTarget) {
  const auto c = ReadCaseFile(LANEDIFF_SOURCE_DIR
                              "/corpus/repeat_reduce_sum/"
                              "tree-128-random-halves.json");
  ASSERT_TRUE(c) << c.error();
  // Gives another sum in each second session.
  const diff::AlteredTarget target([](const diff::AlteredTarget::Step& step) {
    if (step.run % 2 != 0) step.Ub(0) ^= 1;
  });
  const auto result = diff::Shrink(
      *c, target, Oracle(), {.candidates = 200, .seconds = std::nullopt});
  ASSERT_TRUE(result) << result.error();
  // Of the two sessions of a comparison one is altered.
  EXPECT_EQ(result->finding.signature,
            "reads-outside/repeat_reduce_sum/result/half");
  EXPECT_FALSE(
      diff::CompareCase(result->shrunk, target, Oracle()).findings.empty());
}

}  // namespace
}  // namespace lanediff::make
