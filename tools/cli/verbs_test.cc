// Runs the other verbs as a user does.

#include <regex>
#include <set>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Verbs = ProgramTest;

TEST_F(Verbs, ListRulesHasEachRuleWithItsSources) {
  const Result r = Lanediff("list rules --json -");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string text = Lanediff("list rules").out;
  std::set<std::string> all;
  const Json list = Json::parse(r.out);
  for (const Json& rule : list.at("rules")) {
    EXPECT_TRUE(all.insert(rule.at("id")).second) << rule.at("id");
    EXPECT_FALSE(rule.at("statement").get<std::string>().empty());
    EXPECT_FALSE(rule.at("sources").empty()) << rule.at("id");
    EXPECT_TRUE(rule.at("evidenceLevel").is_string()) << rule.at("id");
    ExpectParts(text, {rule.at("id")});
  }
  EXPECT_GE(all.size(), 270U);
}

TEST_F(Verbs, ListDisagreementsHasReadingsOutcomesAndTheCase) {
  const Json list = Json::parse(Lanediff("list disagreements --json -").out)
                        .at("disagreements");
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
  ExpectParts(Lanediff("list disagreements").out,
              {"DOC-RRS-35604  the document against itself  "});
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
  EXPECT_GT(reported.size(), 100u);
  const Json rules = Json::parse(Lanediff("list rules --json -").out);
  for (const Json& rule : rules.at("rules")) {
    if (rule.at("effect") != "reject") continue;
    EXPECT_TRUE(reported.contains(rule.at("id"))) << rule.at("id");
  }
}

TEST_F(Verbs, ExecOfARejectedCase) {
  const Result r = Lanediff("exec " + CorpusFile("repeat-256-rejected.json"));
  Expect(r, 0);
  const Json outcome = Json::parse(r.out);
  ExpectMembers(outcome,
                {{"/outcome", "rejected"}, {"/rules", Json({"RRS-REPEAT"})}});
  EXPECT_TRUE(outcome.contains("step"));
  EXPECT_EQ(outcome.at("memory"), Json::object());
}

TEST_F(Verbs, OtherLists) {
  EXPECT_EQ(Lanediff("list products").out,
            "atlas-training\natlas-inference-aicore\n"
            "atlas-inference-vectorcore\natlas-a2\natlas-a3\n"
            "atlas-200i-500-a2\natlas-200-300-500\n");
  EXPECT_TRUE(Has(Lanediff("list targets").out, "emulator  the "));
  EXPECT_TRUE(Has(Lanediff("list instructions").out, "repeat_reduce_sum"));
  for (const char* what : {"rules", "disagreements", "instructions", "products",
                           "targets", "mutants", "orders"}) {
    const std::string text =
        Lanediff(std::string("list ") + what + " --json -").out;
    EXPECT_TRUE(reports::test::FitsSchema(text, "list.schema.json")) << what;
    EXPECT_FALSE(Json::parse(text).at(what).empty());
  }
  ExpectStatus(2, {"list", "list colours"});
}

TEST_F(Verbs, ListMutantsAndRunOne) {
  const Json list =
      Json::parse(Lanediff("list mutants --json -").out).at("mutants");
  EXPECT_GE(list.size(), 75u);
  for (const char* key :
       {"name", "instruction", "rule", "defect", "modelledOn"}) {
    EXPECT_TRUE(list.at(0).at(key).is_string()) << key;
  }
  ExpectParts(Lanediff("list mutants").out,
              {"rrs-left-fold  repeat_reduce_sum  RRS-TREE  adds halves"});
  const std::string good = CorpusFile("worked-saturates-at-65504-a2.json");
  Expect(Lanediff("check " + good + " --target mutant:rrs-saturation-missing"),
         1, {.out = {"mutant:rrs-saturation-missing against oracle"}});
  Expect(Lanediff("check " + good + " --target mutant:none"), 2,
         {.err = {"no mutant \"none\"; \"lanediff list mutants\""}});
}

TEST_F(Verbs, ExecPrintsAnOutcomeDocument) {
  for (const std::string target : {"emulator", "oracle"}) {
    Json expected = Json::parse(R"({ "outcome": "executed",
        "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
        "memory": { "UB": [ { "at": 0, "hex": "5878" } ] } })");
    expected["target"] = target;
    EXPECT_EQ(
        Json::parse(Lanediff("exec " +
                             CorpusFile("worked-saturates-at-65504-a2.json") +
                             " --target " + target)
                        .out),
        expected);
  }
}

TEST_F(Verbs, ConvertGoesBothWaysAndOverwritesNothing) {
  WriteCaseAs("case.json");
  ExpectStatus(0, {"convert case.json -o bytes", "convert bytes -o again.json",
                   "convert again.json -o bytes2"});
  EXPECT_EQ(Slurp(In("bytes")), Slurp(In("bytes2")));
  EXPECT_FALSE(Slurp(In("bytes")).empty());
  Expect(Lanediff("check again.json"), 0);
  EXPECT_EQ(Json::parse(Lanediff("exec again.json").out),
            Json::parse(Lanediff("exec case.json").out));

  const std::string before = Slurp(In("again.json"));
  Expect(Lanediff("convert bytes -o again.json"), 2,
         {.err = {"again.json: exists; name a new file"}});
  EXPECT_EQ(Slurp(In("again.json")), before);
  EXPECT_EQ(Lanediff("convert none.json -o x").status, 2);
  EXPECT_FALSE(fs::exists(In("x")));
}

