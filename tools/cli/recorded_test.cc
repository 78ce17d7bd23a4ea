// Records outcomes with `lanediff exec --out` and compares them with `lanediff
// check --target recorded:DIR`, as a user with outcomes of a device does.

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;

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
    const Result r = Lanediff("exec " + paths + " --out dir " + more);
    ASSERT_EQ(r.status, 0) << r.out << r.err;
  }
  Result Check(const std::string& paths, const std::string& more = "") const {
    return Lanediff("check " + paths + " --target recorded:dir " + more);
  }
  void Replace(const std::string& id, const std::string& old,
               const std::string& now) const {
    std::string text = Slurp(Document(id));
    const auto at = text.find(old);
    ASSERT_NE(at, std::string::npos) << text;
    Spill(Document(id), text.replace(at, old.size(), now));
  }
};

TEST_F(Recorded, TheWholeCorpusAgreesWithTheEmulatorsRecording) {
  const Result made = Lanediff("exec " + kRecordedCorpus + " --out dir");
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_TRUE(Has(made.out,
                  " 0 unsupported, 0 failed; outcomes in dir, edition 2024, "
                  "2026\n"));
  const Result r = Check(kRecordedCorpus);
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, " agree, 0 disagree, 0 unsupported, 0 malformed"));
  EXPECT_TRUE(Has(
      r.out, " nodes of recorded:dir against oracle, edition 2024, 2026\n"));
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
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, printed.out);
}

TEST_F(Recorded, OneOtherByteIsFoundAndItsCommandReproducesIt) {
  Record(kSums);
  Replace(kWorked, "\"hex\": \"58", "\"hex\": \"59");
  Replace(kWorked, "\"emulator\"", "\"card 7\"");
  const Result r = Check(kSums);
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_TRUE(Has(r.out, " 1 disagree, 0 unsupported, 0 malformed")) << r.out;
  EXPECT_TRUE(Has(
      r.out,
      "  memory: recorded:dir against oracle: step 0 RepeatReduceSum: UB byte "
      "0 (dst element of iteration 0 lane 0, half): expected 35584 (0x7858), "
      "found 35616 (0x7859), 1 ULP apart; 1 byte differs in all (observed: "
      "card 7)\n  signature: memory/repeat_reduce_sum/value/half\n"))
      << r.out;
  EXPECT_TRUE(Has(r.out, "  expectation: recorded:dir against expect: "));
  const std::string mark = "  reproduce: ";
  const auto at = r.out.find(mark) + mark.size();
  const Result again = Shell(r.out.substr(at, r.out.find('\n', at) - at));
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_TRUE(Has(again.out, "check: 1 cases: 0 agree, 1 disagree"));
}

TEST_F(Recorded, OneOtherRuleStepOrNoteIsFound) {
  Record(kSums);
  Replace(kRejected, "\"RRS-REPEAT\"", "\"RRS-ELEMS\"");
  Replace(kWorked, "\"RRS-PREFER-WHOLE-REDUCE-SUM\"", "");
  const Result r = Check(CaseFile(kRejected) + " " + CaseFile(kWorked));
  EXPECT_EQ(r.status, 1);
  EXPECT_TRUE(Has(r.out,
                  "rules: recorded:dir against oracle: step 0 RepeatReduceSum: "
                  "rules differ: missing RRS-REPEAT; unexpected RRS-ELEMS"))
      << r.out;
  EXPECT_TRUE(Has(r.out,
                  "notes: recorded:dir against oracle: step 0 RepeatReduceSum: "
                  "notes differ: missing RRS-PREFER-WHOLE-REDUCE-SUM"));
  // A target without the rules gets no illegal calls.
  Spill(Document(kRejected), R"({"outcome": "rejected", "step": 0})");
  EXPECT_EQ(Check(CaseFile(kRejected)).status, 0);
  Spill(Document(kRejected), R"({"outcome": "executed", "memory": {}})");
  const Result ran = Check(CaseFile(kRejected));
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(Has(ran.out, "expected rejected for RRS-REPEAT, found executed"));
}

TEST_F(Recorded, AnotherImplementationDiffersAsItDoesWhenItRuns) {
  const std::string mutant = "mutant:rrs-left-fold";
  Record(kSums, "--target " + mutant);
  const Result run = Lanediff("check " + kSums + " --target " + mutant);
  const Result recorded = Check(kSums);
  EXPECT_EQ(recorded.status, 1);
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos;
         at = text.find(part, at + 1)) {
      ++n;
    }
    return n;
  };
  EXPECT_GT(count(run.out, "\ndisagree "), 0u);
  for (const std::string part : {"\ndisagree ", "\n  memory: ",
                                 "signature: memory/repeat_reduce_sum/value"}) {
    EXPECT_EQ(count(recorded.out, part), count(run.out, part)) << part;
  }
}

