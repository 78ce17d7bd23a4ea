// Runs the other verbs as a user does.

#include <nlohmann/json.hpp>
#include <set>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Verbs = ProgramTest;
using Json = nlohmann::json;

const char* const kRejectRules[] = {"RRS-PRODUCT",
                                    "RRS-DTYPE",
                                    "RRS-DTYPE-MATCH",
                                    "RRS-POSITION",
                                    "RRS-DST-ALIGN",
                                    "RRS-SRC-ALIGN",
                                    "RRS-REPEAT",
                                    "RRS-ELEMS",
                                    "RRS-PLACEHOLDER",
                                    "RRS-STRIDE-RANGE",
                                    "RRS-DST-REP-STRIDE-ZERO",
                                    "RRS-BOUNDS",
                                    "RRS-OVERLAP-ITERATION",
                                    "RRS-OVERLAP-DEPENDENCY",
                                    "STATE-SATURATION-PRODUCT"};
const char* const kOtherRules[] = {"RRS-DST-BLK-STRIDE",
                                   "RRS-ADDRESS",
                                   "RRS-TREE",
                                   "RRS-IN-ORDER",
                                   "RRS-SATURATE",
                                   "RRS-REPEAT-ZERO",
                                   "RRS-MASK-EMPTY",
                                   "RRS-PREFER-WHOLE-REDUCE-SUM",
                                   "STATE-MASK-REGISTER",
                                   "STATE-SATURATION",
                                   "ARITH-ROUND",
                                   "ARITH-SUBNORMAL",
                                   "ARITH-ZERO-SIGN",
                                   "ARITH-NAN"};

TEST_F(Verbs, ListRulesHasEveryRuleOfTheSpecification) {
  const Result r = Lanediff("list rules --json");
  ASSERT_EQ(r.status, 0) << r.err;
  std::set<std::string> rejects;
  std::set<std::string> all;
  for (const Json& rule : Json::parse(r.out)) {
    EXPECT_TRUE(all.insert(rule.at("id")).second) << rule.at("id");
    if (rule.at("effect") == "reject") rejects.insert(rule.at("id"));
    EXPECT_FALSE(rule.at("statement").get<std::string>().empty());
    EXPECT_FALSE(rule.at("sources").empty()) << rule.at("id");
    EXPECT_TRUE(rule.at("evidenceLevel").is_string()) << rule.at("id");
  }
  for (const char* rule : kRejectRules) {
    EXPECT_TRUE(rejects.contains(rule)) << rule;
  }
  for (const char* rule : kOtherRules) {
    EXPECT_TRUE(all.contains(rule)) << rule;
    EXPECT_FALSE(rejects.contains(rule)) << rule;
  }
  const std::string text = Lanediff("list rules").out;
  for (const std::string& rule : all) EXPECT_TRUE(Has(text, rule)) << rule;
}

TEST_F(Verbs, ListDisagreementsHasReadingsOutcomesAndTheCase) {
  const Json list = Json::parse(Lanediff("list disagreements --json").out);
  ASSERT_GE(list.size(), 30u);
  for (const Json& entry : list) {
    EXPECT_GE(entry.at("readings").size(), 2u) << entry.at("id");
    EXPECT_EQ(entry.at("readings").at(0).at("reading"), "chosen");
    const std::set<std::string> kinds = {"the document against itself",
                                         "against another document", "silent"};
    EXPECT_TRUE(kinds.contains(entry.at("kind"))) << entry.at("id");
    EXPECT_NE(entry.contains("case"), entry.contains("undecidable"));
    if (!entry.contains("case")) continue;
    for (const Json& reading : entry.at("readings")) {
      EXPECT_TRUE(reading.contains("outcome")) << entry.at("id");
    }
    EXPECT_TRUE(fs::exists(LANEDIFF_SOURCE_DIR "/corpus/" +
                           entry.at("case").get<std::string>() + ".json"));
  }
  EXPECT_TRUE(Has(Lanediff("list disagreements").out,
                  "DOC-RRS-35604  the document against itself  "));
  EXPECT_EQ(Lanediff("list products --markdown").status, 2);
}

TEST_F(Verbs, EveryRejectRuleIsReportedByACaseOfTheCorpus) {
  std::set<std::string> reported;
  for (const auto& entry :
       fs::recursive_directory_iterator(LANEDIFF_SOURCE_DIR "/corpus")) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".json") || name.ends_with(".schema.json")) continue;
    const Json c = Json::parse(Slurp(entry.path()));
    if (!c.contains("expect") || !c["expect"].contains("rules")) continue;
    for (const Json& rule : c["expect"]["rules"]) reported.insert(rule);
  }
  for (const char* rule : kRejectRules) {
    EXPECT_TRUE(reported.contains(rule)) << rule;
  }
}

TEST_F(Verbs, OtherLists) {
  EXPECT_EQ(Lanediff("list products").out,
            "atlas-training\natlas-inference-aicore\n"
            "atlas-inference-vectorcore\natlas-a2\natlas-a3\n"
            "atlas-200i-500-a2\natlas-200-300-500\n");
  EXPECT_TRUE(Has(Lanediff("list targets").out, "emulator  the "));
  EXPECT_TRUE(Has(Lanediff("list instructions").out, "repeat_reduce_sum"));
  EXPECT_TRUE(Has(Lanediff("list orders --json").out, "\"left-fold\""));
  EXPECT_EQ(Lanediff("list").status, 2);
  EXPECT_EQ(Lanediff("list colours").status, 2);
}

