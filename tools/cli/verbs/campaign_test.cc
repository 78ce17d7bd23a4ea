// `lanediff campaign` and `lanediff index`, over what runs left.

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class Campaign : public ProgramTest {
 protected:
  void AddARun(const std::string& how) const {
    WriteCaseAs("a.json", "[35584]", "[1]");
    Expect(Shell("lanediff check a.json --json run.json; lanediff campaign " +
                 how + " run.json --date 2027-02-01"),
           0, {.out = {": added, 1 finding\n"}});
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
    Expect(Lanediff("campaign report --json r.json " + words), 0);
    const Json json = ReadJson("r.json");
    EXPECT_EQ(json.at("silentDays"), 5) << option;
    ExpectParts(Lanediff("campaign add run.json " + words).err,
                {"--silent-days is for list, report and bisect\n"});
  }
  for (const char* words : {"campaign --help", "completion man"}) {
    const std::string help = Lanediff(words).out;
    ExpectParts(help, {"silent"});
    ExpectNone(help, {"nights"});
  }
}

TEST_F(Campaign, WordsAndOptionsThatDoNotFitAreRefused) {
  AddARun("add");
  for (const auto& [words, message] : std::vector<Refusal>{
           {"ours lst",
            "found \"ours\"; add, list, report, bisect or the folder"},
           {"lst", "no word \"lst\", did you mean list?"},
           {"add run.json none.json --campaign nowhere",
            "none.json: not found"},
           {"campaign lst", "found \"lst\"; "},
           {"list nowhere", "nowhere: is no campaign; "},
           {"nowhere list", "nowhere/campaign.db: not found; "},
           {"ours --campaign other", "found \"ours\"; "},
           {"list --html page", "--html and --json are for report\n"},
           {"report --date 2027-02-01",
            "--date, --commit and --label are for add"},
           {"add a.json --build make", "are for bisect\n"},
           {"add", "what to add is missing; "},
           {"add run.json", "run.json: missing date; "},
           {"bisect",
            "one signature, as `lanediff campaign list` prints it"}}) {
    Expect(Lanediff("campaign " + words), 2, {.err = {message}});
    EXPECT_FALSE(fs::exists(In("page"))) << words;
    EXPECT_FALSE(fs::exists(In("nowhere"))) << words;
  }
}

TEST_F(Campaign, AReadOnlyFolderCanBeListed) {
  AddARun("ours add");
  // Root writes everywhere: become another user where that is possible.
  const std::string as =
      geteuid() == 0
          ? "setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "
          : "";
  if (Shell(as + "lanediff --help").status != 0) GTEST_SKIP() << "no setpriv";
  fs::permissions(In("ours"), fs::perms{0555});
  const Result list = Shell(as + "lanediff campaign list ours");
  const Result add = Shell(
      as + "lanediff campaign add run.json --date 2027-02-02 --campaign ours");
  fs::permissions(In("ours"), fs::perms{0755});
  Expect(list, 0, {.out = {"1 open; one day, 2027-02-01\n"}});
  Expect(add, 2,
         {.err = {"ours/campaign.db: can't be written: it or its folder is "
                  "read-only\n"}});
}

using Index = ProgramTest;

TEST_F(Index, IsAPageOrASummaryOfWhatStagesLeft) {
  WriteCaseAs("a.json", "[35584]", "[1]");
  Expect(Shell("mkdir out && lanediff check a.json --json out/replay.json "
               "--html out/replay; echo 'stage replay 1 2' > out/stages.txt"),
         0);
  const Result r = Lanediff("index out");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "out/index.html\n");
  const std::string page = Slurp(In("out/index.html"));
  EXPECT_TRUE(Has(page, "replay/index.html"));
  EXPECT_FALSE(Has(page, "sweep/index.html")) << "it did not run";
  fs::remove(In("out/index.html"));
  Expect(Lanediff("index out --summary"), 0,
         {.out = {"| replay | 1 found something | 2 | 1 cases, ",
                  "| replay | <code>expectation/"}});
  EXPECT_TRUE(fs::exists(In("out/index.html")));
}

/// Its object of broken rules is the largest that any document has.
TEST_F(Index, ReadsTheRatesOfManyGeneratedCases) {
  Expect(Shell("mkdir out && lanediff generate --check --max-cases 4000 --json "
               "out/generate.json >out/generate.txt && "
               "echo 'stage generate 0 2' > out/stages.txt"),
         0);
  Expect(Lanediff("index out"), 0);
  EXPECT_TRUE(Has(Slurp(In("out/index.html")), "trowprod"));
}

TEST_F(Index, ReportsWhatCantBeReadAndIsWritten) {
  Expect(Shell("mkdir out && echo 'stage fuzz 2 0' > out/stages.txt"), 0);
  const Result r = Lanediff("index out");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "lanediff: fuzz: fuzz.json is missing\n");
  EXPECT_TRUE(Has(Slurp(In("out/index.html")), "fuzz.json is missing"));
}

TEST_F(Index, WithoutStagesIs2) {
  Expect(Lanediff("index nowhere"), 2,
         {.err = {"lanediff: nowhere: not found"}});
  EXPECT_FALSE(fs::exists(In("nowhere")));
}

}  // namespace
}  // namespace lanediff::cli::test
