// Runs `lanediff sweep`, `generate` and `coverage` as a user does.

#include "isa/catalogue.h"
#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using SweepVerb = ProgramTest;

TEST_F(SweepVerb, AShardAgreesAndCountsWhatItDid) {
  const Result r = Lanediff(
      "sweep --instruction vec_trans --shard 3/40 --json run.js --junit "
      "run.xml --verbose");
  Expect(r, 0,
         {.out = {"swept vec_trans: ", "  VT-OVERLAP: broken alone ",
                  "rules never reached by this shard: ",
                  " 0 disagree, 0 unsupported, 0 malformed"}});

  const Json json = ReadJson("run.js");
  ASSERT_EQ(json.at("sweeps").size(), 2u);
  const auto& sweep = json.at("sweeps").at(0);
  EXPECT_EQ(sweep.at("instruction"), "vec_trans");
  EXPECT_GT(sweep.at("cases"), 50);
  const auto& program = json.at("sweeps").at(1);
  ExpectMembers(program, {{"/instruction", "program"}, {"/with", "vec_trans"}});
  EXPECT_GT(program.at("cases"), 0);
  EXPECT_TRUE(Has(r.out, "\nswept program with vec_trans: ")) << r.out;
  EXPECT_EQ(sweep.at("cases").get<int>() + program.at("cases").get<int>(),
            json.at("summary").at("cases"));
  EXPECT_EQ(sweep.at("cases"),
            sweep.at("legal").get<int>() + sweep.at("rejected").get<int>());
  EXPECT_GT(sweep.at("legal"), 5);
  EXPECT_GT(sweep.at("rules").size(), 10u);
  ExpectParts(Slurp(In("run.xml")), {R"(tests="2" failures="0")"});
}

TEST_F(SweepVerb, WhatItKeepsHasItsFinding) {
  const std::string target = "mutant:vt-first-block-only";
  Expect(Lanediff("sweep --instruction vec_trans --shard 3/40 --out out --json "
                  "run.js --target " +
                  target),
         1);
  const Json json = ReadJson("run.js");
  ASSERT_FALSE(json.at("cases").empty());
  for (const auto& record : json.at("cases")) {
    const auto kept = ReadJson(record.at("path").get<std::string>());
    const auto& origin = kept.at("origin");
    ExpectMembers(
        origin, {{"/tool", "lanediff-sweep"},
                 {"/target", target},
                 {"/signature", record.at("findings").at(0).at("signature")}});
  }
}

