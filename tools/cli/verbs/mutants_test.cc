// The result of a hunt for mutants, as printed.

#include <nlohmann/json.hpp>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;
using reports::test::FitsJunit;
using reports::test::FitsSchema;

constexpr const char* kReports =
    " --json out.js --junit out.xml --html page --corpus cases";
constexpr const char* kCase = "/corpus/vec_trans/repeat-4096-rejected.json";
/// The case finds the one and not the other.
constexpr const char* kFound = "vt-repeat-4096-accepted";
constexpr const char* kMissed = "vt-loses-minus-zero";

class MutantsVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    fs::create_directories(In("cases"));
    fs::copy(std::string(LANEDIFF_SOURCE_DIR) + kCase, In("cases"));
    Spill(In("laws"), "#!/bin/sh\nexec sleep 60\n");
    fs::permissions(In("laws"), fs::perms::owner_all);
  }
  Result Hunt(const std::string& arguments) const {
    return Lanediff("mutants " + arguments + kReports);
  }
  Json Report() const {
    EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "mutants.schema.json"));
    EXPECT_TRUE(FitsJunit(Slurp(In("out.xml"))));
    return Json::parse(Slurp(In("out.js")));
  }
};

TEST_F(MutantsVerb, NotFoundIs1) {
  const Result r =
      Hunt(std::string(kMissed) + " --checker expectations,corpus");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "VT-BITS  NOT FOUND: makes 0x8000 0x0000\n")) << r.out;
  EXPECT_TRUE(Has(r.out, ": 0 of 1 found, 1 not found in ")) << r.out;
  const Json report = Report();
  EXPECT_EQ(report.at("complete"), true);
  EXPECT_EQ(report.at("mutants")[0].at("verdict"), "not found");
  EXPECT_TRUE(Has(Slurp(In("out.xml")), "<failure "));
}

TEST_F(MutantsVerb, CutOffByTheClockIs2AndReported) {
  const Result r = Hunt(std::string(kMissed) +
                        " --checker corpus,properties --properties ./laws "
                        "--seconds 1");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "VT-BITS  NOT FINISHED: makes 0x8000 0x0000\n"))
      << r.out;
  EXPECT_TRUE(Has(r.out, ": 0 of 1 found, 1 not finished in ")) << r.out;
  const Json report = Report();
  EXPECT_EQ(report.at("complete"), false);
  EXPECT_EQ(report.at("summary").at("notFound"), 0);
  EXPECT_EQ(report.at("summary").at("notFinished"), 1);
  EXPECT_EQ(report.at("mutants")[0].at("verdict"), "not finished");
  EXPECT_FALSE(Has(Slurp(In("out.xml")), "<failure "));
  EXPECT_TRUE(Has(Slurp(In("out.xml")), "<error "));
  EXPECT_TRUE(Has(Slurp(In("page/index.html")), "\"complete\": false"));
}

TEST_F(MutantsVerb, ACheckerThatCantRunLeavesItOpen) {
  const Result r = Hunt(std::string(kMissed) +
                        " --checker corpus,properties --properties ./none");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "; ./none can't be started\n")) << r.out;
  EXPECT_EQ(Report().at("mutants")[0].at("verdict"), "not finished");
}

TEST_F(MutantsVerb, WhatIsFoundIsLeftToNoOtherChecker) {
  const std::string hunt =
      std::string(kFound) +
      " --checker expectations,properties --properties ./laws --seconds 1";
  const Result r = Hunt(hunt);
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out,
                  "properties: 0 of 0 found, 0 cases on mutants; 1 left "
                  "out, found before\n"))
      << r.out;
  EXPECT_EQ(Report().at("mutants")[0].at("checkers")[1].at("leftOut"), true);
  EXPECT_EQ(Hunt(hunt + " --every-checker").status, 0)
      << "found, whatever became of the others";
  const Json laws = Report().at("mutants")[0].at("checkers")[1];
  EXPECT_EQ(laws.at("leftOut"), false);
  EXPECT_EQ(laws.at("capped"), true);
}

