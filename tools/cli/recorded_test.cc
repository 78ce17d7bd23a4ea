// Records outcomes with `lanediff exec --out` and compares them with `lanediff
// check --target recorded:DIR`, as a user with outcomes of a device does.

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

const std::string kRecordedCorpus = LANEDIFF_SOURCE_DIR "/corpus";
const std::string kSums = kRecordedCorpus + "/repeat_reduce_sum";
const std::string kWorked = "repeat_reduce_sum/worked-saturates-at-65504-a2";
const std::string kRejected = "repeat_reduce_sum/repeat-256-rejected";

class Recorded : public ProgramTest {
 protected:
  std::string CaseFile(const std::string& id) const {
    return kRecordedCorpus + "/" + id + ".json";
  }
  fs::path Document(const std::string& id) const {
    return In("dir/" + id + ".json");
  }
  void Record(const std::string& paths, const std::string& more = "") const {
    Expect(Lanediff("exec " + paths + " --out dir " + more), 0);
  }
  Result Check(const std::string& paths, const std::string& more = "") const {
    return Lanediff("check " + paths + " --target recorded:dir " + more);
  }
  void Replace(const std::string& id, const std::string& old,
               const std::string& now) const {
    Spill(Document(id), Replaced(Slurp(Document(id)), old, now));
  }
};

TEST_F(Recorded, TheWholeCorpusAgreesWithTheEmulatorsRecording) {
  Expect(
      Lanediff("exec " + kRecordedCorpus + " --out dir"), 0,
      {.out = {
           " 0 unsupported, 0 failed; outcomes in dir, edition 2024, 2026\n"}});
  Expect(
      Check(kRecordedCorpus), 0,
      {.out = {" agree, 0 disagree, 0 unsupported, 0 malformed",
               " nodes of recorded:dir against oracle, edition 2024, 2026\n"}});
}

TEST_F(Recorded, ADocumentIsWhatExecPrintsAndItsCase) {
  Record(CaseFile(kWorked));
  Json document = Json::parse(Slurp(Document(kWorked)));
  EXPECT_EQ(document.at("case"), kWorked);
  document.erase("case");
  const Result printed = Lanediff("exec " + CaseFile(kWorked));
  EXPECT_EQ(document, Json::parse(printed.out));
  const Result again =
      Lanediff("exec " + CaseFile(kWorked) + " --target recorded:dir");
  Expect(again, 0);
  EXPECT_EQ(again.out, printed.out);
}

TEST_F(Recorded, OneOtherByteIsFoundAndItsCommandReproducesIt) {
  Record(kSums);
  Replace(kWorked, "\"hex\": \"58", "\"hex\": \"59");
  Replace(kWorked, "\"emulator\"", "\"card 7\"");
  const Result r = Check(kSums);
  Expect(r, 1,
         {.out = {" 1 disagree, 0 unsupported, 0 malformed",
                  "  memory: recorded:dir against oracle: step 0 "
                  "RepeatReduceSum: UB byte 0 (dst element of iteration 0 lane "
                  "0, half): expected 35584 (0x7858), found 35616 (0x7859), 1 "
                  "ULP apart; 1 byte differs in all (observed: card 7)\n  "
                  "signature: memory/repeat_reduce_sum/value/half\n",
                  "  expectation: recorded:dir against expect: "}});
  Expect(Shell(LineBehind(r.out, "  reproduce: ")), 1,
         {.out = {"check: 1 cases: 0 agree, 1 disagree"}});
}

TEST_F(Recorded, OneOtherRuleStepOrNoteIsFound) {
  Record(kSums);
  Replace(kRejected, "\"RRS-REPEAT\"", "\"RRS-ELEMS\"");
  Replace(kWorked, "\"RRS-PREFER-WHOLE-REDUCE-SUM\"", "");
  Expect(Check(CaseFile(kRejected) + " " + CaseFile(kWorked)), 1,
         {.out = {"rules: recorded:dir against oracle: step 0 RepeatReduceSum: "
                  "rules differ: missing RRS-REPEAT; unexpected RRS-ELEMS",
                  "notes: recorded:dir against oracle: step 0 RepeatReduceSum: "
                  "notes differ: missing RRS-PREFER-WHOLE-REDUCE-SUM"}});
  // A target without the rules gets no illegal calls.
  Spill(Document(kRejected), R"({"outcome": "rejected", "step": 0})");
  EXPECT_EQ(Check(CaseFile(kRejected)).status, 0);
  Spill(Document(kRejected), R"({"outcome": "executed", "memory": {}})");
  Expect(Check(CaseFile(kRejected)), 1,
         {.out = {"expected rejected for RRS-REPEAT, found executed"}});
}

