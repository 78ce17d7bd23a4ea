#include "generators/boundary/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "generators/boundary/sweep.h"

namespace lanediff::make {
namespace {

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

TEST(DrawSample, ShardsAreTheSampleTogether) {
  const Sample whole = DrawSample(kSlug, 7, {}, One);
  SampleSize sum;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Sample part = DrawSample(kSlug, 7, {.index = i, .count = 3}, One);
    sum.Add(part.size);
    numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
  }
  std::ranges::sort(numbers);
  EXPECT_EQ(numbers, whole.numbers);
  EXPECT_EQ(sum, whole.size);
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

}  // namespace
}  // namespace lanediff::make
