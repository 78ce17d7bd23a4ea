#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Index = ProgramTest;

TEST_F(Index, IsAPageOverWhatStagesLeft) {
  WriteCaseAs("a.json", "[35584]", "[1]");
  ASSERT_EQ(Shell("mkdir out && lanediff check a.json --json out/replay.json "
                  "--html out/replay; echo 'stage replay 1 2' > out/stages.txt")
                .status,
            0);
  const Result r = Lanediff("index out");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "out/index.html\n");
  const std::string page = Slurp(In("out/index.html"));
  EXPECT_TRUE(Has(page, "replay/index.html"));
  EXPECT_FALSE(Has(page, "sweep/index.html")) << "it did not run";
}

TEST_F(Index, ItsSummaryNamesFindingsBySignature) {
  WriteCaseAs("a.json", "[35584]", "[2]");
  ASSERT_EQ(Shell("mkdir out && lanediff check a.json --json out/replay.json; "
                  "echo 'stage replay 1 2' > out/stages.txt")
                .status,
            0);
  const Result r = Lanediff("index out --summary");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out, "| replay | 1 found something | 2 | 1 cases, "))
      << r.out;
  EXPECT_TRUE(Has(r.out, "| replay | <code>expectation/")) << r.out;
  EXPECT_TRUE(fs::exists(In("out/index.html")));
}

/// Its object of broken rules is the largest that any document has.
TEST_F(Index, ReadsTheRatesOfManyGeneratedCases) {
  ASSERT_EQ(Shell("mkdir out && lanediff generate --check --count 4000 --json "
                  "out/generate.json >out/generate.txt && "
                  "echo 'stage generate 0 2' > out/stages.txt")
                .status,
            0);
  const Result r = Lanediff("index out");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(Slurp(In("out/index.html")), "trowprod"));
}

TEST_F(Index, ReportsWhatCantBeReadAndIsWritten) {
  ASSERT_EQ(Shell("mkdir out && echo 'stage fuzz 2 0' > out/stages.txt").status,
            0);
  const Result r = Lanediff("index out");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "lanediff: fuzz: fuzz.json is missing\n");
  EXPECT_TRUE(Has(Slurp(In("out/index.html")), "fuzz.json is missing"));
}

TEST_F(Index, WithoutStagesIs2) {
  const Result r = Lanediff("index nowhere");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err, "nowhere/stages.txt: can't be read")) << r.err;
  EXPECT_FALSE(fs::exists(In("nowhere")));
}

}  // namespace
}  // namespace lanediff::cli::test
