#include "diff/shrink.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "diff/case_reader.h"
#include "diff/case_writer.h"
#include "diff/check.h"
#include "diff/compare.h"
#include "diff/planted.h"

namespace lanediff::diff {
namespace {

using test::Planted;
using test::SeamsTarget;

const Target& Oracle() { return **FindTarget("oracle"); }
const Target& Emulator() { return **FindTarget("emulator"); }

/// Up to `count` generated cases that show the defect.
std::vector<Case> CasesThatShow(const Planted& planted, std::size_t count) {
  const SeamsTarget target(planted.seams);
  std::vector<Case> cases;
  for (std::uint64_t seed = 1; seed < 2000 && cases.size() < count; ++seed) {
    Random random(seed);
    Case c = planted.generate(random);
    if (!CompareStepByStep(c, target, Oracle()).findings.empty()) {
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

const Planted& PlantedCalled(std::string_view name) {
  static const auto all = test::PlantedDefects();
  return *std::ranges::find(all, name, &Planted::name);
}

template <class T>
T Median(std::vector<T> values) {
  std::ranges::sort(values);
  return values.empty() ? T{} : values[values.size() / 2];
}

std::string SizeText(const CaseSize& size) {
  return fmt::format("{} steps {} iterations {} bytes {} elements", size.steps,
                     size.iterations, size.bytes, size.nonzero_elements);
}

/// The shrunk case is a case of its own that shows what the first one showed.
void ExpectSound(const Case& c, const ShrinkResult& result,
                 const Target& target) {
  const auto wanted = CompareStepByStep(c, target, Oracle()).findings.front();
  EXPECT_EQ(result.finding.signature, wanted.signature);
  EXPECT_EQ(result.shrunk.origin->signature, wanted.signature);
  EXPECT_TRUE(result.complete);
  EXPECT_LE(result.after.steps, result.before.steps);
  EXPECT_LE(result.after.bytes, result.before.bytes);
  EXPECT_LE(result.after.nonzero_elements, result.before.nonzero_elements);
  const auto read = ReadCase(WriteCase(result.shrunk));
  ASSERT_TRUE(read) << read.error().pointer << ": " << read.error().message;
  EXPECT_TRUE(CheckCase(*read, Emulator(), Oracle()).findings.empty());
  const auto findings = CheckCase(*read, target, Oracle()).findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().signature, wanted.signature);
}

/// How many cases of each defect are looked at: more for measuring.
std::size_t CasesOfEach() {
  const char* const text = std::getenv("LANEDIFF_SHRINK_CASES");
  return text == nullptr ? 2 : std::strtoul(text, nullptr, 10);
}

TEST(Shrink, MakesCasesOfPlantedDefectsSmall) {
  std::vector<std::int64_t> iterations;
  std::vector<std::int64_t> elements;
  std::vector<double> seconds;
  for (const Planted& planted : test::PlantedDefects()) {
    const SeamsTarget target(planted.seams);
    const auto cases = CasesThatShow(planted, CasesOfEach());
    EXPECT_FALSE(cases.empty()) << planted.name;
    for (const Case& c : cases) {
      const auto result = Shrink(c, target, Oracle(), {});
      ASSERT_TRUE(result) << result.error();
      SCOPED_TRACE(fmt::format("{}: {} -> {}, {} candidates in {:.2f} s",
                               planted.name, SizeText(result->before),
                               SizeText(result->after), result->candidates,
                               result->seconds));
      ExpectSound(c, *result, target);
      EXPECT_EQ(result->after.steps, 1u);
      EXPECT_LE(result->after.iterations, 64);
      EXPECT_LE(result->after.nonzero_elements, 160);
      iterations.push_back(result->after.iterations);
      elements.push_back(result->after.nonzero_elements);
      seconds.push_back(result->seconds);
    }
  }
  EXPECT_LE(Median(iterations), 2);
  EXPECT_LE(Median(elements), 16);
  EXPECT_LT(Median(seconds), 5);
  fmt::print(
      "{} cases; medians: {} iterations, {} elements, {:.3f} s; worst: {} "
      "iterations, {} elements, {:.3f} s\n",
      seconds.size(), Median(iterations), Median(elements), Median(seconds),
      std::ranges::max(iterations), std::ranges::max(elements),
      std::ranges::max(seconds));
}

TEST(Shrink, FindsTheSmallestWhereItIsKnown) {
  struct Row {
    std::string_view defect;
    std::int64_t iterations;
    std::int64_t elements;
  };
  const Row rows[] = {
      {"sum flushes subnormals", 1, 2},  // two whose sum is subnormal
      {"sum without RRS-SRC-ALIGN", 1, 0},
      {"sum forgets the last of 64 repeats", 64, 1},
      {"sum's dstRepStride in DataBlocks", 2, 1},
      {"copy: 4 blocks at most", 5, 1},
      {"transpose leaves two corners", 1, 1},
      {"transpose reads one block from 3 repeats on", 3, 1},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.defect);
    const Planted& planted = PlantedCalled(row.defect);
    const auto cases = CasesThatShow(planted, 1);
    ASSERT_FALSE(cases.empty());
    const auto result =
        Shrink(cases.front(), SeamsTarget(planted.seams), Oracle(), {});
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->after.iterations, row.iterations);
    EXPECT_EQ(result->after.nonzero_elements, row.elements);
  }
}

TEST(Shrink, GivesTheSameEveryTime) {
  const Planted& planted = PlantedCalled("sum in order");
  const SeamsTarget target(planted.seams);
  const auto cases = CasesThatShow(planted, 1);
  ASSERT_FALSE(cases.empty());
  const auto once = Shrink(cases.front(), target, Oracle(), {});
  const auto twice = Shrink(cases.front(), target, Oracle(), {});
  EXPECT_EQ(WriteCase(once->shrunk), WriteCase(twice->shrunk));
  EXPECT_EQ(once->candidates, twice->candidates);
  // What is smallest stays as it is.
  const auto again = Shrink(once->shrunk, target, Oracle(), {});
  EXPECT_EQ(WriteCase(again->shrunk), WriteCase(once->shrunk));
}

TEST(Shrink, StopsWithinItsBudget) {
  const Planted& planted = PlantedCalled("sum in order");
  const SeamsTarget target(planted.seams);
  const auto cases = CasesThatShow(planted, 1);
  ASSERT_FALSE(cases.empty());
  for (std::int64_t candidates : {0, 1, 20}) {
    const auto result =
        Shrink(cases.front(), target, Oracle(),
               {.candidates = candidates, .seconds = std::nullopt});
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->candidates, candidates);
    EXPECT_FALSE(result->complete);
    EXPECT_FALSE(
        CompareStepByStep(result->shrunk, target, Oracle()).findings.empty());
  }
  const auto result = Shrink(cases.front(), target, Oracle(),
                             {.candidates = 6000, .seconds = 0});
  EXPECT_EQ(result->candidates, 0);
}

TEST(Shrink, KeepsWhoFoundIt) {
  const Planted& planted = PlantedCalled("sum flushes subnormals");
  auto cases = CasesThatShow(planted, 1);
  ASSERT_FALSE(cases.empty());
  cases[0].origin = Origin{.tool = "t",
                           .seed = std::int64_t{7},
                           .target = "other",
                           .signature = "old",
                           .date = "2026-01-02"};
  const auto result =
      Shrink(cases[0], SeamsTarget(planted.seams), Oracle(), {});
  ASSERT_TRUE(result);
  const Origin expected{.tool = "lanediff-shrink",
                        .seed = std::int64_t{7},
                        .target = "planted",
                        .signature = "memory/repeat_reduce_sum/subnormal/half",
                        .date = "2026-01-02"};
  EXPECT_EQ(result->shrunk.origin, expected);
}

TEST(Shrink, SaysWhyThereIsNothingToShrink) {
  Case c;
  c.program.push_back(isa::SetSaturation{});
  auto result = Shrink(c, Emulator(), Oracle(), {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), "both sides agree; there is nothing to shrink");
  c.expect = Expectation{.rejected = true,
                         .step = 0,
                         .rules = {isa::state::kSaturationProduct},
                         .notes = std::nullopt,
                         .memory = std::nullopt};
  result = Shrink(c, Emulator(), Oracle(), {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(),
            "both sides agree and only the expectation differs; correct "
            "`expect`, there is nothing to shrink");
}

/// Gives another sum in each second session.
class Moody final : public Target {
 public:
  std::string_view name() const override { return "moody"; }
  std::string_view description() const override { return "for this test"; }
  std::unique_ptr<Session> Open(isa::Product product,
                                isa::Memories memories) const override {
    return std::make_unique<MoodySession>(Emulator().Open(product, memories),
                                          memories, ++sessions_ % 2 == 0);
  }

 private:
  class MoodySession final : public Session {
   public:
    MoodySession(std::unique_ptr<Session> inner, isa::Memories memories,
                 bool moody)
        : inner_(std::move(inner)), memories_(memories), moody_(moody) {}
    isa::StepResult Execute(const isa::Step& step) override {
      const auto result = inner_->Execute(step);
      if (moody_ && std::holds_alternative<isa::RepeatReduceSum>(step)) {
        memories_[isa::Memory::kUb][0] ^= 1;
      }
      return result;
    }

   private:
    std::unique_ptr<Session> inner_;
    isa::Memories memories_;
    bool moody_;
  };

  mutable int sessions_ = 0;
};

TEST(Shrink, NeverLosesTheFindingOfAnUnsteadyTarget) {
  const auto c = ReadCaseFile(LANEDIFF_SOURCE_DIR
                              "/corpus/repeat_reduce_sum/"
                              "tree-128-random-halves.json");
  ASSERT_TRUE(c) << c.error();
  const Moody target;
  const auto result = Shrink(*c, target, Oracle(),
                             {.candidates = 200, .seconds = std::nullopt});
  ASSERT_TRUE(result) << result.error();
  EXPECT_FALSE(result->finding.signature.empty());
}

}  // namespace
}  // namespace lanediff::diff
