// The result of a hunt for mutants, as printed; `shrink` on mutants.

#include "differential/compare/check.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {
using reports::test::FitsJunit;
using reports::test::FitsSchema;

constexpr const char* kReports =
    " --json out.js --junit out.xml --html page --corpus cases";
constexpr const char* kCase = "/corpus/vec_trans/repeat-4096-rejected.json";
/// The case finds the one and not the other.
const std::string kFound = "vt-repeat-4096-accepted";
const std::string kMissed = "vt-loses-minus-zero";

class MutantsVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    fs::create_directories(In("cases"));
    fs::copy(std::string(LANEDIFF_SOURCE_DIR) + kCase, In("cases"));
    Script("laws", "exec sleep 60");
  }
  Result Hunt(const std::string& arguments) const {
    return Lanediff("mutants " + arguments + kReports);
  }
  Json Report() const {
    EXPECT_TRUE(FitsSchema(Slurp(In("out.js")), "mutants.schema.json"));
    EXPECT_TRUE(FitsJunit(Slurp(In("out.xml"))));
    return ReadJson("out.js");
  }
};

TEST_F(MutantsVerb, NotFoundIs1) {
  Expect(
      Hunt(kMissed + " --checker expectations,corpus"), 1,
      {.out = {kMissed + "  not found  VT-BITS  ", "\n  makes 0x8000 0x0000\n",
               ": 0 of 1 found, 1 not found in "}});
  const Json report = Report();
  ExpectMembers(report,
                {{"/complete", true}, {"/mutants/0/verdict", "not found"}});
  EXPECT_TRUE(Has(Slurp(In("out.xml")), "<failure "));
}

TEST_F(MutantsVerb, CutOffByTheClockIs2AndReported) {
  Expect(Hunt(kMissed +
              " --checker corpus,properties --properties ./laws --seconds 1"),
         2,
         {.out = {kMissed + "  not finished  VT-BITS  ",
                  "\n  makes 0x8000 0x0000\n",
                  ": 0 of 1 found, 1 not finished in "}});
  const Json report = Report();
  ExpectMembers(report, {{"/complete", false},
                         {"/summary/notFound", 0},
                         {"/summary/notFinished", 1},
                         {"/mutants/0/verdict", "not finished"}});
  ExpectParts(Slurp(In("out.xml")), {"<error "});
  ExpectNone(Slurp(In("out.xml")), {"<failure "});
  EXPECT_TRUE(Has(Slurp(In("page/index.html")),
                  "\"reasons\":[\"1 hunt was not finished\"]"));
}

TEST_F(MutantsVerb, ACheckerThatCantRunLeavesItOpen) {
  Expect(Hunt(kMissed + " --checker corpus,properties --properties ./none"), 2,
         {.out = {"; ./none can't be started\n"}});
  ExpectMembers(Report(), {{"/mutants/0/verdict", "not finished"}});
}