TEST_F(Verbs, ListMutantsAndRunOne) {
  const Json list = Json::parse(Lanediff("list mutants --json").out);
  EXPECT_GE(list.size(), 75u);
  for (const char* key :
       {"name", "instruction", "rule", "defect", "modelledOn"}) {
    EXPECT_TRUE(list.at(0).at(key).is_string()) << key;
  }
  EXPECT_TRUE(Has(Lanediff("list mutants").out,
                  "rrs-left-fold  repeat_reduce_sum  RRS-TREE  adds halves"));
  const std::string good = CorpusFile("worked-saturates-at-65504-a2.json");
  const Result found =
      Lanediff("check " + good + " --target mutant:rrs-saturation-missing");
  EXPECT_EQ(found.status, 1) << found.out << found.err;
  EXPECT_TRUE(Has(found.out, "mutant:rrs-saturation-missing against oracle"));
  const Result unknown = Lanediff("check " + good + " --target mutant:none");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(
      Has(unknown.err, "no mutant \"none\"; \"lanediff list mutants\""));
}

TEST_F(Verbs, ExecPrintsAnOutcomeDocument) {
  for (const std::string target : {"emulator", "oracle"}) {
    const Result r =
        Lanediff("exec " + CorpusFile("worked-saturates-at-65504-a2.json") +
                 " --target " + target);
    EXPECT_EQ(r.status, 0) << r.err;
    Json expected = Json::parse(R"({ "outcome": "executed",
        "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
        "memory": { "UB": [ { "at": 0, "hex": "5878" } ] } })");
    expected["target"] = target;
    EXPECT_EQ(Json::parse(r.out), expected) << r.out;
  }
}

TEST_F(Verbs, ExecOfARejectedCase) {
  const Result r = Lanediff("exec " + CorpusFile("repeat-256-rejected.json"));
  EXPECT_EQ(r.status, 0) << r.err;
  const Json outcome = Json::parse(r.out);
  EXPECT_EQ(outcome.at("outcome"), "rejected");
  EXPECT_EQ(outcome.at("rules"), Json({"RRS-REPEAT"}));
  EXPECT_TRUE(outcome.contains("step"));
  EXPECT_EQ(outcome.at("memory"), Json::object());
}

TEST_F(Verbs, ConvertGoesBothWaysAndOverwritesNothing) {
  WriteCaseAs("case.json");
  EXPECT_EQ(Lanediff("convert case.json -o bytes").status, 0);
  EXPECT_EQ(Lanediff("convert bytes -o again.json").status, 0);
  EXPECT_EQ(Lanediff("convert again.json -o bytes2").status, 0);
  EXPECT_EQ(Slurp(In("bytes")), Slurp(In("bytes2")));
  EXPECT_FALSE(Slurp(In("bytes")).empty());
  const Result check = Lanediff("check again.json");
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_EQ(Json::parse(Lanediff("exec again.json").out),
            Json::parse(Lanediff("exec case.json").out));

  const std::string before = Slurp(In("again.json"));
  const Result r = Lanediff("convert bytes -o again.json");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err, "again.json: exists; name a new file"));
  EXPECT_EQ(Slurp(In("again.json")), before);
  EXPECT_EQ(Lanediff("convert none.json -o x").status, 2);
  EXPECT_FALSE(fs::exists(In("x")));
}

TEST_F(Verbs, FuzzWithoutProgramsPrintsAFix) {
  const Result r =
      Lanediff("fuzz --fuzzers /nonexistent --seconds 1 --out out");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err,
                  "no fuzz programs in /nonexistent; build them with \"cmake "
                  "--preset fuzz"))
      << r.err;
  EXPECT_FALSE(fs::exists(In("out")));
}

TEST_F(Verbs, HelpIs0) {
  EXPECT_EQ(Lanediff("--help").status, 0);
  for (const char* verb :
       {"check", "exec", "explain", "fuzz", "generate", "convert", "list"}) {
    const Result r = Lanediff(std::string(verb) + " --help");
    EXPECT_EQ(r.status, 0) << verb;
    EXPECT_TRUE(Has(r.out, "Usage")) << verb << r.out;
    EXPECT_TRUE(Has(Lanediff("--help").out, verb));
  }
}

TEST_F(Verbs, WrongUsageIs2) {
  const std::string good = CorpusFile("worked-saturates-at-65504-a2.json");
  for (const std::string& arguments : std::vector<std::string>{
           "", "frobnicate", "exec", "exec none.json", "explain",
           "explain none.json", "convert in", "convert", "exec .",
           "exec " + good + " --target no", "explain " + good + " --bad",
           "fuzz --seconds x", "fuzz --seconds 0", "fuzz --target no"}) {
    const Result r = Lanediff(arguments);
    EXPECT_EQ(r.status, 2) << arguments << r.out;
    EXPECT_NE(r.err, "") << arguments;
    EXPECT_EQ(r.out, "") << arguments;
  }
}

}  // namespace
}  // namespace lanediff::cli::test
