#include <set>

#include "tools/history/testing.h"
#include "tools/history/timeline.h"

namespace lanediff::campaign::test {
namespace {

class FiguresTest : public CampaignTest {
 protected:
  /// Whether all orders of adding give the same; the report is kept.
  bool IsTheSameInAnyOrder(
      std::vector<std::pair<std::string, std::string>> texts) {
    std::ranges::sort(texts);
    std::set<std::string> reports;
    int number = 0;
    do {
      const std::string name = std::to_string(++number) + ".db";
      for (const auto& [text, date] : texts) AddText(text, date, name);
      record_ = History(name);
      reports.insert(reports::CampaignJson(record_));
    } while (std::ranges::next_permutation(texts).found);
    return reports.size() == 1;
  }

  reports::CampaignRecord record_;
};

TEST_F(FiguresTest, RatesOfShardsDependOnNoOrder) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (int i = 0; i < 3; ++i) {
    const Document document = {
        .verb = "fuzz", .cases = 7, .seconds = 0.1 * (i + 1)};
    texts.emplace_back(ShardText(document, Day(1), i, 3), "");
  }
  EXPECT_TRUE(IsTheSameInAnyOrder(texts));
  ASSERT_EQ(record_.rates.size(), 1u);
  EXPECT_NEAR(record_.rates[0].cases, 35, 1e-9);
}

TEST_F(FiguresTest, CoverageOfRunsOfADateDependsOnNoOrder) {
  const Document ten = {.verb = "fuzz", .bins = 10, .holes = {"a", "b"}};
  const Document twelve = {.verb = "fuzz", .bins = 12, .holes = {"c"}};
  EXPECT_TRUE(
      IsTheSameInAnyOrder({{ten.Text(), Day(1)}, {twelve.Text(), Day(1)}}));
  EXPECT_EQ(record_.coverage.size(), 1u);
}

TEST_F(FiguresTest, BinsBeginAgainWhereTheirNumberChangesAndCasesGoOn) {
  Add(1, {.verb = "fuzz", .bins = 10, .holes = {"a", "b"}});
  Add(2, {.verb = "fuzz", .bins = 10, .holes = {"b", "c"}});
  Add(3, {.verb = "fuzz", .bins = 12, .holes = {"c"}});
  const auto coverage = History().coverage;
  ASSERT_EQ(coverage.size(), 3u);
  EXPECT_EQ(coverage[1].reached, 9u);
  EXPECT_EQ(coverage[2].reached, 11u);
  EXPECT_EQ(coverage[2].cases, 300u);
}

}  // namespace
}  // namespace lanediff::campaign::test
