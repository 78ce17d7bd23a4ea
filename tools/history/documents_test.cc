#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/history/document.h"
#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

constexpr const char* kId = "min/memory-0123456789abcdef";

const std::string kFuzz = fmt::format(
    "fuzz! path=out/findings/memory-min-nan-half.json id={}", kSignature);

class DocumentsTest : public CampaignTest {
 protected:
  /// A case with another id than the documents' word for it.
  void SaveCase(const std::string& name, const std::string& signature) const {
    Case c = DecodeFuzzInput({});
    c.id = kId;
    c.origin.emplace();
    c.origin->signature = signature;
    fs::create_directories(folder_ / "findings");
    std::ofstream(folder_ / "findings" / name) << WriteCase(c);
  }
  /// Its findings, kept or not.
  std::map<std::string, Sighting> Read(const std::string& text) const {
    const std::string file = (folder_ / "document.json").string();
    std::ofstream(file) << text;
    const auto document = ReadDocumentOf(file);
    EXPECT_TRUE(document) << document.error();
    return document.value_or(Document()).findings;
  }
  std::string ProblemOf(const std::string& text, const std::string& date) {
    const auto result = AddText(text, date);
    return result.problems.empty() ? "" : result.problems[0];
  }
};

TEST_F(DocumentsTest, KeepTheCaseThatFuzzOrExhaustSaved) {
  const std::string exhaust =
      R"({"schema":"lanediff-report/2","kind":"exhaust","target":"model",)"
      R"("reference":"oracle","spaces":[{"space":)"
      R"("a","from":0,"to":9,"points":9,"unsupported":0,"seconds":1,)"
      R"("complete":true,"findings":[{"call":1,"signature":)"
      R"("memory/min/nan/half","message":"m",)"
      R"("path":"out/findings/min-memory.json","reproduce":""}]}]})";
  for (const auto& [name, text] :
       {std::pair("memory-min-nan-half.json", RunJson(kFuzz).dump()),
        {"min-memory.json", exhaust}}) {
    SaveCase(name, kSignature);
    const Sighting kept = Read(text).at(kSignature);
    EXPECT_EQ(kept.case_name, kId);
    EXPECT_TRUE(kept.case_text.contains(kId));
    AddText(text, Day(1));
    const auto history = History();
    Database database(DatabasePath(), Database::For::kReading);
    EXPECT_EQ(KeptCase(database, history.findings.at(0)), kept.case_text);
    // A check names the compared case.
    Add(2, fmt::format("check id={}", kId));
    EXPECT_EQ(Summary(), "fixed: 1-1-2");
    fs::remove(DatabasePath());
  }
}

TEST_F(DocumentsTest, KeepNoCaseOfAnotherFindingOrId) {
  SaveCase("memory-min-nan-half.json", kOther);
  EXPECT_EQ(Read(RunJson(kFuzz).dump()).at(kSignature).case_text, "");
  EXPECT_EQ(Read(RunJson(kFuzz).dump()).at(kSignature).case_name, kSignature);
  SaveCase("p.json", kSignature);
  const std::string check = RunJson("check! path=findings/p.json").dump();
  EXPECT_EQ(Read(check).at(kSignature).case_text, "");
  EXPECT_EQ(Read(check).at(kSignature).case_name, "case");
}

TEST_F(DocumentsTest, OfTwoFindingsOfOneFuzzedCaseBothHaveIt) {
  // Fuzz calls the case as the first of them, and met that one often.
  const char* const second = "notes/min/MIN-REPEAT/half";
  SaveCase("memory-min-nan-half.json", kSignature);
  Json json = RunJson(kFuzz + " times=7");
  Json& list = json["cases"][0]["findings"];
  list.push_back(list[0]);
  list[1]["signature"] = second;
  const auto findings = Read(json.dump());
  EXPECT_EQ(findings.at(kSignature).times, 7);
  EXPECT_EQ(findings.at(second).times, 1);
  for (const char* one : {kSignature, second}) {
    EXPECT_EQ(findings.at(one).case_name, kId) << one;
    EXPECT_TRUE(findings.at(one).case_text.contains(kId)) << one;
  }
}

TEST_F(DocumentsTest, ACaseThatComesLaterIsKept) {
  const std::string text = RunJson(kFuzz).dump();
  AddText(text, Day(1));
  EXPECT_EQ(History().findings[0].case_name, kSignature);
  SaveCase("memory-min-nan-half.json", kSignature);
  EXPECT_TRUE(
      AddText(text, Day(1))
          .lines[0]
          .contains(
              "is there already; added 1 case that was not at hand then"));
  EXPECT_EQ(History().findings[0].case_name, kId);
  EXPECT_EQ(History().findings[0].times, 1);
  EXPECT_TRUE(AddText(text, Day(1)).lines[0].ends_with("is there already"));
}

