// The report files of every verb as a user gets them: valid by their schemas,
// and against a baseline.

#include <nlohmann/json.hpp>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;
using reports::test::FitsJunit;
using reports::test::FitsSchema;

constexpr const char* kSarif = "third_party/sarif-2.1.0-rtm.5.json";
constexpr const char* kFiles =
    " --json out.js --junit out.xml --sarif out.sarif ";

class Reports : public ProgramTest {
 protected:
  /// Checks that the files in `kFiles` are valid.
  void ExpectValid() const {
    EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "run.schema.json"));
    EXPECT_TRUE(FitsSchema(Slurp(In("out.sarif")), kSarif));
    EXPECT_TRUE(FitsJunit(Slurp(In("out.xml"))));
  }
  Json Sarif() const {
    return Json::parse(Slurp(In("out.sarif"))).at("runs").at(0);
  }
};

TEST_F(Reports, OfCheckAreValid) {
  WriteCaseAs("a.json");
  WriteCaseAs("b <&\"> \xff.json", "[35584]", "[1]");
  WriteCaseAs("c.json", "\"repeat\"", "\"r\\u0001\xe2\x82\xac\"");
  EXPECT_EQ(Lanediff(std::string("check .") + kFiles).status, 1);
  ExpectValid();
  const Json run = Sarif();
  EXPECT_EQ(run.at("results").size(), 2u) << "emulator and oracle";
  EXPECT_EQ(run.at("results")[0]
                .at("locations")[0]
                .at("physicalLocation")
                .at("artifactLocation")
                .at("uri"),
            "./b%20%3C%26%22%3E%20%FF.json");
  const Json& invocation = run.at("invocations")[0];
  EXPECT_EQ(invocation.at("exitCode"), 1);
  EXPECT_EQ(invocation.at("toolExecutionNotifications").size(), 1u);
}

TEST_F(Reports, OfAMutantAreValid) {
  const std::string corpus = LANEDIFF_SOURCE_DIR "/corpus/min";
  EXPECT_EQ(Lanediff("check " + corpus +
                     " --target mutant:min-repeat-256-accepted" + kFiles)
                .status,
            1);
  ExpectValid();
  EXPECT_GT(Sarif().at("results").size(), 0u);
}

TEST_F(Reports, OfSweepAreValid) {
  EXPECT_EQ(Lanediff(std::string("sweep --instruction vec_trans --shard 3/40") +
                     kFiles)
                .status,
            0);
  ExpectValid();
  EXPECT_EQ(Sarif().at("results").size(), 0u);
  EXPECT_EQ(Sarif().at("invocations")[0].at("exitCode"), 0);
}

TEST_F(Reports, OfFuzzAreValidAndKnowABaseline) {
  const std::string make =
      "mkdir -p bin corpus && cp " +
      CorpusFile("worked-saturates-at-65504-a2.json") +
      " corpus/ && printf '%s\\n' '#!/bin/sh' 'sed s/35584/35616/ "
      "corpus/*.json > $LANEDIFF_FUZZ_FINDINGS/new.json; echo \"seconds 1 "
      "cases 10 legal 6 nodes 60 findings 1\" > "
      "$LANEDIFF_FUZZ_STATS; exit 77' > bin/lanediff-fuzz-fake && chmod +x "
      "bin/lanediff-fuzz-fake";
  ASSERT_EQ(Shell(make).status, 0);
  const std::string fuzz =
      std::string("fuzz --fuzzers bin --jobs 1 --seed 5 --seconds 1") + kFiles;
  EXPECT_EQ(Lanediff(fuzz).status, 1);
  ExpectValid();
  EXPECT_EQ(Sarif().at("results").size(), 2u);
  const Result again = Lanediff(fuzz + "--baseline out.js");
  EXPECT_EQ(again.status, 1) << "it still disagrees";
  EXPECT_TRUE(Has(again.out,
                  "against out.js of emulator: 0 findings new, 0 gone, 0 "
                  "updated, 1 unchanged\n"))
      << again.out << again.err;
  ExpectValid();
  EXPECT_EQ(Sarif().at("results")[0].at("baselineState"), "unchanged");
}

