// Programs that speak lanediff-target/1, most of them badly.

#include <nlohmann/json.hpp>

#include "tools/cli/outside_testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;

class ExecTarget : public OutsideTest {
 protected:
  void SetUp() override {
    OutsideTest::SetUp();
    WriteMinCases();
  }
};

TEST_F(ExecTarget, AgreesWhereItIsRight) {
  const Result r = CheckProgram("well");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "check: 5 cases: 5 agree, 0 disagree")) << r.out;
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, OurOwnEmulatorAgreesWithTheWholeCorpus) {
  const Result r =
      Lanediff("check " LANEDIFF_SOURCE_DIR
               "/corpus --target exec:" LANEDIFF_TARGETS "/emulator_program");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, " 0 disagree, 0 unsupported, 0 malformed")) << r.out;
}

TEST_F(ExecTarget, RepliesMayComeInAnyOrder) {
  setenv("LANEDIFF_TEST_WINDOW", "4", 1);
  const Result r = CheckProgram("shuffles");
  unsetenv("LANEDIFF_TEST_WINDOW");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "check: 5 cases: 5 agree, 0 disagree")) << r.out;
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, ADifferenceIsOne) {
  const Result r = CheckProgram("wrong");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "signature: memory/min/")) << r.out;
}

struct Bad {
  const char* does;
  const char* kind;
  const char* words;
};

class HostileProgram : public ExecTarget,
                       public testing::WithParamInterface<Bad> {};

TEST_P(HostileProgram, IsANamedFindingAndTheRunGoesOn) {
  const Bad& bad = GetParam();
  const Result r = CheckProgram(bad.does, TimeFor(bad.does));
  ExpectOneFailure(r, bad.kind, bad.words);
  const Json run = Json::parse(Slurp(In("run.json")));
  EXPECT_EQ(run.at("cases").at(2).at("findings").at(0).at("kind"), bad.kind);
  EXPECT_EQ(run.at("account").at("failed"), 1);
}

TEST_P(HostileProgram, IsTheRightOneOfSeveralThatAreOpen) {
  const Bad& bad = GetParam();
  // The last comes first: the culprit is not the oldest that is open.
  setenv("LANEDIFF_TEST_WINDOW", "16", 1);
  setenv("LANEDIFF_TEST_SHUFFLES", "1", 1);
  const Result r = CheckProgram(bad.does, TimeFor(bad.does));
  unsetenv("LANEDIFF_TEST_SHUFFLES");
  unsetenv("LANEDIFF_TEST_WINDOW");
  // The repeated request, alone, has another number, and nothing before it.
  std::string words = bad.words;
  words = words.substr(0, words.find("; the case before"));
  words = words.substr(0, words.find(" 10; 3"));
  if (std::string(bad.does) == "twice") words = "one of the requests that";
  ExpectOneFailure(r, bad.kind, words);
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileProgram,
    testing::Values(
        Bad{"exits", "crash",
            "it ended with status 5; the last line of its stderr: \"the last "
            "words\"; the case before it was t/b"},
        Bad{"crashes", "crash", "was ended by signal 11 (Segmentation fault)"},
        Bad{"hangs", "timeout", "it gave no answer within 3 s"},
        Bad{"half", "timeout", "half a line came"},
        Bad{"half-and-exit", "crash", "after half a line"},
        Bad{"long", "protocol", "a line of more than 67108864 bytes"},
        Bad{"unknown-id", "protocol", "/id: found 10; 3 is allowed"},
        Bad{"twice", "protocol", "more than one line"},
        Bad{"after-death", "crash", "it ended with status 0"},
        Bad{"no-json", "protocol", "hello, world"},
        Bad{"closes-output", "protocol", "closed its output"},
        Bad{"eats", "crash", "more than 256 MiB of memory"},
        Bad{"children-eat", "crash", "more than 256 MiB of memory"},
        Bad{"stops-its-parent", "timeout", "it gave no answer within 3 s"},
        Bad{"traces-its-parent", "timeout", "it gave no answer within 3 s"},
        Bad{"is-traced", "timeout", "it gave no answer within 3 s"},
        Bad{"stops-all-above", "timeout", "it gave no answer within 3 s"},
        Bad{"error", "crash", "answered with an error: out of registers"},
        Bad{"forks", "crash", "it ended with status 1"}),
    [](const auto& one) {
      std::string name = one.param.does;
      std::erase(name, '-');
      return name;
    });