using Completion = ProgramTest;

TEST_F(Completion, HasEveryVerbAndOption) {
  auto verbs = Matches(Lanediff("--help").out, "\n  ([a-z]+)");
  verbs.erase("lanediff");  // of the examples
  ASSERT_GE(verbs.size(), 14u);
  const auto options = Matches(Lanediff("check --help").out, "\n  (--[a-z-]+)");
  ASSERT_GT(options.size(), 8u);
  const std::string man = std::regex_replace(Lanediff("completion man").out,
                                             std::regex("\\\\-"), "-");
  const std::string first = Lanediff("completion words -- ''").out;
  for (const std::string& verb : verbs) {
    EXPECT_TRUE(Has("\n" + first, "\n" + verb + "\t")) << verb;
    EXPECT_TRUE(Has(man, verb)) << verb;
  }
  const std::string second = Lanediff("completion words -- check --").out;
  for (const std::string& option : options) {
    EXPECT_TRUE(Has("\n" + second, "\n" + option + "\t")) << option;
    EXPECT_TRUE(Has(man, option)) << option;
  }
}

TEST_F(Completion, EveryShellQueriesTheProgram) {
  for (const char* const shell : {"bash", "zsh", "fish"}) {
    ExpectParts(Lanediff(std::string("completion ") + shell).out,
                {" completion words -- "});
  }
}

TEST_F(Completion, HasWordsOfOptionsAndVariants) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"test --source b", "boundary\t\n"},
      {"test --source random --styl", "--style\t"},
      {"exhaust --ran", "--range\t"},
      {"sweep --edition ''", "2024\t\n2026\t\n"},
      {"convert --to ''", "source\t"},
      {"target r", "run\t"},
      {"completion z", "zsh\t\n"},
      {"check --json x", ""},
      {"frobnicate ''", ""}};
  for (const auto& [words, expected] : rows) {
    const Result r = Lanediff("completion words -- " + words);
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_TRUE(expected.empty() ? r.out.empty() : r.out.starts_with(expected))
        << words << ": " << r.out;
  }
}

TEST_F(Completion, BashCompletesVerbsOptionsAndWords) {
  const Result r = Shell(
      "bash -c 'source <(lanediff completion bash); "
      "reply() { COMP_WORDS=(lanediff \"$@\"); COMP_CWORD=$#; _lanediff; "
      "echo \"${COMPREPLY[*]}\"; }; reply chec; reply list prod; "
      "reply check --juni; reply generate --max-c; reply test --rang; "
      "reply list cov; reply run --barr'");
  EXPECT_EQ(
      r.out,
      "check\nproducts\n--junit\n--max-cases\n--range\ncoverage\n--barriers\n")
      << r.err;
}

using TargetNew = ProgramTest;

TEST_F(TargetNew, WritesUnderTheNewNameAndPrintsHowItIsCompiled) {
  Expect(Lanediff("target new --language python mine"), 0,
         {.out = {"wrote mine.py\n"}});
  ExpectNone(Slurp(In("mine.py")), {"model"});  // the example's name
  const Result r = Lanediff("target new --language c mine");
  const std::string include = LineBehind(r.out, " -I ");
  EXPECT_TRUE(
      fs::exists(include.substr(0, include.find(' ')) + "/lanediff/plugin.h"))
      << r.out;
}

TEST_F(TargetNew, OverwritesNothingAndTakesNamesAndLanguages) {
  Spill(In("CMakeLists.txt"), "mine");
  Expect(Lanediff("target new --language c++ other"), 2,
         {.err = {"CMakeLists.txt is there; nothing was written"}});
  EXPECT_FALSE(fs::exists(In("other.cc")));
  EXPECT_EQ(Slurp(In("CMakeLists.txt")), "mine");
  ExpectStatus(2, {"target new --language python ../x",
                   "target new --language rust x", "target new x"});
}

using TargetCheck = ProgramTest;

TEST_F(TargetCheck, AMaskThatIsSetWronglyDiffers) {
  Expect(Lanediff("target check mutant:program-mask-words-swapped"), 1,
         {.out = {"\nok    Min, legal: ",
                  "\nFAIL  Min, after SetVectorMask: differs: ",
                  "\nnext: lanediff check corpus --quiet --target "
                  "mutant:program-mask-words-swapped\nthen: lanediff sweep "
                  "--legal-only --target mutant:program-mask-words-swapped "
                  "--out out\nthen: lanediff characterise --target "
                  "mutant:program-mask-words-swapped\n"}});
}

TEST_F(TargetCheck, ProbesTailsAndTwoCalls) {
  const Result r = Lanediff("target check emulator");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  for (const char* line :
       {"Min, isSetMask=false: ", "Min, count with a tail: ",
        "TROWPROD, two calls: ", "vec_trans, systematic cases: "}) {
    EXPECT_TRUE(Has(r.out, std::string("\nok    ") + line)) << line << r.out;
  }
}

}  // namespace
}  // namespace lanediff::cli::test
