// What a hunt for mutants came to, as a user is told.

#include <nlohmann/json.hpp>

#include "cli/testing.h"
#include "reports/schema_testing.h"

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

TEST_F(MutantsVerb, CutOffByTheClockIs2AndSaysSo) {
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

}  // namespace
}  // namespace lanediff::cli::test