TEST_F(MutantsVerb, WhatIsFoundIsLeftToNoOtherChecker) {
  const std::string hunt =
      kFound +
      " --checker expectations,properties --properties ./laws --seconds 1";
  Expect(Hunt(hunt), 0,
         {.out = {"properties: 0 of 0 found, 0 cases on mutants; 1 left out, "
                  "found before\n"}});
  EXPECT_EQ(Report().at("mutants")[0].at("checkers")[1].at("leftOut"), true);
  EXPECT_EQ(Hunt(hunt + " --every-checker").status, 0)
      << "found, whatever became of the others";
  const Json laws = Report().at("mutants")[0].at("checkers")[1];
  ExpectMembers(laws, {{"/leftOut", false}, {"/capped", true}});
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
  const std::string both = kMissed + " " + kFound;
  const std::string missed = begin + "0/1 expectations 1\n0/1 corpus 1\n";
  Expect(run(both, missed), 1,
         {.out = {"floor: corpus alone: 1 of 2 found\n"},
          .not_out = {"expected at most"}});
  Expect(run(both, begin + "0/1 expectations 0\n0/1 corpus 1\n"), 1,
         {.out = {"floor: expectations alone: 1 of 2 found; expected at most 0 "
                  "missed, found 1\n"}});
  // Where all is found, the floor alone decides.
  EXPECT_EQ(run(kFound, begin + "0/1 corpus 0\n").status, 0);
  Expect(run(kFound, missed), 0,
         {.out = {"; the floor rises: floor.txt allows 1 missed, found 0\n"}});
  // What a clock cut off is neither.
  Expect(Hunt(kFound +
              " --checker corpus,properties --properties ./laws --seconds 1 "
              "--every-checker --floor floor.txt"),
         2, {.err = {"1 hunt of single checkers not finished"}});
  for (const auto& [floor, words] : std::vector<Refusal>{
           {"", "floor.txt: expected lines of shard 0/1, found none"},
           {"seed one cases 2\n", "floor.txt:1: expected \"seed N cases N\""},
           {"seed 2 cases 20000\n0/1 corpus 0\n",
            "is of --seed 2 --max-cases 2"},
           {begin + "0/1 corpus\n", "floor.txt:3: expected \"SHARD CHECKER"},
           {begin + "0/1 eyes 1\n", "floor.txt:3: found checker \"eyes\""},
           {begin + "0/1 corpus 1\n0/1 corpus 2\n",
            "floor.txt:4: expected each checker of a shard once"},
           {begin + "1/2 corpus 1\n", "expected lines of shard 0/1"}}) {
    Expect(run(kFound, floor), 2, {.err = {"--floor: ", words}});
  }
  EXPECT_EQ(Hunt(kFound + " --floor floor.txt").status, 2)
      << "without --every-checker";
}

TEST_F(MutantsVerb, WhatTheOracleExpectsIsNoExpectation) {
  const std::string file = In("cases") / "repeat-4096-rejected.json";
  const auto by = [&](const char* tool) {
    Json c = Json::parse(Slurp(std::string(LANEDIFF_SOURCE_DIR) + kCase));
    c["origin"]["tool"] = tool;
    Spill(file, c.dump());
    return Hunt(kFound + " --checker expectations").status;
  };
  EXPECT_EQ(by("hand"), 0);
  EXPECT_EQ(by("published"), 0);
  EXPECT_EQ(by("script/expectations"), 0);
  EXPECT_EQ(by("oracle"), 1);
  EXPECT_EQ(by("lanediff-fuzz-min"), 1);
}

TEST_F(MutantsVerb, JudgesByTheEditionThatIsNamed) {
  // What only an older edition refuses; new cases are of the newest.
  const std::string hunt =
      "min-edition-ignored --checker baseline,properties --max-cases 100 "
      "--every-checker --properties ./laws";
  Script("laws",
         "echo 7 > $LANEDIFF_PROPERTY_STATS\n"
         "test $LANEDIFF_PROPERTY_EDITION = 2026");
  Expect(Hunt(hunt), 1, {.out = {" s, edition 2026\n"}});
  Expect(Hunt(hunt + " --edition 2024"), 0, {.out = {" s, edition 2024\n"}});
  const Json report = Report();
  EXPECT_EQ(report.at("edition"), "2024");
  for (const Json& checker : report.at("mutants")[0].at("checkers")) {
    EXPECT_TRUE(checker.at("foundAfter")[0].is_number()) << checker;
    if (checker.at("checker") == "properties") {
      EXPECT_EQ(checker.at("foundAfter")[0], 7);
    }
  }
  ExpectParts(Slurp(In("out.xml")),
              {"<property name=\"edition\" value=\"2024\""});
  // A case of the corpus has its own.
  ExpectParts(Hunt(kFound + " --checker corpus --edition 2024").out,
              {" s, edition 2024\n"});
}

class ShrinkVerb : public ProgramTest {
 protected:
  Result Shrink(const std::string& arguments) const {
    return Lanediff("shrink " + arguments +
                    " --target mutant:rrs-saturation-missing");
  }
};