TEST_F(Recorded, AnotherImplementationDiffersAsItDoesWhenItRuns) {
  const std::string mutant = "mutant:rrs-left-fold";
  Record(kSums, "--target " + mutant);
  const Result run = Lanediff("check " + kSums + " --target " + mutant);
  const Result recorded = Check(kSums);
  EXPECT_EQ(recorded.status, 1);
  EXPECT_GT(CountOf(run.out, "\ndisagree "), 0u);
  for (const std::string part : {"\ndisagree ", "\n  memory: ",
                                 "signature: memory/repeat_reduce_sum/value"}) {
    EXPECT_EQ(CountOf(recorded.out, part), CountOf(run.out, part)) << part;
  }
}

TEST_F(Recorded, MissingOnesAreUnsupportedAndCounted) {
  Record(CaseFile(kWorked) + " " + CaseFile(kRejected));
  fs::remove(Document(kRejected));
  const std::string both = CaseFile(kWorked) + " " + CaseFile(kRejected);
  Expect(Check(both, "--json run.json --junit run.xml"), 0,
         {.out = {"unsupported " + CaseFile(kRejected) +
                      ": no outcome document dir/" + kRejected + ".json\n",
                  "2 cases: 1 agree, 0 disagree, 1 unsupported (1 without an "
                  "outcome document), 0 malformed"}});
  const Json json = ReadJson("run.json");
  ExpectMembers(json, {{"/summary/unsupported", 1},
                       {"/summary/unrecorded", 1},
                       {"/cases/1/reason",
                        "no outcome document dir/" + kRejected + ".json"}});
  ExpectParts(Slurp(In("run.xml")), {R"( skipped="1">)"});

  Spill(Document(kRejected), R"({"outcome": "unsupported", "step": 0})");
  ExpectParts(Check(both).out, {": recorded as unsupported at step 0\n",
                                "1 unsupported, 0 malformed"});

  fs::remove_all(In("dir"));
  fs::create_directories(In("dir"));
  const Result none = Check(both);
  Expect(none, 2, {.out = {"2 unsupported (2 without an outcome document)"}});
  EXPECT_EQ(none.err, "lanediff: nothing was compared\n");
}

TEST_F(Recorded, AnUnrecordedCaseMakesNoKnownIssueStale) {
  Spill(In("known.json"),
        KnownIssueList({"memory/repeat_reduce_sum/value/half"}));
  Record(CaseFile(kWorked) + " " + CaseFile(kRejected));
  const std::string both = CaseFile(kWorked) + " " + CaseFile(kRejected);
  EXPECT_EQ(Check(both, "--known-issues known.json").status, 1) << "stale";
  fs::remove(Document(kRejected));
  Expect(Check(both, "--known-issues known.json"), 0);
}

TEST_F(Recorded, AMalformedDocumentIs2AndTheOthersAreStillCompared) {
  Record(kSums);
  Replace(kRejected, "\"step\": 0", "\"step\": 1");
  Expect(Check(kSums), 2,
         {.out = {"malformed " + CaseFile(kRejected) + ": dir/" + kRejected +
                      ".json: /step: found 1; 0 to 0 is allowed\n",
                  " 0 disagree, 0 unsupported, 1 malformed"}});
  // That of another case.
  fs::copy_file(Document(kWorked), Document(kRejected),
                fs::copy_options::overwrite_existing);
  Expect(Check(CaseFile(kRejected)), 2,
         {.out = {".json: /case: found \"" + kWorked + "\"; \"" + kRejected +
                  "\" is allowed"}});
  // A case itself.
  Expect(Lanediff("check " + CaseFile(kWorked) +
                  " --target recorded:" + kRecordedCorpus),
         2, {.out = {": /format: an outcome document has no such field"}});
  // A disagreement beats it.
  Replace(kWorked, "\"hex\": \"58", "\"hex\": \"59");
  Expect(Check(kSums), 1, {.out = {"1 disagree, 0 unsupported, 1 malformed"}});
}

