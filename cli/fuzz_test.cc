// `lanediff fuzz` with shell scripts in place of the fuzz programs, so that
// every way in which such a program can end is seen.

#include <gtest/gtest.h>

#include <string>

#include "cli/testing.h"

namespace lanediff::cli::test {
namespace {

class FuzzVerb : public ProgramTest {
 protected:
  /// Runs `lanediff fuzz` with one fuzz program that does `body`.
  Result Fuzz(const std::string& body, const std::string& options = "",
              const std::string& before = "") {
    return Shell(
        "mkdir -p bin corpus && cp " +
        CorpusFile("worked-saturates-at-65504-a2.json") +
        " corpus/ && printf '%s\\n' '#!/bin/sh' '" + body +
        "' > bin/lanediff-fuzz-fake && chmod +x bin/lanediff-fuzz-fake "
        "&& " +
        before + "lanediff fuzz --fuzzers bin --seconds 1 --jobs 1 --seed 5 " +
        options);
  }

  static constexpr std::string_view kStats =
      "echo \"seconds 1 cases 10 legal 6 nodes 60 oracle_seconds 0.1 findings "
      "0\" > $LANEDIFF_FUZZ_STATS; ";
  static constexpr std::string_view kFindingStats =
      "echo \"seconds 1 cases 10 legal 6 nodes 60 oracle_seconds 0.1 findings "
      "1\" > $LANEDIFF_FUZZ_STATS; ";
  /// Saves a case that expects what neither side computes.
  static constexpr std::string_view kSaveFinding =
      "sed s/35584/35616/ corpus/*.json > $LANEDIFF_FUZZ_FINDINGS/new.json; ";
};

TEST_F(FuzzVerb, NothingFoundIsZeroAndSaysHowMuchWasCompared) {
  const Result r = Fuzz(std::string(kStats));
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "10 cases")) << r.out;
  EXPECT_TRUE(Has(r.out, "60.0 % legal")) << r.out;
}

TEST_F(FuzzVerb, FindingIsOneAndNamesTheCommand) {
  const Result r =
      Fuzz(std::string(kSaveFinding) + std::string(kFindingStats) + "exit 77",
           "--junit out/fuzz.xml --json out/fuzz.json");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "reproduce: lanediff check out/findings/new.json"))
      << r.out;
  EXPECT_TRUE(Has(Slurp(In("out/fuzz.xml")), "<failure"));
  EXPECT_TRUE(Has(Slurp(In("out/fuzz.json")), "\"disagree\""));
}

TEST_F(FuzzVerb, CrashWithoutFindingIsThree) {
  const Result r = Fuzz(std::string(kStats) + "exit 77");
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "status 77")) << r.out;
}

TEST_F(FuzzVerb, NothingComparedIsTwo) {
  const Result r = Fuzz("exit 0");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "nothing was compared")) << r.err;
}

TEST_F(FuzzVerb, InterruptKeepsWhatWasFound) {
  const Result r = Fuzz(std::string(kSaveFinding) + std::string(kFindingStats) +
                            "trap \"exit 72\" INT; while :; do sleep 0.1; done",
                        "", "timeout --foreground -s INT 2 ");
  EXPECT_TRUE(Has(r.err, "interrupted; 1 findings are kept in out/findings"))
      << r.out << r.err;
  EXPECT_FALSE(Slurp(In("out/findings/new.json")).empty());
}

TEST_F(FuzzVerb, SeedsAndShardReachTheProgram) {
  const std::string body =
      std::string(kStats) +
      "echo \"$@\" > ../arguments; ls ${11} >> ../arguments";
  ASSERT_EQ(Fuzz(body, "--shard 0/4").status, 0);
  const std::string first = Slurp(In("../arguments"));
  ASSERT_EQ(Fuzz(body, "--shard 3/4").status, 0);
  EXPECT_TRUE(Has(first, "-seed=")) << first;
  EXPECT_TRUE(first.ends_with("\n0\n")) << "no seed input: " << first;
  EXPECT_NE(first, Slurp(In("../arguments"))) << "shards share a seed";
}

TEST_F(FuzzVerb, BadOptionsAreTwo) {
  EXPECT_EQ(Fuzz("exit 0", "--shard 4/4").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--shard x").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--instruction nothing").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--corpus nowhere").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--out bin/lanediff-fuzz-fake").status, 2);
}

}  // namespace
}  // namespace lanediff::cli::test
