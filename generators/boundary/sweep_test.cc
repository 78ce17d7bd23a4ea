// The sweeps themselves: shards that are the whole, cases that are well formed,
// rules that are really broken and really kept, and samples of all.

#include "generators/boundary/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "differential/compare/check.h"
#include "differential/compare/testing.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "generators/boundary/breaker.h"
#include "generators/boundary/calls.h"
#include "generators/boundary/sample.h"
#include "isa/catalogue.h"

namespace lanediff::make {
namespace {

/// Of the numbers of an instruction, those that leave `index` when divided by
/// `count`.
WantsSweepCase Part(std::uint64_t index, std::uint64_t count) {
  return [=](std::uint64_t number) { return number % count == index; };
}

/// One number in this many is looked at where all would take long; a prime, so
/// that no pattern of the loops is missed.
constexpr std::uint64_t SampleOf(std::string_view slug) {
  return slug == "program" ? 487 : 97;
}

using Made = std::map<std::uint64_t, std::string>;

/// The documents of the cases by number.
Made MakeAll(std::string_view slug, const WantsSweepCase& wants) {
  Made made;
  std::uint64_t last = 0;
  ForEachSweepCase(slug, wants, [&](SweepCase&& swept) {
    EXPECT_TRUE(made.empty() || swept.number > last) << "numbers ascend";
    last = swept.number;
    EXPECT_TRUE(wants(swept.number)) << "made though unwanted";
    made.emplace(swept.number, swept.what + "\n" + WriteCase(swept.c));
    return true;
  });
  return made;
}

class SweepModule : public testing::TestWithParam<std::string_view> {};

TEST_P(SweepModule, ShardsAreDisjointAndTheWhole) {
  // Which numbers have cases, as a shard alone sees it: the sample is in both.
  constexpr std::uint64_t kShards = 8;
  const auto sampled = [](std::uint64_t number) {
    return number % SampleOf(GetParam()) == 2;
  };
  Made joined;
  for (std::uint64_t shard = 0; shard < kShards; ++shard) {
    Made part = MakeAll(GetParam(), [&](std::uint64_t number) {
      return sampled(number) && number % kShards == shard;
    });
    const std::size_t before = joined.size();
    const std::size_t added = part.size();
    joined.merge(part);
    EXPECT_EQ(joined.size(), before + added) << "a number is in two shards";
  }
  EXPECT_GT(joined.size(), 10u);
  EXPECT_EQ(joined, MakeAll(GetParam(), sampled));
}

TEST_P(SweepModule, CasesAreWellFormed) {
  ForEachSweepCase(
      GetParam(), Part(3, SampleOf(GetParam())), [](SweepCase&& swept) {
        const std::string text = WriteCase(swept.c);
        // What is larger is refused as a file.
        if (text.size() > kMaxCaseFileBytes) return true;
        const auto read = ReadCase(text);
        EXPECT_TRUE(read) << swept.what << ": "
                          << (read ? ""
                                   : read.error().pointer + ": " +
                                         read.error().message);
        EXPECT_EQ(read ? WriteCase(*read) : text, text) << swept.what;
        return !testing::Test::HasFailure();
      });
}

TEST_P(SweepModule, EndsOnRequest) {
  std::uint64_t taken = 0;
  const std::uint64_t all = ForEachSweepCase(
      GetParam(), [](std::uint64_t) { return true; },
      [&](SweepCase&&) { return ++taken < 5; });
  EXPECT_EQ(taken, 5u);
  EXPECT_GT(all, 1000u);
}

INSTANTIATE_TEST_SUITE_P(All, SweepModule, testing::ValuesIn(SweepModules()),
                         [](const auto& slug) {
                           return std::string(slug.param);
                         });

/// How the oracle took the cases made for each rule.
struct Sides {
  std::map<isa::RuleId, int> alone;  ///< rejected for nothing else
  std::map<isa::RuleId, int> kept;   ///< executed
  std::map<isa::RuleId, int> noted;
};

/// One case of each side of a rule is enough; cases and the oracle take their
/// time.
void Look(std::string_view slug, Sides& sides) {
  std::map<std::uint64_t, isa::RuleId> rules;
  ForEachSweepOutline(slug, [&](const SweepOutline& outline) {
    if (outline.rule) rules.emplace(outline.number, *outline.rule);
  });
  const auto wants = [&](std::uint64_t number) {
    const auto found = rules.find(number);
    if (found == rules.end()) return false;
    const isa::RuleId rule = found->second;
    const isa::Effect effect = isa::FindRule(rule.text())->effect;
    return sides.kept[rule] == 0 ||
           (effect == isa::Effect::kReject && sides.alone[rule] == 0) ||
           (effect == isa::Effect::kNote && sides.noted[rule] == 0);
  };
  const diff::Target& oracle = diff::Oracle();
  ForEachSweepCase(slug, wants, [&](SweepCase&& swept) {
    const Outcome outcome = oracle.Run(swept.c).value();
    sides.kept[*swept.rule] += outcome.status == Outcome::Status::kExecuted;
    const auto broken = outcome.rules.value_or(std::vector<isa::RuleId>());
    if (broken.size() == 1) ++sides.alone[broken.front()];
    const auto notes = outcome.notes.value_or(std::vector<isa::RuleId>());
    for (isa::RuleId note : notes) ++sides.noted[note];
    return true;
  });
}

TEST(Sweep, EveryRuleOfTheCatalogueIsMetOnBothSides) {
  Sides all;
  for (std::string_view slug : SweepModules()) Look(slug, all);
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (isa::IsOfLint(rule)) continue;
    if (!rule.HoldsIn(isa::kNewestEdition)) continue;
    switch (rule.effect) {
      case isa::Effect::kReject:
        EXPECT_GT(all.alone[rule.id], 0) << rule.id.text() << " broken alone";
        EXPECT_GT(all.kept[rule.id], 0) << rule.id.text() << " kept";
        break;
      case isa::Effect::kNote:
        EXPECT_GT(all.noted[rule.id], 0) << rule.id.text() << " noted";
        break;
      case isa::Effect::kSemantics:
        EXPECT_GT(all.kept[rule.id], 0) << rule.id.text() << " executed";
        break;
      case isa::Effect::kHazard:
      case isa::Effect::kFail:
        break;
    }
  }
}

TEST(CoveringRows, EveryPairIsInARow) {
  const std::vector<std::size_t> classes = {3, 1, 7, 2, 5, 4};
  const auto rows = sweep::CoveringRows(classes, 0);
  EXPECT_LT(rows.size(), 60u) << "far fewer than all 840 combinations";
  EXPECT_EQ(rows, sweep::CoveringRows(classes, 0));
  EXPECT_NE(rows, sweep::CoveringRows(classes, 1));
  for (std::size_t p = 0; p < classes.size(); ++p) {
    for (std::size_t q = 0; q < p; ++q) {
      std::set<std::pair<std::size_t, std::size_t>> pairs;
      for (const auto& row : rows) {
        ASSERT_LT(row[p], classes[p]);
        pairs.emplace(row[p], row[q]);
      }
      EXPECT_EQ(pairs.size(), classes[p] * classes[q]) << p << " and " << q;
    }
  }
}

// ---- Samples ----------------------------------------------------------------

constexpr std::string_view kSlug = "vec_trans";

std::uint64_t One(const Case&) { return 1; }

std::map<std::string, std::vector<std::uint64_t>> NumbersByRule() {
  std::map<std::string, std::vector<std::uint64_t>> rules;
  ForEachSweepOutline(kSlug, [&](const SweepOutline& outline) {
    rules[std::string(outline.rule ? outline.rule->text() : "")].push_back(
        outline.number);
  });
  return rules;
}

TEST(SweepOutline, ShowsTheCasesThatAreMade) {
  std::vector<std::uint64_t> shown;
  ForEachSweepOutline(kSlug, [&](const SweepOutline& outline) {
    shown.push_back(outline.number);
  });
  std::vector<std::uint64_t> made;
  ForEachSweepCase(
      kSlug, [](std::uint64_t) { return true; },
      [&](SweepCase&& swept) {
        made.push_back(swept.number);
        return true;
      });
  EXPECT_EQ(shown, made);
}

TEST(DrawSample, HoldsSomeOfEachRule) {
  constexpr std::uint64_t kMost = 6;
  const Sample sample = DrawSample(kSlug, kMost, {}, One);
  std::uint64_t wanted = 0;
  std::uint64_t all = 0;
  for (const auto& [rule, numbers] : NumbersByRule()) {
    const auto held = std::ranges::count_if(
        numbers, [&](std::uint64_t n) { return sample.Holds(n); });
    EXPECT_EQ(static_cast<std::uint64_t>(held),
              std::min<std::uint64_t>(kMost, numbers.size()))
        << rule;
    wanted += std::min<std::uint64_t>(kMost, numbers.size());
    all += numbers.size();
  }
  EXPECT_EQ(sample.numbers.size(), wanted);
  EXPECT_EQ(sample.size, (SampleSize{kMost, wanted, all}));
  EXPECT_EQ(SampleText({6, 60, 300}), "a sample of 60 of 300 cases (20 %)");
  EXPECT_EQ(SampleText({1, 39, 225'322}),
            "a sample of 39 of 225322 cases (0.0173 %)");
  EXPECT_EQ(SampleText({1, 29'999, 30'000}),
            "a sample of 29999 of 30000 cases (99.9 %)");
  EXPECT_EQ(SampleText({1, 3, 3}), "a sample of 3 of 3 cases (100 %)");
  EXPECT_TRUE(SampleSize({1, 2, 3}).IsTooSmall());
  EXPECT_FALSE(SampleSize({1, 3, 3}).IsTooSmall());
  EXPECT_FALSE(SampleSize({1, 2, 3, true}).IsTooSmall());
}

TEST(DrawSample, IsSpreadOverAllOfARule) {
  constexpr std::uint64_t kMost = 8;
  const Sample sample = DrawSample(kSlug, kMost, {}, One);
  for (const auto& [rule, numbers] : NumbersByRule()) {
    if (numbers.size() < 2 * kMost) continue;
    // One in each eighth.
    for (std::uint64_t part = 0; part < kMost; ++part) {
      const auto from = part * numbers.size() / kMost;
      const auto to = (part + 1) * numbers.size() / kMost;
      EXPECT_EQ(
          std::count_if(numbers.begin() + static_cast<std::ptrdiff_t>(from),
                        numbers.begin() + static_cast<std::ptrdiff_t>(to),
                        [&](std::uint64_t n) { return sample.Holds(n); }),
          1)
          << rule << " part " << part;
    }
  }
}

TEST(DrawSample, HoldsWhatIsRequestedOnly) {
  const auto on_a3 = [](const Case& c) {
    return std::uint64_t{c.product == isa::Product::kAtlasA3 ? 2u : 0u};
  };
  const Sample sample = DrawSample(kSlug, 1'000'000, {}, on_a3);
  ASSERT_FALSE(sample.numbers.empty());
  EXPECT_EQ(sample.size.cases, 2 * sample.numbers.size());
  EXPECT_EQ(sample.size.of, sample.size.cases);
  ForEachSweepOutline(kSlug, [&](const SweepOutline& outline) {
    EXPECT_EQ(sample.Holds(outline.number), on_a3(outline.c) > 0);
  });
}

TEST(Sweep, AnUnknownModuleHasNothing) {
  EXPECT_EQ(ForEachSweepCase(
                "no", [](std::uint64_t) { return true; },
                [](SweepCase&&) { return true; }),
            0u);
}

// ---- Breakers ---------------------------------------------------------------

using namespace sweep;

Case Of(isa::Step step) {
  Case c;
  c.program = {isa::PipeBarrier{}, std::move(step)};
  return c;
}

std::int64_t MaskOf(const Case& c) {
  return std::get<isa::Call>(c.program.back())[isa::Param::kMask];
}

TEST(Set, RefusesAFieldOfAnotherForm) {
  const Case before = Of(isa::CallOf("Add"));  // the count form
  Case c = before;
  EXPECT_FALSE(Set("mask", 1)(c));
  EXPECT_FALSE(Set("mask", MaskWords{1, 0})(c));
  EXPECT_FALSE(Set("dstRepStride", 1)(c));
  EXPECT_EQ(c, before);
  EXPECT_TRUE(Set("count", 1)(c));
}

TEST(SetDeathTest, AMisspeltFieldIsAMistake) {
  Case c = Of(isa::CallOf("Add"));
  EXPECT_DEATH(Set("counts", 1)(c), "");
  EXPECT_DEATH(Set("dst.rows", 1)(c), "");
  EXPECT_DEATH(Set("count", isa::DType::kHalf)(c), "");
  EXPECT_DEATH(Plus("dtype", 1)(c), "");
}

TEST(Breaker, AppliesAllChangesOrRefuses) {
  const Breaker breaker{isa::CallRule::kMaskContiguous,
                        "129",
                        {Is("isSetMask", true), Set("mask", 129)}};
  isa::Call call = isa::CallOf("Min");
  call.form = isa::kMaskForm;
  Case c = Of(call);
  EXPECT_TRUE(breaker.Apply(c));
  EXPECT_EQ(MaskOf(c), 129);
  call.is_set_mask = false;
  c = Of(call);
  EXPECT_FALSE(breaker.Apply(c));
  EXPECT_EQ(MaskOf(c), 0);
}

}  // namespace
}  // namespace lanediff::make