TEST_F(Reports, CheckReportsWhatChangedSinceABaseline) {
  WriteCaseAs("a.json", "[35584]", "[1]");
  WriteCaseAs("b.json", "[35584]", "[2]");
  Spill(In("b.json"), reports::test::Replaced(Slurp(In("b.json")), "\"id\": \"",
                                              "\"id\": \"b/"));
  ASSERT_EQ(Lanediff("check a.json b.json --json old.js").status, 1);
  WriteCaseAs("a.json");
  const Result r = Lanediff(std::string("check . --baseline old.js") + kFiles);
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out,
                  "gone a.json expectation/repeat_reduce_sum/value/half\n"
                  "against old.js of emulator: 0 findings new, 1 gone, 1 "
                  "updated, 0 unchanged\n") ||
              Has(r.out, "1 gone, 0 updated, 1 unchanged\n"))
      << r.out;
  ExpectValid();
  const Json baseline = Json::parse(Slurp(In("out.js"))).at("changes");
  EXPECT_EQ(baseline.at("gone").size(), 1u);
  EXPECT_EQ(Sarif().at("results").back().at("baselineState"), "absent");
}

TEST_F(Reports, ABaselineChangesNoStatus) {
  WriteCaseAs("a.json", "[35584]", "[1]");
  EXPECT_EQ(Lanediff("check a.json --json all.js").status, 1);
  EXPECT_EQ(Lanediff("check a.json --baseline all.js").status, 1)
      << "nothing is new, but it disagrees";
  WriteCaseAs("a.json");
  EXPECT_EQ(Lanediff("check a.json --baseline all.js").status, 0);
}

TEST_F(Reports, OfMutantsAreValidAndKnowABaseline) {
  const std::string hunt =
      "mutants min-repeat-256-accepted --checker corpus "
      "--corpus " LANEDIFF_SOURCE_DIR
      "/corpus/min --json out.js --junit out.xml ";
  EXPECT_EQ(Lanediff(hunt).status, 0);
  EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "mutants.schema.json"));
  EXPECT_TRUE(FitsJunit(Slurp(In("out.xml"))));
  Spill(In("old.js"),
        reports::test::Replaced(Slurp(In("out.js")), "\"verdict\": \"found\"",
                                "\"verdict\": \"not found\""));
  const Result r = Lanediff(hunt + "--baseline old.js");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out,
                  "found now, not before: min-repeat-256-accepted\n"
                  "against old.js: 1 mutants found now and not before, 0 the "
                  "other way round, 0 unchanged\n"))
      << r.out;
  EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "mutants.schema.json"));
}

TEST_F(Reports, ABaselineThatIsNoneIs2BeforeAnythingIsRun) {
  WriteCaseAs("a.json");
  Spill(In("broken.js"), "{ \"format\": ");
  Spill(In("other.js"), R"({ "format": "lanediff-mutants/1" })");
  ASSERT_EQ(Lanediff("check a.json --json check.js").status, 0);
  ASSERT_EQ(Shell("mkdir bin && : > bin/lanediff-fuzz-fake && chmod +x "
                  "bin/lanediff-fuzz-fake && mkdir corpus && cp a.json corpus")
                .status,
            0);
  const std::pair<std::string, std::string> rows[] = {
      {"check a.json --baseline none.js",
       "--baseline: none.js: can't be read: No such file or directory\n"},
      {"check a.json --baseline broken.js",
       "--baseline: broken.js: /format: not JSON at byte "},
      {"check a.json --baseline other.js",
       "--baseline: other.js: /format: found \"lanediff-mutants/1\"; "
       "\"lanediff-run/1\" is allowed\n"},
      {"check a.json --baseline a.json", "--baseline: a.json: /format: found"},
      {"sweep --baseline check.js",
       "--baseline: check.js: /verb: found \"check\"; \"sweep\" is allowed\n"},
      {"fuzz --fuzzers bin --baseline check.js",
       "--baseline: check.js: /verb: found \"check\"; \"fuzz\" is allowed\n"},
      {"mutants --baseline check.js",
       "--baseline: check.js: /format: found \"lanediff-run/1\"; "},
  };
  for (const auto& [arguments, message] : rows) {
    const Result r = Lanediff(arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_TRUE(Has(r.err, message)) << arguments << ": " << r.err;
    EXPECT_EQ(r.err.find('\n'), r.err.size() - 1) << r.err;
  }
  EXPECT_FALSE(fs::exists(In("out"))) << "nothing is half done";
}

TEST_F(Reports, ASarifFileThatCantBeWrittenIs2) {
  WriteCaseAs("a.json");
  const Result r = Lanediff("check a.json --sarif /nonexistent/x.sarif");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err, "can't be written")) << r.err;
}

}  // namespace
}  // namespace lanediff::cli::test