TEST_F(DocumentsTest, AnAuditAddsFindingsOfItsGroups) {
  const auto add = [&](int day, bool found, const Json& more = Json::object()) {
    Json audit = Json::parse(
        R"({"schema":"lanediff-report/2","kind":"audit","target":"model",)"
        R"("reference":"oracle","groups":[],"cases":5,"unsupported":0,)"
        R"("beyond":0,"skipped":0,"steps":5,"comparedBytes":5,"nodes":5,)"
        R"("complete":true,"interrupted":false,"stopped":"","rules":[{)"
        R"("id":"MIN-REPEAT","instruction":"Min","cells":[{)"
        R"("product":"atlas-a2","compared":5}]}]})");
    if (found) {
      audit["groups"].push_back({{"signature", kSignature},
                                 {"instruction", "Min"},
                                 {"class", "result"},
                                 {"message", "it differs"},
                                 {"cases", 3},
                                 {"case", "a"},
                                 {"path", "cases/a.json"},
                                 {"reproduce", "lanediff check cases/a.json"}});
    }
    audit.update(more);
    AddText(audit.dump(), Day(day));
  };
  add(1, true);
  EXPECT_EQ(History().findings.at(0).times, 3);
  EXPECT_EQ(History().findings[0].case_name, "a");
  // Of legal calls alone, without all requested cases, of fewer claims.
  add(2, false, {{"about", {{"legalOnly", true}}}});
  add(3, false, {{"skipped", 40}, {"complete", false}});
  add(4, false, {{"beyond", 7}});
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().runs[2].unfinished, "40 cases not run");
  add(5, false);
  EXPECT_EQ(Summary(), "fixed: 1-1-5");
}

TEST_F(DocumentsTest, DocumentsOfVersion1AreRead) {
  const std::map<std::string, std::uint64_t> cases = {
      {"run", 2}, {"audit", 40}, {"mutants", 7}, {"exhaust", 130560}};
  for (const auto& [kind, count] : cases) {
    const std::string file =
        LANEDIFF_SOURCE_DIR "/reports/older/" + kind + ".json";
    EXPECT_EQ(KindOf(file).value(), kind);
    const auto document = ReadDocumentOf(file);
    ASSERT_TRUE(document) << document.error();
    EXPECT_EQ(document->cases, count) << kind;
    EXPECT_EQ(document->findings.contains("rules/min/MIN-BOUNDS/half/mask"),
              kind == "run");
    if (kind == "run") {
      EXPECT_EQ(document->coverage.at(0).instruction, "min");
    }
  }
  const auto shard =
      ReadDocumentOf(LANEDIFF_SOURCE_DIR "/reports/older/shard.json");
  EXPECT_TRUE(shard.error().contains("fix: lanediff merge DIR"));
}

TEST_F(DocumentsTest, UnreadableOnesAreReported) {
  const std::string good = RunJson("sweep!").dump();
  const auto with = [&](const char* pointer, const Json& value) {
    Json json = RunJson("sweep!");
    json[Json::json_pointer(pointer)] = value;
    return json.dump();
  };
  Json twice = RunJson("sweep cases=9223372036854775808");
  twice["sweeps"].push_back(twice["sweeps"][0]);  // is 0 in 64 bits
  for (const auto& [text, problem] :
       std::vector<std::pair<std::string, std::string>>{
           {good.substr(0, good.size() / 2), "not JSON"},
           {with("/schema", "lanediff-report/3"),
            "/schema: found \"lanediff-report/3\"; \"lanediff-report/2\" is "
            "allowed"},
           {with("/kind", "weaken"), "found the kind \"weaken\"; "},
           {"{}", "found no report's"},
           {R"({"format":"lanediff-run/2"})",
            "/format: found \"lanediff-run/2\"; \"lanediff-run/1\" is allowed"},
           {with("/cases/0/steps", "x"), "/cases/0/steps: found"},
           {with("/summary/nodes", "x"), "/summary/nodes: found"},
           {with("/summary/nodes", -1), "/summary/nodes: found"},
           {with("/summary/nodes", 1.5), "/summary/nodes: found"},
           {with("/summary/nodes", nullptr), "/summary/nodes: found"},
           {with("/summary/nodes", Json::array()), "/summary/nodes: found"},
           {with("/target", ""), "missing target"},
           {R"({"format":"lanediff-shard/1"})", "fix: lanediff merge DIR"},
           {with("/verb", "hunt"), "/verb: found \"hunt\""},
           {RunJson("sweep cases=18446744073709551615").dump(), "above 2^53"},
           {RunJson("sweep sees=x").dump(), "found the signature \"x\"; "},
           {twice.dump(), "a count above 2^53"}}) {
    EXPECT_TRUE(ProblemOf(text, Day(1)).contains(problem))
        << problem << '\n'
        << ProblemOf(text, Day(1));
  }
  EXPECT_TRUE(ProblemOf(good, "").contains("missing date"));
  EXPECT_TRUE(ProblemOf(good, "2026-02-30").contains("date: found"));
  EXPECT_TRUE(History().runs.empty());
}

TEST(Dates, AreDaysOrMomentsInUtc) {
  EXPECT_EQ(NoDate("2027-01-01"), "");
  EXPECT_EQ(NoDate("2027-01-01T23:59:59Z"), "");
  for (const char* bad : {"", "2027-1-1", "2027-13-01", "2027-01-01T24:00:00Z",
                          "2027-01-01T23:59:60Z", "2027-01-01 02:00",
                          "2027-01-01T02:00:00+01:00"}) {
    EXPECT_NE(NoDate(bad), "") << bad;
  }
}

TEST(Signatures, HaveFourOrFiveWords) {
  for (const char* good : {"memory/min/value/half", "reads-outside/min/a/b/c",
                           "outcome/min/MIN-MASK-BITS/float/mask-words"}) {
    EXPECT_TRUE(IsSignature(good)) << good;
  }
  for (const char* bad :
       {"", "x", "memory/min/value", "memory/min/value/", "/a/b/c",
        "memory//value/half", "../../../etc/passwd", "a/b/c/d/e/f",
        "memory/min/value/half\n", "Memory/min/value/half"}) {
    EXPECT_FALSE(IsSignature(bad)) << bad;
  }
}

}  // namespace
}  // namespace lanediff::campaign::test
