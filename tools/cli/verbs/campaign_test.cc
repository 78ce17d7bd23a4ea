#include <nlohmann/json.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class Campaign : public ProgramTest {
 protected:
  void AddARun(const std::string& how) const {
    WriteCaseAs("a.json", "[35584]", "[1]");
    const Result r =
        Shell("lanediff check a.json --json run.json; lanediff campaign " +
              how + " run.json --date 2027-02-01");
    ASSERT_EQ(r.status, 0) << r.err;
    ASSERT_TRUE(Has(r.out, ": added, 1 finding\n")) << r.out;
  }
};

TEST_F(Campaign, IsTheFolderThatIsNamedAnywhere) {
  AddARun("ours add");
  const std::string list = Lanediff("campaign list ours").out;
  EXPECT_TRUE(Has(list, "1 open; one day, 2027-02-01\n")) << list;
  for (const char* same :
       {"campaign ours list", "campaign list --campaign ours", "campaign ours",
        "campaign report ours"}) {
    const Result r = Lanediff(same);
    EXPECT_EQ(r.status, 0) << same << r.err;
    EXPECT_EQ(r.out, list) << same;
  }
  EXPECT_EQ(Shell("LANEDIFF_CAMPAIGN=ours lanediff campaign list").out, list);
  EXPECT_FALSE(fs::exists(In("campaign")));
}

TEST_F(Campaign, DefaultFolderIsCampaign) {
  AddARun("add");
  EXPECT_TRUE(fs::exists(In("campaign/campaign.db")));
  EXPECT_EQ(Lanediff("campaign list").out, Lanediff("campaign").out);
}

TEST_F(Campaign, ReportsANewOne) {
  const Result r = Lanediff("campaign ours");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(r.out.starts_with("ours: a new campaign; ")) << r.out;
  EXPECT_FALSE(Has(Lanediff("campaign ours").out, "new campaign"));
}

TEST_F(Campaign, SilentNightsIsAHiddenAliasOfSilentDays) {
  AddARun("add");
  for (const char* option : {"--silent-days", "--silent-nights"}) {
    const std::string words = std::string(option) + " 5";
    const Result r = Lanediff("campaign report --json r.json " + words);
    EXPECT_EQ(r.status, 0) << r.err;
    const auto json = nlohmann::json::parse(Slurp(In("r.json")));
    EXPECT_EQ(json.at("silentDays"), 5) << option;
    EXPECT_TRUE(Has(Lanediff("campaign add run.json " + words).err,
                    "--silent-days is for list, report and bisect\n"));
  }
  for (const char* words : {"campaign --help", "completion man"}) {
    const std::string help = Lanediff(words).out;
    EXPECT_TRUE(Has(help, "silent")) << words;
    EXPECT_FALSE(Has(help, "nights")) << words;
  }
}

TEST_F(Campaign, WordsAndOptionsThatDoNotFitAreRefused) {
  AddARun("add");
  const std::pair<const char*, const char*> rows[] = {
      {"ours lst", "found \"ours\"; add, list, report, bisect or the folder"},
      {"campaign lst", "found \"lst\"; "},
      {"list nowhere", "nowhere: is no campaign; "},
      {"nowhere list", "nowhere/campaign.db: is not there; "},
      {"ours --campaign other", "found \"ours\"; "},
      {"list --html page", "--html and --json are for report\n"},
      {"report --date 2027-02-01", "--date, --commit and --label are for add"},
      {"add a.json --build make", "are for bisect\n"},
      {"add", "what to add is missing; "},
      {"add run.json", "run.json: missing date; "},
      {"bisect", "one signature, as `lanediff campaign list` prints it"}};
  for (const auto& [words, message] : rows) {
    const Result r = Lanediff(std::string("campaign ") + words);
    EXPECT_EQ(r.status, 2) << words;
    EXPECT_TRUE(Has(r.err, message)) << words << ": " << r.err;
    EXPECT_FALSE(fs::exists(In("page"))) << words;
    EXPECT_FALSE(fs::exists(In("nowhere"))) << words;
  }
}

}  // namespace
}  // namespace lanediff::cli::test