TEST_F(ExecTarget, AnInterruptEndsItsCheckAtOnce) {
  Spill(In("slow.py"), R"(import json, sys, time
for line in sys.stdin:
    if json.loads(line)["lanediff"] != "hello":
        open("waits", "w")
        time.sleep(1000)
    print(json.dumps({"hello": {"protocol": 1, "name": "slow", "version": "1",
                                "capabilities": {"instructions": ["Min"]}}}), flush=True)
)");
  const Result r = Shell(
      "env --default-signal=INT lanediff target check --timeout 900 "
      "'exec:python3 slow.py " +
      Mark() +
      "' & p=$!; until [ -e waits ]; do sleep 0.05; done; kill -INT $p; "
      "wait $p");
  EXPECT_EQ(r.status, 2) << r.err;
  EXPECT_EQ(r.err,
            "lanediff: target check: interrupted, not all was checked\n");
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, ItsLastWordsAreKept) {
  CheckProgram("exits");
  const Json run = Json::parse(Slurp(In("run.json")));
  EXPECT_EQ(run.at("cases").at(2).at("findings").at(0).at("stderr"),
            "the last words\n");
}

TEST_F(ExecTarget, ThatCantBeTalkedToIsOneLine) {
  const auto one_line = [](const Result& r, int status,
                           const std::string& words) {
    EXPECT_EQ(r.status, status) << r.out << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_TRUE(Has(r.err, words)) << r.err;
  };
  const std::string check = "check cases --target ";
  one_line(Lanediff(check + "exec:no-such-program"), 2, "no program in PATH");
  one_line(Lanediff(check + "exec:./none"), 2, "no program that can be run");
  one_line(Lanediff(check + "exec:"), 2, "no program is named");
  one_line(Lanediff(check + "\"exec:a 'b\""), 2, "has no end");
  one_line(CheckProgram("early"), 3, "Welcome!");
  one_line(Lanediff(check + "exec:cat"), 3, "is no hello");
  one_line(Lanediff(check + "exec:false"), 3, "ended with status 1");
  one_line(Lanediff(check + "'exec:tail -f /dev/null' --timeout 1"), 3,
           "no answer within 1 s");
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, ThatDoesNotEndIsEnded) {
  const Result late = CheckProgram("ignores-eof", "--timeout 3");
  EXPECT_EQ(late.status, 3) << late.out << late.err;
  EXPECT_TRUE(Has(late.out, "5 agree")) << late.out;
  EXPECT_TRUE(Has(late.err, "did not end in time and was killed")) << late.err;
  const Result bad = CheckProgram("ends-badly");
  EXPECT_EQ(bad.status, 3);
  EXPECT_TRUE(Has(bad.err, "ended with status 4")) << bad.err;
  EXPECT_EQ(CheckProgram("ignores-sigterm").status, 0);
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, IsGivenUpAfterSoManyRestarts) {
  fs::remove_all(In("cases"));
  fs::create_directories(In("cases"));
  for (int i = 0; i < 6; ++i) {
    const std::string id = "trigger-" + std::to_string(i);
    Spill(In("cases/" + id + ".json"), MinCase(id));
  }
  Spill(In("cases/a.json"), MinCase("a"));
  const Result r = CheckProgram("crashes", "--max-restarts 2");
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "1 agree, 3 disagree, 3 unsupported")) << r.out;
  EXPECT_TRUE(Has(r.out, "was given up after 2 restarts")) << r.out;
  EXPECT_TRUE(Has(r.out, "in 3 cases, and was given up")) << r.out;
}

TEST_F(ExecTarget, ThatRemembersIsFoundOut) {
  fs::remove_all(In("cases"));
  fs::create_directories(In("cases"));
  for (int i = 0; i < 64; ++i) {
    const std::string id = "n" + std::to_string(100 + i);
    Spill(In("cases/" + id + ".json"), MinCase(id));
  }
  const Result r = CheckProgram("stateful");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "a fresh process has another outcome")) << r.out;
  EXPECT_TRUE(Has(r.out, "after case t/n162")) << r.out;
  EXPECT_TRUE(Has(r.out, "signature: state/min/fresh-process/int16")) << r.out;
}

TEST_F(ExecTarget, ReportsClaimsThatAreNeverExecuted) {
  const Result r = CheckProgram("unsupported");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "never executed, though claimed: Min")) << r.out;
  EXPECT_TRUE(Has(r.out, "unsupported: Min int16 on atlas-a2: 5 cases"))
      << r.out;
}

/// Answers executed and changes nothing, or rejects all, or answers
/// "unsupported" to all but `a`.
constexpr const char* kLazy = R"(import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["lanediff"] == "hello":
        can = {"instructions": ["Min", "Max"], "memory": "sparse"}
        if sys.argv[1] == "rejects": can["legality"] = "yes"
        print(json.dumps({"hello": {"protocol": 1, "name": "lazy", "version": "0",
              "capabilities": can}}), flush=True)
        continue
    outcome = {"outcome": "executed", "memory": {}}
    if sys.argv[1] == "rejects":
        outcome = {"outcome": "rejected", "step": len(m["case"]["program"]) - 1}
    if sys.argv[1] == "unsupported" and m["case"]["program"][-1]["count"] != 0:
        outcome = {"outcome": "unsupported"}
    print(json.dumps({"id": m["id"], "outcome": outcome}), flush=True)
)";

