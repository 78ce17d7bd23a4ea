// Programs that speak lanediff-target/1, most of them badly.

#include "tools/cli/outside_testing.h"

namespace lanediff::cli::test {
namespace {

class ExecTarget : public OutsideTest {
 protected:
  void SetUp() override {
    OutsideTest::SetUp();
    WriteMinCases();
  }
};

TEST_F(ExecTarget, OurOwnEmulatorAgreesWithTheWholeCorpus) {
  Expect(
      Lanediff("check " LANEDIFF_SOURCE_DIR
               "/corpus --target exec:" LANEDIFF_TARGETS "/emulator_program"),
      0, {.out = {" 0 disagree, 0 unsupported, 0 malformed"}});
}

TEST_F(ExecTarget, RepliesMayComeInAnyOrder) {
  setenv("LANEDIFF_TEST_WINDOW", "4", 1);
  const Result r = CheckProgram("shuffles");
  unsetenv("LANEDIFF_TEST_WINDOW");
  Expect(r, 0, {.out = {"check: 5 cases: 5 agree, 0 disagree"}});
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, ADifferenceIsOne) {
  Expect(CheckProgram("wrong"), 1, {.out = {"signature: memory/min/"}});
}

class HostileProgram : public ExecTarget,
                       public testing::WithParamInterface<Bad> {};

TEST_P(HostileProgram, IsANamedFindingAndTheRunGoesOn) {
  const Bad& bad = GetParam();
  const Result r = CheckProgram(bad.does, TimeFor(bad.does));
  ExpectOneFailure(r, bad.kind, bad.words);
  ExpectMembers(ReadJson("run.json"), {{"/cases/2/findings/0/kind", bad.kind},
                                       {"/account/failed", 1}});
}

TEST_F(ExecTarget, ItsLastWordsAreKept) {
  CheckProgram("exits");
  ExpectMembers(ReadJson("run.json"),
                {{"/cases/2/findings/0/stderr", "the last words\n"}});
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
    [](const auto& one) { return NameOf(one.param.does); });

TEST_F(ExecTarget, AnInterruptEndsItsCheckAtOnce) {
  Spill(In("slow.py"), R"(import json, sys, time
for line in sys.stdin:
    if json.loads(line)["lanediff"] != "hello":
        open("waits", "w")
        time.sleep(1000)
    print(json.dumps({"hello": {"protocol": 1, "name": "slow", "version": "1",
                                "capabilities": {"instructions": ["Min"]}}}), flush=True)
)");
  EXPECT_EQ(
      Shell("env --default-signal=INT lanediff target check --timeout 900 "
            "'exec:python3 slow.py " +
            Mark() +
            "' & p=$!; until [ -e waits ]; do sleep 0.05; done; kill -INT $p; "
            "wait $p; echo $? >&2")
          .err,
      "lanediff: target check: interrupted, not all was checked\n2\n");
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, ThatCantBeTalkedToIsOneLine) {
  const std::string check = "check cases --target ";
  ExpectAllRefused({{check + "exec:no-such-program", "no program in PATH"},
                    {check + "exec:./none", "no program that can be run"},
                    {check + "exec:", "no program is named"},
                    {check + "\"exec:a 'b\"", "has no end"}});
  ExpectRefused(CheckProgram("early"), "Welcome!", 3);
  ExpectRefused(Lanediff(check + "exec:cat"), "is no hello", 3);
  ExpectRefused(Lanediff(check + "exec:false"), "ended with status 1", 3);
  ExpectRefused(Lanediff(check + "'exec:tail -f /dev/null' --timeout 1"),
                "no answer within 1 s", 3);
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, ThatDoesNotEndIsEnded) {
  Expect(CheckProgram("ignores-eof", "--timeout 3"), 3,
         {.out = {"5 agree"}, .err = {"did not end in time and was killed"}});
  Expect(CheckProgram("ends-badly"), 3, {.err = {"ended with status 4"}});
  EXPECT_EQ(CheckProgram("ignores-sigterm").status, 0);
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(ExecTarget, IsGivenUpAfterSoManyRestarts) {
  WriteMinCases("trigger-", 0, 6);
  WriteMinCase("a");
  Expect(CheckProgram("crashes", "--max-restarts 2"), 3,
         {.out = {"1 agree, 3 disagree, 3 unsupported",
                  "was given up after 2 restarts",
                  "in 3 cases, and was given up"}});
}

TEST_F(ExecTarget, ThatRemembersIsFoundOut) {
  WriteMinCases("n", 100, 64);
  Expect(CheckProgram("stateful", "--verbose"), 1,
         {.out = {"a fresh process has another outcome", "after case t/n162",
                  "signature: state/min/fresh-process/int16"}});
}

TEST_F(ExecTarget, ReportsClaimsThatAreNeverExecuted) {
  Expect(CheckProgram("unsupported"), 2,
         {.out = {"never executed, though claimed: Min",
                  "unsupported: Min int16 on atlas-a2: 5 cases"}});
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
std::string Illegal(const std::string& text) {
  return Replaced(text, "\"at\": 64", "\"at\": 66");
}

std::string OfCount0(const std::string& text) {
  return Replaced(text, "\"count\": 16", "\"count\": 0");
}

TEST_F(ExecTarget, NothingLegalComparedIsNoSuccess) {
  Spill(In("lazy.py"), kLazy);
  WriteCases({{"a", Illegal(MinCase("a"))}, {"b", Illegal(MinCase("b"))}});
  const auto check = [](const std::string& does) {
    return "check cases --json run.json --junit run.xml --sarif run.sa "
           "--target 'exec:python3 lazy.py " +
           does + "'";
  };
  Expect(Lanediff(check("executes")), 2,
         {.out = {"tolerated cases/a.json: executed though it breaks "
                  "MIN-ALIGN; not compared\n",
                  "check: 2 cases: 0 agree, 0 disagree, 0 unsupported, 0 "
                  "malformed, 2 tolerated; "},
          .err = {"nothing legal was compared: the target executed 2 cases "
                  "that the documents refuse"}});
  ExpectMembers(ReadJson("run.json"), {{"/summary/tolerated", 2},
                                       {"/cases/0/verdict", "tolerated"},
                                       {"/headline/tone", "incomplete"}});
  ExpectParts(Slurp(In("run.xml")), {"<skipped", "skipped=\"2\""});
  ExpectMembers(ReadJson("run.sa"), {{"/runs/0/properties/tolerated", 2}});
  // One that refuses without a reason refuses perhaps everything.
  Expect(Lanediff(check("rejects")), 2,
         {.err = {"nothing legal was compared: the target refuses 2 cases and "
                  "names no rule"},
          .not_out = {"1 rule enforced"}});
  // With a legal case that agrees both are answers, and the merged run is the
  // same.
  Spill(In("cases/c.json"), OfCount0(MinCase("c")));
  Expect(Lanediff(check("executes")), 0);
  Expect(InShards(check("executes"), 2), 0, {.out = {", 2 tolerated; "}});
}

TEST_F(ExecTarget, ClaimingWhatIsUnsupportedIsNoSuccess) {
  Spill(In("lazy.py"), kLazy);
  WriteCases({{"a", OfCount0(MinCase("a"))}});
  const std::string check =
      "check cases --target 'exec:python3 lazy.py unsupported'";
  EXPECT_EQ(Lanediff(check).status, 0);
  // An illegal call need not be supported.
  Spill(In("cases/b.json"), Illegal(MinCase("b")));
  EXPECT_EQ(Lanediff(check).status, 0);
  Spill(In("cases/c.json"), MinCase("c"));
  Expect(Lanediff(check), 2,
         {.err = {"1 of 3 cases that the target claims is legal and "
                  "unsupported; fix: "}});
  EXPECT_EQ(Lanediff(check + " --allow-unsupported").status, 0);
  // So do its files and its shards.
  EXPECT_EQ(Lanediff(check + " --junit o.xml --sarif o.sarif").status, 2);
  ExpectParts(Slurp(In("o.xml")), {"<error message=\"1 of 3 cases that "});
  ExpectMembers(ReadJson("o.sarif"), {{"/runs/0/invocations/0/exitCode", 2}});
  // All shards count, those in which everything was supported, too.
  Expect(InShards(check, 3), 2,
         {.err = {"1 of 3 cases that the target claims is legal"},
          .not_out = {"never executed"}});
}

TEST_F(ExecTarget, AnInstructionThatOneShardHasAndNoneExecutesIsNoSuccess) {
  Spill(In("lazy.py"), kLazy);
  WriteCases({{"a", OfCount0(MinCase("a"))},
              {"b", Replaced(MinCase("b"), "\"Min\"", "\"Max\"")}});
  const std::string check =
      "check cases --target 'exec:python3 lazy.py unsupported' "
      "--allow-unsupported --sarif o.sarif";
  for (const Result& r : {InShards(check, 2), Lanediff(check)}) {
    Expect(r, 2,
           {.err = {"Max is claimed by the target and never executed; fix: "}});
  }
  ExpectMembers(ReadJson("o.sarif"), {{"/runs/0/invocations/0/exitCode", 2}});
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
          "sweep --instruction Min --max-cases 40 --sample", "target check"}) {
      const bool is_check = verb == "target check";
      Expect(Shell(program + " " + verb +
                   (is_check ? " " : " --legal-only --timeout 60 --target ") +
                   target),
             0, {.not_out = {"\nunsupported: "}});
    }
  }
}

TEST_F(ExecTarget, ExecutingWhatIsIllegalIsToleratedAndReported) {
  Spill(In("cases/c-trigger.json"), Illegal(MinCase("illegal")));
  Expect(CheckProgram("well"), 0,
         {.out = {"tolerated: 1 rules were broken and the call executed, 1 "
                  "times in all: MIN-ALIGN 1"}});
  Expect(CheckProgram("well", "--legal-only"), 0,
         {.out = {"left out: 1 cases that the documents refuse"}});
}

TEST_F(ExecTarget, IsCheckedBeforeAllElse) {
  Expect(Lanediff("target check exec:" LANEDIFF_TARGETS "/emulator_program"), 0,
         {.out = {
              "ok    handshake: ", "ok    Min, legal: ", "ok    Min, illegal: ",
              "ok    repeated case: ", "ok    unknown instruction: error",
              "ok    memory guard: ", "ok    closing: "}});
  Expect(Lanediff("target check --timeout 3 " + Program("ignores-eof")), 3,
         {.out = {"FAIL  closing: "}});
}

}  // namespace
}  // namespace lanediff::cli::test