TEST_F(SweepVerb, ASampleReportsOfHowManyItIs) {
  const auto sweep = [&](const std::string& more) {
    return Lanediff("sweep --instruction vec_trans --max-cases 4 " + more);
  };
  const Result whole = sweep("--json run.js --junit run.xml --jobs 1");
  EXPECT_EQ(whole.status, 2) << "less than all, without --sample";
  ExpectParts(whole.err, {" cases (", " %) was compared; fix: "});
  EXPECT_TRUE(Has(Slurp(In("run.xml")), "<error message=\"a sample of "));
  const Json json = ReadJson("run.js");
  const auto& sample = json.at("sample");
  ExpectMembers(sample,
                {{"/perRule", 4}, {"/cases", json.at("summary").at("cases")}});
  EXPECT_GT(sample.at("of"), 10'000);
  EXPECT_LT(sample.at("cases"), 200);
  EXPECT_FALSE(sample.contains("meant"));
  ExpectMembers(json, {{"/complete", false}, {"/headline/tone", "incomplete"}});
  const std::string part =
      "a sample of " + std::to_string(sample.at("cases").get<int>()) + " of " +
      std::to_string(sample.at("of").get<int>()) + " cases";
  ExpectParts(whole.out, {"; NOT compared: all but " + part,
                          "rules never reached by this sample: none"});
  EXPECT_EQ(sweep("--jobs 3").out, whole.out);
  const Result meant = sweep("--sample --json meant.js");
  EXPECT_EQ(meant.status, 0) << meant.err;
  EXPECT_EQ(meant.out, whole.out);
  EXPECT_TRUE(Has(whole.out.substr(0, whole.out.find('\n')), part));
  EXPECT_EQ(ReadJson("meant.js").at("complete"), true);
  EXPECT_EQ(ReadJson("meant.js").at("sample").at("meant"), true);
  // Shards are the same sample together.
  const std::string shards = "sweep --instruction vec_trans --max-cases 4";
  const Result merged = InShards(shards, 2);
  EXPECT_EQ(merged.status, 2) << merged.err;
  EXPECT_EQ(merged.out, whole.out);
  fs::remove_all(In("merged"));
  Expect(InShards(shards + " --sample", 2), 0);
}

TEST_F(SweepVerb, WrongUsageIs2) {
  const std::string sweep = "sweep --instruction vec_trans ";
  ExpectAllRefused({{sweep + "--target no", "--target: no target \"no\""},
                    {sweep + "--target oracle", "nothing would be compared"},
                    {sweep + "--jobs -1", "--jobs"},
                    {sweep + "--max-cases 0", "--max-cases"},
                    {sweep + "--out /dev/null",
                     "--out: /dev/null/findings: can't be made"}});
  Expect(Lanediff(sweep + "--shard 1999999999/2000000000"), 2,
         {.err = {"nothing was compared"}});
}

TEST_F(SweepVerb, AnOlderEditionDoesNotLackTheRulesOfTheNewest) {
  Expect(
      Lanediff(
          "sweep --instruction trowprod --edition 2024 --max-cases 3 --sample "
          "--verbose"),
      0,
      {.out = {"TRP-DST-ND-DEPRECATED: ", ", edition 2024; "},
       .not_out = {"TRP-INTEGER-OVERFLOW"}});
}

using Generate = ProgramTest;

TEST_F(Generate, ReportsWhatTheCasesAreWorth) {
  const Result r =
      Lanediff("generate --instruction min --verbose --max-cases 500");
  EXPECT_EQ(r.status, 0) << r.err;
  ExpectParts(r.out,
              {"min: 500 cases, ", "% legal; a legal case has ",
               "MIN-OVERLAP-COUNT", "min-exception-near-miss", "signed-zeros"});
  EXPECT_FALSE(Has(r.out, "checked:"));
}

TEST_F(Generate, ChecksEveryInstructionAndLeavesJson) {
  Expect(Lanediff("generate --max-cases 60 --check --json f.json"), 0);
  const Json json = ReadJson("f.json");
  ExpectMembers(json, {{"/kind", "generate"}, {"/target", "emulator"}});
  EXPECT_TRUE(
      reports::test::FitsSchema(Slurp(In("f.json")), "generate.schema.json"));
  ASSERT_EQ(json.at("instructions").size(), isa::Instructions().size() + 1);
  for (const Json& one : json.at("instructions")) {
    const Json& check = one.at("check");
    EXPECT_EQ(one.at("cases"), 60);
    EXPECT_EQ(check.at("legal"), one.at("legal"));
    EXPECT_EQ(check.at("legal").get<int>() + check.at("illegal").get<int>(),
              60);
    EXPECT_EQ(check.at("findings"), 0);
    EXPECT_FALSE(one.at("data").empty());
  }
  EXPECT_FALSE(fs::exists(In("out")));
}

TEST_F(Generate, SameSeedSameFigures) {
  const auto figures = [&](const std::string& arguments) {
    Expect(Lanediff("generate --max-cases 50 --json f.json " + arguments), 0);
    Json json = ReadJson("f.json");
    for (Json& one : json.at("instructions")) one.erase("generateSeconds");
    return json.at("instructions");
  };
  EXPECT_EQ(figures("--seed 3"), figures("--seed 3"));
  EXPECT_NE(figures("--seed 3"), figures("--seed 4"));
  EXPECT_NE(figures("--seed 3"), figures("--seed 3 --style uniform"));
}

TEST_F(Generate, StopsAtTheFirstFinding) {
  const Result r = Lanediff(
      "generate --instruction min --max-cases 5000 --until-found"
      " --target mutant:min-last-repeat-skipped --json f.json");
  EXPECT_EQ(r.status, 1) << r.err;
  const Json json = ReadJson("f.json");
  const Json& one = json.at("instructions").at(0);
  EXPECT_EQ(one.at("check").at("findings"), 1);
  EXPECT_LT(one.at("cases"), 5000);
  ExpectParts(r.out, {"disagree min case " +
                      std::to_string(one.at("cases").get<int>()) + ": step "});
}

TEST_F(Generate, WrongUsageIs2) {
  Expect(Lanediff("generate --style fast"), 2,
         {.err = {"--style: expected by-intent, uniform, found \"fast\""}});
  ExpectStatus(
      2, {"generate --max-cases 0", "generate --max-cases 1 --target none",
          "generate --max-cases 1 --check --target oracle",
          "generate --max-cases 1 --check --target oracle --product atlas-a2",
          "generate --max-cases 1 --json none/f"});
}

class CoverageVerb : public ProgramTest {
 protected:
  Result Coverage(const std::string& options) {
    return Lanediff(
        "coverage --corpus " LANEDIFF_SOURCE_DIR "/corpus/program " + options);
  }
};

TEST_F(CoverageVerb, EveryBinOfAModuleHasACaseOrAReason) {
  Expect(Coverage("--instruction vec_trans --json bins.json --verbose"), 0,
         {.out = {", 0 wrong", "layout src shifted half: never: VT-OVERLAP"}});
  EXPECT_TRUE(Has(Slurp(In("bins.json")), "\"reachedBy\": \"corpus "));
}

TEST_F(CoverageVerb, SavedCaseReachesAndCanBeReplayed) {
  Expect(Coverage("--instruction vec_trans --out filled"), 0);
  Expect(Lanediff("check filled"), 0);
}

TEST_F(CoverageVerb, BadOptionsAreTwo) {
  EXPECT_EQ(Lanediff("coverage --corpus nowhere").status, 2);
  EXPECT_EQ(Coverage("--instruction vec_trans --json no/such/file").status, 2);
}

TEST_F(CoverageVerb, AnOlderEditionHasItsOwnBins) {
  const Result r = Coverage(
      "--instruction trowprod --max-cases 0 --edition 2024 --out "
      "filled --json bins.json");
  EXPECT_TRUE(Has(r.out, " wrong, edition 2024\n")) << r.err;
  EXPECT_FALSE(Has(r.out, "trowprod: dtype int32")) << r.out.substr(0, 2000);
  EXPECT_TRUE(Has(Slurp(In("bins.json")), "\"edition\": \"2024\""));
  Expect(Lanediff("check filled --quiet"), 0,
         {.out = {"against oracle, edition 2024\n"}});
}

}  // namespace
}  // namespace lanediff::cli::test