/// `MinCase`, with a destination that is not aligned.
std::string Illegal(std::string text) {
  return text.replace(text.find("\"at\": 64"), 8, "\"at\": 66");
}

std::string OfCount0(std::string text) {
  return text.replace(text.find("\"count\": 16"), 11, "\"count\": 0");
}

TEST_F(ExecTarget, NothingLegalComparedIsNoSuccess) {
  fs::remove_all(In("cases"));
  fs::create_directories(In("cases"));
  Spill(In("lazy.py"), kLazy);
  Spill(In("cases/a.json"), Illegal(MinCase("a")));
  Spill(In("cases/b.json"), Illegal(MinCase("b")));
  const auto check = [&](const std::string& does,
                         const std::string& more = "") {
    return Lanediff(
        "check cases --json run.json --junit run.xml --sarif run.sa "
        "--target 'exec:python3 lazy.py " +
        does + "' " + more);
  };
  const Result lazy = check("executes");
  EXPECT_EQ(lazy.status, 2) << lazy.out << lazy.err;
  EXPECT_TRUE(Has(lazy.out,
                  "tolerated cases/a.json: executed though it breaks "
                  "MIN-ALIGN; not compared\n"))
      << lazy.out;
  EXPECT_TRUE(Has(lazy.out,
                  "check: 2 cases: 0 agree, 0 disagree, 0 "
                  "unsupported, 0 malformed, 2 tolerated; "))
      << lazy.out;
  EXPECT_TRUE(Has(lazy.err,
                  "nothing legal was compared: the target executed 2 "
                  "cases that the documents refuse"))
      << lazy.err;
  const auto json = nlohmann::json::parse(Slurp(In("run.json")));
  EXPECT_EQ(json.at("summary").at("tolerated"), 2);
  EXPECT_EQ(json.at("cases").at(0).at("verdict"), "tolerated");
  EXPECT_EQ(json.at("headline").at("tone"), "incomplete");
  EXPECT_TRUE(Has(Slurp(In("run.xml")), "<skipped")) << Slurp(In("run.xml"));
  EXPECT_TRUE(Has(Slurp(In("run.xml")), "skipped=\"2\""));
  EXPECT_EQ(nlohmann::json::parse(Slurp(In("run.sa")))
                .at("runs")
                .at(0)
                .at("properties")
                .at("tolerated"),
            2);
  // One that refuses without a reason refuses perhaps everything.
  const Result rejects = check("rejects");
  EXPECT_EQ(rejects.status, 2) << rejects.out << rejects.err;
  EXPECT_TRUE(Has(rejects.err,
                  "nothing legal was compared: the target refuses "
                  "2 cases and names no rule"))
      << rejects.err;
  EXPECT_FALSE(Has(rejects.out, "1 rule enforced")) << rejects.out;
  // With a legal case that agrees both are answers, and the merged run is the
  // same.
  Spill(In("cases/c.json"), OfCount0(MinCase("c")));
  EXPECT_EQ(check("executes").status, 0);
  check("executes", "--shard 0/2 --out part0");
  check("executes", "--shard 1/2 --out part1");
  const Result merged = Lanediff("merge part0 part1 --out merged");
  EXPECT_EQ(merged.status, 0) << merged.err;
  EXPECT_TRUE(Has(merged.out, ", 2 tolerated; ")) << merged.out;
}

TEST_F(ExecTarget, ClaimingWhatIsUnsupportedIsNoSuccess) {
  fs::remove_all(In("cases"));
  fs::create_directories(In("cases"));
  Spill(In("lazy.py"), kLazy);
  Spill(In("cases/a.json"), OfCount0(MinCase("a")));
  const std::string check =
      "check cases --target 'exec:python3 lazy.py unsupported'";
  EXPECT_EQ(Lanediff(check).status, 0);
  // An illegal call need not be supported.
  Spill(In("cases/b.json"), Illegal(MinCase("b")));
  EXPECT_EQ(Lanediff(check).status, 0);
  Spill(In("cases/c.json"), MinCase("c"));
  const Result r = Lanediff(check);
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.err,
                  "1 of 3 cases that the target claims is legal and "
                  "unsupported; fix: "))
      << r.err;
  EXPECT_EQ(Lanediff(check + " --allow-unsupported").status, 0);
  // So do its files and its shards.
  EXPECT_EQ(Lanediff(check + " --junit o.xml --sarif o.sarif").status, 2);
  EXPECT_TRUE(Has(Slurp(In("o.xml")), "<error message=\"1 of 3 cases that "))
      << Slurp(In("o.xml"));
  EXPECT_EQ(Json::parse(Slurp(In("o.sarif")))
                .at("runs")[0]
                .at("invocations")[0]
                .at("exitCode"),
            2);
  for (const char* const part : {"0", "1", "2"}) {
    Lanediff(check + " --shard " + part + "/3 --out part" + part);
  }
  const Result merged = Lanediff("merge part0 part1 part2 --out merged");
  EXPECT_EQ(merged.status, 2) << merged.out << merged.err;
  // All shards count, those in which everything was supported, too.
  EXPECT_TRUE(Has(merged.err, "1 of 3 cases that the target claims is legal"))
      << merged.err;
  EXPECT_FALSE(Has(merged.out, "never executed")) << merged.out;
}