TEST_F(MutantsVerb, EachCheckerIsHeldAgainstItsFloor) {
  const std::string begin = "# c\nseed 1 cases 20000\n";
  const auto run = [&](const std::string& names, const std::string& floor,
                       const std::string& more = "") {
    Spill(In("floor.txt"), floor);
    return Hunt(names +
                " --checker expectations,corpus --every-checker --floor "
                "floor.txt " +
                more);
  };
  const std::string both = std::string(kMissed) + " " + kFound;
  const std::string missed = begin + "0/1 expectations 1\n0/1 corpus 1\n";
  const Result same = run(both, missed);
  EXPECT_TRUE(Has(same.out, "floor: corpus alone: 1 of 2 found\n")) << same.out;
  EXPECT_FALSE(Has(same.out, "expected at most")) << same.out;
  const Result fell = run(both, begin + "0/1 expectations 0\n0/1 corpus 1\n");
  EXPECT_EQ(fell.status, 1);
  EXPECT_TRUE(Has(fell.out,
                  "floor: expectations alone: 1 of 2 found; expected "
                  "at most 0 missed, found 1\n"))
      << fell.out;
  // Where all is found, the floor alone decides.
  EXPECT_EQ(run(kFound, begin + "0/1 corpus 0\n").status, 0);
  const Result rose = run(kFound, missed);
  EXPECT_EQ(rose.status, 0) << rose.err;
  EXPECT_TRUE(Has(rose.out,
                  "; the floor rises: floor.txt allows 1 missed, "
                  "found 0\n"))
      << rose.out;
  // What a clock cut off is neither.
  const Result cut = Hunt(std::string(kFound) +
                          " --checker corpus,properties --properties ./laws "
                          "--seconds 1 --every-checker --floor floor.txt");
  EXPECT_EQ(cut.status, 2) << cut.out;
  EXPECT_TRUE(Has(cut.err, "1 hunt of single checkers not finished"))
      << cut.err;
  for (const auto& [floor, words] :
       std::vector<std::pair<std::string, std::string>>{
           {"", "floor.txt: expected lines of shard 0/1, found none"},
           {"seed one cases 2\n", "floor.txt:1: expected \"seed N cases N\""},
           {"seed 2 cases 20000\n0/1 corpus 0\n", "is of --seed 2 --cases 2"},
           {begin + "0/1 corpus\n", "floor.txt:3: expected \"SHARD CHECKER"},
           {begin + "0/1 eyes 1\n", "floor.txt:3: found checker \"eyes\""},
           {begin + "0/1 corpus 1\n0/1 corpus 2\n",
            "floor.txt:4: expected each checker of a shard once"},
           {begin + "1/2 corpus 1\n", "expected lines of shard 0/1"}}) {
    const Result r = run(kFound, floor);
    EXPECT_EQ(r.status, 2) << floor;
    EXPECT_TRUE(Has(r.err, "--floor: ")) << r.err;
    EXPECT_TRUE(Has(r.err, words)) << r.err;
  }
  EXPECT_EQ(Hunt(std::string(kFound) + " --floor floor.txt").status, 2)
      << "without --every-checker";
}

TEST_F(MutantsVerb, WhatTheOracleExpectsIsNoExpectation) {
  const std::string file = In("cases") / "repeat-4096-rejected.json";
  const auto by = [&](const char* tool) {
    Json c = Json::parse(Slurp(std::string(LANEDIFF_SOURCE_DIR) + kCase));
    c["origin"]["tool"] = tool;
    Spill(file, c.dump());
    return Hunt(std::string(kFound) + " --checker expectations").status;
  };
  EXPECT_EQ(by("hand"), 0);
  EXPECT_EQ(by("published"), 0);
  EXPECT_EQ(by("script/expectations"), 0);
  EXPECT_EQ(by("oracle"), 1);
  EXPECT_EQ(by("lanediff-fuzz-min"), 1);
}

TEST_F(MutantsVerb, SecondsOutOfRangeIsOneLine) {
  for (const char* const seconds : {"-1", "1000000001", "x", "1.5"}) {
    const Result r = Hunt(std::string("--seconds ") + seconds);
    EXPECT_EQ(r.status, 2) << seconds;
    EXPECT_EQ(r.out, "") << seconds;
    EXPECT_TRUE(Has(r.err, "--seconds")) << r.err;
    EXPECT_FALSE(fs::exists(In("out.js")));
  }
}

TEST_F(MutantsVerb, JudgesByTheEditionThatIsNamed) {
  // What only an older edition refuses; new cases are of the newest.
  const std::string hunt =
      "min-edition-ignored --checker baseline,properties --cases 100 "
      "--every-checker --properties ./laws";
  Spill(In("laws"),
        "#!/bin/sh\necho cases 1 > $LANEDIFF_PROPERTY_STATS\n"
        "test $LANEDIFF_PROPERTY_EDITION = 2026\n");
  Result r = Hunt(hunt);
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, " s, edition 2026\n")) << r.out;
  r = Hunt(hunt + " --edition 2024");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, " s, edition 2024\n")) << r.out;
  const Json report = Report();
  EXPECT_EQ(report.at("edition"), "2024");
  for (const Json& checker : report.at("mutants")[0].at("checkers")) {
    EXPECT_TRUE(checker.at("foundAfter")[0].is_number()) << checker;
  }
  EXPECT_TRUE(
      Has(Slurp(In("out.xml")), "<property name=\"edition\" value=\"2024\""));
  // A case of the corpus has its own.
  r = Hunt(std::string(kFound) + " --checker corpus --edition 2024");
  EXPECT_TRUE(Has(r.out, " s, edition 2024\n")) << r.out << r.err;
}

}  // namespace
}  // namespace lanediff::cli::test