TEST_F(Recorded, ExplainShowsWhatWasRecordedAndJudgesAsCheckDoes) {
  Record(CaseFile(kWorked));
  Replace(kWorked, "\"emulator\"", "\"card 7\"");
  const auto explain = [&] {
    return Lanediff("explain " + CaseFile(kWorked) +
                    " --target recorded:dir --html page");
  };
  const auto page = [&](const Strings& parts) {
    ExpectParts(Slurp(In("page/index.html")), parts);
  };
  Expect(explain(), 0,
         {.out = {"expected against actual: all agree\n",
                  "  recorded:dir: executed, noted for "
                  "RRS-PREFER-WHOLE-REDUCE-SUM (observed: card 7)\n",
                  "35584 (0x7858)     35584 (0x7858)     35584 (0x7858)\n",
                  " bytes of recorded:dir against oracle, and both against"},
          .not_out = {"DIFFERS", "unsupported"}});
  page({R"("unsupported":false)", R"("differ":false)"});

  Replace(kWorked, "\"hex\": \"58", "\"hex\": \"59");
  Expect(explain(), 1,
         {.out = {"expected against actual: DISAGREE\n",
                  "found 35616 (0x7859), 1 ULP apart",
                  "35584 (0x7858)     35616 (0x7859)     DIFFERS\n"}});
  page({R"j("actual":"35616 (0x7859)")j"});

  Spill(Document(kWorked), R"({"outcome": "unsupported", "step": 0})");
  Expect(explain(), 2,
         {.out = {"expected against actual: NOT COMPARED: recorded as "
                  "unsupported at step 0\n"},
          .not_out = {"DIFFERS", "compared 0 steps"}});
  page({R"("unsupported":true)",
        R"("why":"recorded as unsupported at step 0")"});

  Spill(Document(kWorked), R"({"outcome": "executed"})");
  Expect(explain(), 2, {.out = {"NOT COMPARED: dir/" + kWorked + ".json: "}});
  page({R"("unsupported":true)"});

  fs::remove(Document(kWorked));
  Expect(explain(), 2,
         {.out = {"NOT COMPARED: no outcome document dir/" + kWorked}});
}

TEST_F(Recorded, ExplainMarksWhatWasNotObserved) {
  fs::create_directories(Document(kRejected).parent_path());
  Spill(Document(kRejected), R"({"outcome": "rejected", "step": 0})");
  Expect(Lanediff("explain " + CaseFile(kRejected) + " --target recorded:dir"),
         0,
         {.out = {"  recorded:dir: rejected at step 0, rules not observed, "
                  "notes not observed, memory not observed\n"}});
}

TEST_F(Recorded, NoIdLeadsOutOfTheFolder) {
  for (const char* id : {"a/../../secret", "../secret", "/secret", "a//b"}) {
    WriteCaseAs("case.json", "\"" + kWorked + "\"",
                "\"" + std::string(id) + "\"");
    fs::create_directories(In("dir/a"));
    Spill(In("secret.json"), R"({"outcome": "executed", "memory": {}})");
    Expect(Check("case.json"), 2,
           {.out = {"the id \"" + std::string(id) +
                    "\" names no outcome document"}});
    Expect(Lanediff("exec case.json --out dir"), 2,
           {.out = {"names no outcome document"}});
    EXPECT_TRUE(fs::is_empty(In("dir/a")));
  }
}

TEST_F(Recorded, ExecOverwritesNothingAndGoesOn) {
  Record(CaseFile(kWorked));
  Spill(Document(kWorked), "mine");
  WriteCaseAs("bad.json", "\"repeat\"", "\"repeats\"");
  Expect(Lanediff("exec bad.json none.json " + CaseFile(kWorked) + " " +
                  CaseFile(kRejected) + " --out dir"),
         2,
         {.out = {"failed bad.json: /program/0/repeats: unknown field, did you "
                  "mean repeat?",
                  "failed none.json: not found\n",
                  "dir/" + kWorked + ".json: exists; remove it or",
                  "exec: 4 cases on emulator: 0 executed, 1 rejected, 0 "
                  "unsupported, 3 failed; outcomes in dir, edition 2026\n"}});
  EXPECT_EQ(Slurp(Document(kWorked)), "mine");
  EXPECT_TRUE(fs::exists(Document(kRejected)));
}

TEST_F(Recorded, WrongUsageIs2AndNamesWhatIsRight) {
  Record(CaseFile(kWorked));
  Spill(In("file"), "");
  const std::string good = CaseFile(kWorked);
  const std::string runs = "a target that runs any case is allowed here";
  ExpectAllRefused({
      {"check " + good + " --target recorded:none",
       "--target: recorded:none: No such file or directory; recorded:DIR"},
      {"check " + good + " --target recorded:file", "is no folder"},
      {"check " + good + " --target recorded:", "no folder is named"},
      {"check " + good + " --reference recorded:dir", runs},
      {"shrink " + good + " --target recorded:dir", runs},
      {"shrink " + good + " --reference recorded:dir", runs},
      {"fuzz --target recorded:dir", runs},
      {"sweep --target recorded:dir", runs},
      {"sweep --reference recorded:dir", runs},
      {"generate --check --target recorded:dir", runs},
      {"exhaust rrs-parameters --target recorded:dir", runs},
      {"exec " + good + " --target recorded:none", "recorded:DIR takes"},
      {"exec " + good + " --out file", "--out: file: can't be made: "},
      {"exec " + good + " " + good, "--out DIR takes a document of each"},
      {"exec .", "--out DIR takes a document of each"},
  });
}

}  // namespace
}  // namespace lanediff::cli::test