TEST_F(Recorded, MissingOnesAreUnsupportedAndCounted) {
  Record(CaseFile(kWorked) + " " + CaseFile(kRejected));
  fs::remove(Document(kRejected));
  const std::string both = CaseFile(kWorked) + " " + CaseFile(kRejected);
  const Result r = Check(both, "--json run.json --junit run.xml");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out, "unsupported " + CaseFile(kRejected) +
                             ": no outcome document dir/" + kRejected +
                             ".json\n"))
      << r.out;
  EXPECT_TRUE(Has(r.out,
                  "2 cases: 1 agree, 0 disagree, 1 unsupported (1 without an "
                  "outcome document), 0 malformed"));
  const Json json = Json::parse(Slurp(In("run.json")));
  EXPECT_EQ(json.at("summary").at("unsupported"), 1);
  EXPECT_EQ(json.at("summary").at("unrecorded"), 1);
  EXPECT_EQ(json.at("cases").at(1).at("reason"),
            "no outcome document dir/" + kRejected + ".json");
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_file(In("run.xml").c_str()));
  const auto suite = xml.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);

  Spill(Document(kRejected), R"({"outcome": "unsupported", "step": 0})");
  EXPECT_TRUE(Has(Check(both).out, ": recorded as unsupported at step 0\n"));
  EXPECT_TRUE(Has(Check(both).out, "1 unsupported, 0 malformed"));

  fs::remove_all(In("dir"));
  fs::create_directories(In("dir"));
  const Result none = Check(both);
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(Has(none.out, "2 unsupported (2 without an outcome document)"));
  EXPECT_EQ(none.err, "lanediff: nothing was compared\n");
}

TEST_F(Recorded, AnUnrecordedCaseMakesNoKnownIssueStale) {
  Spill(In("known.json"), R"({ "format": "lanediff-known-issues/1",
      "issues": [ { "signature": "memory/repeat_reduce_sum/value/half",
        "reason": "seen", "link": "https://example.com/1",
        "expires": "2999-01-01" } ] })");
  Record(CaseFile(kWorked) + " " + CaseFile(kRejected));
  const std::string both = CaseFile(kWorked) + " " + CaseFile(kRejected);
  EXPECT_EQ(Check(both, "--known-issues known.json").status, 1) << "stale";
  fs::remove(Document(kRejected));
  const Result r = Check(both, "--known-issues known.json");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
}

TEST_F(Recorded, AMalformedDocumentIs2AndTheOthersAreStillCompared) {
  Record(kSums);
  Replace(kRejected, "\"step\": 0", "\"step\": 1");
  const Result r = Check(kSums);
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.out, "malformed " + CaseFile(kRejected) + ": dir/" +
                             kRejected +
                             ".json: /step: found 1; 0 to 0 is allowed\n"))
      << r.out;
  EXPECT_TRUE(Has(r.out, " 0 disagree, 0 unsupported, 1 malformed"));
  // That of another case.
  fs::copy_file(Document(kWorked), Document(kRejected),
                fs::copy_options::overwrite_existing);
  const Result other = Check(CaseFile(kRejected));
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(Has(other.out, ".json: /case: found \"" + kWorked + "\"; \"" +
                                 kRejected + "\" is allowed"))
      << other.out;
  // A disagreement beats it.
  Replace(kWorked, "\"hex\": \"58", "\"hex\": \"59");
  const Result mixed = Check(kSums);
  EXPECT_EQ(mixed.status, 1);
  EXPECT_TRUE(Has(mixed.out, "1 disagree, 0 unsupported, 1 malformed"));
}

TEST_F(Recorded, ExplainShowsWhatWasRecordedAndJudgesAsCheckDoes) {
  Record(CaseFile(kWorked));
  Replace(kWorked, "\"emulator\"", "\"card 7\"");
  const auto explain = [&] {
    return Lanediff("explain " + CaseFile(kWorked) +
                    " --target recorded:dir --html page.html");
  };
  const auto has = [](const std::string& text,
                      const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
      EXPECT_TRUE(Has(text, part)) << part << "\n" << text;
    }
  };
  const Result right = explain();
  EXPECT_EQ(right.status, 0) << right.err;
  has(right.out, {"expected against actual: all agree\n",
                  "  recorded:dir: executed, noted for "
                  "RRS-PREFER-WHOLE-REDUCE-SUM (observed: card 7)\n",
                  "35584 (0x7858)     35584 (0x7858)     35584 (0x7858)\n",
                  " bytes of recorded:dir against oracle, and both against"});
  EXPECT_FALSE(Has(right.out, "DIFFERS")) << right.out;
  EXPECT_FALSE(Has(right.out, "unsupported")) << right.out;
  has(Slurp(In("page.html")), {R"("unsupported":false)", R"("differ":false)"});

  Replace(kWorked, "\"hex\": \"58", "\"hex\": \"59");
  const Result wrong = explain();
  EXPECT_EQ(wrong.status, 1);
  has(wrong.out, {"expected against actual: DISAGREE\n",
                  "found 35616 (0x7859), 1 ULP apart",
                  "35584 (0x7858)     35616 (0x7859)     DIFFERS\n"});
  has(Slurp(In("page.html")), {R"j("actual":"35616 (0x7859)")j"});

  Spill(Document(kWorked), R"({"outcome": "unsupported", "step": 0})");
  const Result unable = explain();
  EXPECT_EQ(unable.status, 2);
  has(unable.out, {"expected against actual: NOT COMPARED: recorded as "
                   "unsupported at step 0\n"});
  EXPECT_FALSE(Has(unable.out, "DIFFERS")) << unable.out;
  EXPECT_FALSE(Has(unable.out, "compared 0 steps")) << unable.out;
  has(Slurp(In("page.html")), {R"("unsupported":true)",
                               R"("why":"recorded as unsupported at step 0")"});

  Spill(Document(kWorked), R"({"outcome": "executed"})");
  const Result malformed = explain();
  EXPECT_EQ(malformed.status, 2);
  has(malformed.out, {"NOT COMPARED: dir/" + kWorked + ".json: "});
  has(Slurp(In("page.html")), {R"("unsupported":true)"});

  fs::remove(Document(kWorked));
  const Result missing = explain();
  EXPECT_EQ(missing.status, 2);
  has(missing.out, {"NOT COMPARED: no outcome document dir/" + kWorked});
}