TEST_F(ExecTarget, AnInstructionThatOneShardHasAndNoneExecutesIsNoSuccess) {
  fs::remove_all(In("cases"));
  fs::create_directories(In("cases"));
  Spill(In("lazy.py"), kLazy);
  Spill(In("cases/a.json"), OfCount0(MinCase("a")));
  std::string max = MinCase("b");
  max.replace(max.find("\"Min\""), 5, "\"Max\"");
  Spill(In("cases/b.json"), max);
  const std::string check =
      "check cases --target 'exec:python3 lazy.py unsupported' "
      "--allow-unsupported --sarif o.sarif";
  for (const char* const part : {"0", "1"}) {
    Lanediff(check + " --shard " + part + "/2 --out part" + part);
  }
  for (const std::string& run :
       {check, std::string("merge part0 part1 --out merged")}) {
    const Result r = Lanediff(run);
    EXPECT_EQ(r.status, 2) << r.out << r.err;
    EXPECT_TRUE(
        Has(r.err, "Max is claimed by the target and never executed; fix: "))
        << r.err;
  }
  EXPECT_EQ(Json::parse(Slurp(In("o.sarif")))
                .at("runs")[0]
                .at("invocations")[0]
                .at("exitCode"),
            2);
}

/// What `target new` writes, in each language.
TEST_F(ExecTarget, TheTemplatesPassEveryLegalCase) {
  ASSERT_EQ(Lanediff("target new --language python mine").status, 0);
  const std::string model = LANEDIFF_TARGETS "/model_program";
  const std::pair<std::string, std::string> rows[] = {
      {"lanediff", "'exec:python3 mine.py'"},
      {"lanediff", "plugin:" LANEDIFF_TARGETS "/model_plugin.so"},
      {model, "model"}};
  for (const auto& [program, target] : rows) {
    for (const std::string verb :
         {"check --quiet " LANEDIFF_SOURCE_DIR "/corpus",
          "sweep --instruction Min --cases 40 --sample", "target check"}) {
      const bool is_check = verb == "target check";
      const Result r = Shell(
          program + " " + verb +
          (is_check ? " " : " --legal-only --timeout 60 --target ") + target);
      EXPECT_EQ(r.status, 0) << verb << target << r.out << r.err;
      EXPECT_FALSE(Has(r.out, "\nunsupported: ")) << r.out;
    }
  }
}

TEST_F(ExecTarget, ExecutingWhatIsIllegalIsToleratedAndReported) {
  Spill(In("cases/c-trigger.json"), Illegal(MinCase("illegal")));
  const Result r = CheckProgram("well");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out,
                  "tolerated: 1 rules were broken and the call "
                  "executed, 1 times in all: MIN-ALIGN 1"))
      << r.out;
  const Result legal = CheckProgram("well", "--legal-only");
  EXPECT_EQ(legal.status, 0) << legal.out << legal.err;
  EXPECT_TRUE(Has(legal.out, "left out: 1 cases that the documents refuse"))
      << legal.out;
}

TEST_F(ExecTarget, IsCheckedBeforeAllElse) {
  const Result good =
      Lanediff("target check exec:" LANEDIFF_TARGETS "/emulator_program");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  for (const char* line :
       {"ok    handshake: ", "ok    Min, legal: ", "ok    Min, illegal: ",
        "ok    repeated case: ", "ok    unknown instruction: error",
        "ok    memory guard: ", "ok    closing: "}) {
    EXPECT_TRUE(Has(good.out, line)) << line << good.out;
  }
  const Result bad =
      Lanediff("target check --timeout 3 " + Program("ignores-eof"));
  EXPECT_EQ(bad.status, 3) << bad.out << bad.err;
  EXPECT_TRUE(Has(bad.out, "FAIL  closing: ")) << bad.out;
}

}  // namespace
}  // namespace lanediff::cli::test