TEST_F(ShrinkVerb, WritesASmallerCaseBesideTheOldOne) {
  WriteCaseAs("case.json");
  const std::string before = Slurp(In("case.json"));
  const Result r = Shrink("case.json");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(Slurp(In("case.json")), before);
  const std::string out = "case.shrunk.json";
  ExpectParts(
      r.out,
      {std::string("\nsignature: memory/repeat_reduce_sum/saturation/half\n"),
       std::string("\nbefore: 1 step, 1 iteration, 196608 bytes, 4 non-zero "),
       std::string("\nafter: 1 step, 1 iteration, "), std::string("\nran "),
       std::string(" candidates in "), "\nsaved: " + out + "\n",
       "\nreproduce: lanediff check " + out +
           " --target mutant:rrs-saturation-missing\n"});
  const auto c = ReadCaseFile(In(out));
  ASSERT_TRUE(c) << c.error();
  EXPECT_EQ(c->origin->signature, "memory/repeat_reduce_sum/saturation/half");
  EXPECT_EQ(Lanediff("check case.shrunk.json").status, 0)
      << "the sound emulator does what is expected";
  const auto findings =
      diff::CheckCase(*c, **diff::FindTarget("mutant:rrs-saturation-missing"),
                      **diff::FindTarget("oracle"))
          .findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().signature, c->origin->signature);
}

TEST_F(ShrinkVerb, WritesToItsOutputEvenOverTheOldOne) {
  WriteCaseAs("case.json");
  EXPECT_EQ(Shrink("case.json -o new.json").status, 0);
  EXPECT_TRUE(fs::exists(In("new.json")));
  EXPECT_FALSE(fs::exists(In("case.shrunk.json")));
  EXPECT_EQ(Shrink("case.json -o case.json").status, 0);
  EXPECT_EQ(Slurp(In("case.json")), Slurp(In("new.json")));
}

TEST_F(ShrinkVerb, ReportsWhenTheLimitEndedIt) {
  WriteCaseAs("case.json");
  Expect(Shrink("case.json --max-cases 3"), 0,
         {.out = {"\nran 3 candidates in ", "; the limit ended it\n"}});
}

TEST_F(ShrinkVerb, ACaseWithoutAFindingIs2AndOneLine) {
  WriteCaseAs("case.json");
  WriteCaseAs("expect.json", "[35584]", "[1]");
  WriteCaseAs("bad.json", "\"repeat\"", "\"repeats\"");
  ExpectAllRefused(
      {{"shrink case.json",
        "case.json: both sides agree; there is nothing to shrink"},
       {"shrink expect.json",
        "expect.json: both sides agree and only the expectation "},
       {"shrink bad.json", "bad.json: /program/0"},
       {"shrink none.json", "none.json: not found"},
       {"shrink case.json --target oracle", "can't differ"},
       {"shrink case.json --target no", "--target: no target \"no\""},
       {"shrink case.json --reference no", "--reference: no target \"no\""},
       {"shrink case.json --max-cases -1", "--max-cases"},
       {"shrink", "CASE is required"}});
  EXPECT_FALSE(fs::exists(In("case.shrunk.json")));
  EXPECT_FALSE(fs::exists(In("expect.shrunk.json")));
}

TEST_F(ShrinkVerb, APlaceThatCantBeWrittenIs2) {
  WriteCaseAs("case.json");
  ExpectRefused(Shrink("case.json -o none/new.json"), "new.json");
}

TEST_F(ShrinkVerb, SavesTheEditionByWhichTheCaseIsJudged) {
  Spill(In("min.json"), R"({"format": "lanediff-case/1", "id": "min/a3",
    "product": "atlas-a3", "memory": {"UB": {"fill": "00", "regions": []}},
    "program": [{"op": "Min", "dtype": "half", "count": 64,
      "dst": {"position": "VECOUT", "at": 512, "bytes": 128},
      "src0": {"position": "VECIN", "at": 0, "bytes": 128},
      "src1": {"position": "VECIN", "at": 256, "bytes": 128}}]})");
  const std::string planted = " --target mutant:min-edition-ignored";
  EXPECT_EQ(Lanediff("shrink min.json" + planted).status, 2);
  Expect(Lanediff("shrink min.json -o s.json --edition 2024" + planted), 0,
         {.out = {"\nedition: 2024\n"}});
  EXPECT_TRUE(Has(Slurp(In("s.json")), "\"edition\": \"2024\""));
  EXPECT_EQ(Lanediff("check s.json" + planted).status, 1);
  // Of a file of the other edition the command has the option.
  Expect(Lanediff("check min.json --edition 2024" + planted), 1,
         {.out = {"reproduce: lanediff check min.json" + planted +
                  " --edition 2024\n"}});
}

}  // namespace
}  // namespace lanediff::cli::test