TEST_F(Recorded, ExplainMarksWhatWasNotObserved) {
  fs::create_directories(Document(kRejected).parent_path());
  Spill(Document(kRejected), R"({"outcome": "rejected", "step": 0})");
  const Result r =
      Lanediff("explain " + CaseFile(kRejected) + " --target recorded:dir");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out,
                  "  recorded:dir: rejected at step 0, rules not observed, "
                  "notes not observed, memory not observed\n"))
      << r.out;
}

TEST_F(Recorded, AFolderOfCasesIsNoFolderOfOutcomes) {
  const Result r = Lanediff("check " + CaseFile(kWorked) +
                            " --target recorded:" + kRecordedCorpus);
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.out, ": /format: an outcome document has no such field"))
      << r.out;
}

TEST_F(Recorded, NoIdLeadsOutOfTheFolder) {
  for (const char* id : {"a/../../secret", "../secret", "/secret", "a//b"}) {
    WriteCaseAs("case.json", "\"" + kWorked + "\"",
                "\"" + std::string(id) + "\"");
    fs::create_directories(In("dir/a"));
    Spill(In("secret.json"), R"({"outcome": "executed", "memory": {}})");
    const Result r = Check("case.json");
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_TRUE(Has(
        r.out, "the id \"" + std::string(id) + "\" names no outcome document"))
        << r.out;
    const Result made = Lanediff("exec case.json --out dir");
    EXPECT_EQ(made.status, 2) << made.out;
    EXPECT_TRUE(Has(made.out, "names no outcome document"));
    EXPECT_TRUE(fs::is_empty(In("dir/a")));
  }
}

TEST_F(Recorded, ExecOverwritesNothingAndGoesOn) {
  Record(CaseFile(kWorked));
  Spill(Document(kWorked), "mine");
  WriteCaseAs("bad.json", "\"repeat\"", "\"repeats\"");
  const Result r = Lanediff("exec bad.json none.json " + CaseFile(kWorked) +
                            " " + CaseFile(kRejected) + " --out dir");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.out, "failed bad.json: /program/0: "));
  EXPECT_TRUE(Has(r.out, "failed none.json: can't be read"));
  EXPECT_TRUE(Has(r.out, "dir/" + kWorked + ".json: exists; remove it or"));
  EXPECT_TRUE(Has(r.out,
                  "exec: 4 cases on emulator: 0 executed, 1 rejected, 0 "
                  "unsupported, 3 failed; outcomes in dir, edition 2026\n"))
      << r.out;
  EXPECT_EQ(Slurp(Document(kWorked)), "mine");
  EXPECT_TRUE(fs::exists(Document(kRejected)));
}

TEST_F(Recorded, WrongUsageIs2AndNamesWhatIsRight) {
  Record(CaseFile(kWorked));
  Spill(In("file"), "");
  const std::string good = CaseFile(kWorked);
  const std::string runs = "a target that runs any case is allowed here";
  const std::vector<std::pair<std::string, std::string>> rows = {
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
      {"exec " + good + " --out file", "--out: file: "},
      {"exec " + good + " " + good, "--out DIR takes a document of each"},
      {"exec .", "--out DIR takes a document of each"},
  };
  for (const auto& [arguments, message] : rows) {
    const Result r = Lanediff(arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_TRUE(Has(r.err, message)) << arguments << ": " << r.err;
    EXPECT_EQ(r.out, "") << arguments;
  }
}

TEST_F(Recorded, TheProgramReportsIt) {
  EXPECT_TRUE(Has(Lanediff("list targets").out, "recorded:DIR  "));
  EXPECT_TRUE(Has(Lanediff("check --help").out, "recorded:DIR"));
  EXPECT_TRUE(Has(Lanediff("exec --help").out, "recorded:DIR"));
}

}  // namespace
}  // namespace lanediff::cli::test
