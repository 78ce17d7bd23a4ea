// Documents over runs of kernels: valid, complete, the same each time, whatever
// the texts are.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>

#include "differential/testcase/record_json.h"
#include "reports/kernel.h"
#include "reports/kernel_line.h"
#include "reports/kernel_record.h"
#include "reports/kernel_testing.h"
#include "reports/report.h"
#include "reports/schema_testing.h"

namespace lanediff::reports::test {
namespace {

using Json = nlohmann::json;
using kernel::RunRecord;

constexpr const char* kSchema = "kernel.schema.json";

KernelSources SampleSources() {
  std::string hostile = kHostile;
  std::ranges::replace(hostile, '\n', '\t');
  std::string text;
  for (int line = 1; line < 24; ++line) text += "// <" + hostile + ">\n";
  return KernelSources(
      {{"src/add.cpp", text + "  Add(z, x, y, n);\n"}, {kHostile, text}});
}

TEST(KernelJson, IsValidAndComesBack) {
  for (const RunRecord& record : {CleanRun(), SampleRun(), RunRecord{}}) {
    const std::string text = KernelJson(record);
    EXPECT_TRUE(FitsSchema(text, kSchema)) << text;
    EXPECT_EQ(text, KernelJson(record));
    const auto read = ReadDocument<KernelDocument>(text);
    ASSERT_TRUE(read.has_value()) << LineOf(read.error());
    EXPECT_EQ(KernelJson(read->record), text);
    EXPECT_TRUE(read->record.findings == record.findings);
    EXPECT_TRUE(read->record.sites == record.sites);
    EXPECT_TRUE(read->record.settings == record.settings);
  }
  EXPECT_TRUE(FitsSchema(KernelJson(HostileRun()), kSchema));
  EXPECT_FALSE(FitsSchema(
      Replaced(KernelJson(SampleRun()), "\"racecheck\"", "\"race\""), kSchema));
  EXPECT_FALSE(FitsSchema(Replaced(KernelJson(SampleRun()),
                                   "\"complete\": false", "\"complete\": true"),
                          kSchema));
}

TEST(KernelJson, HasStatusAndFindings) {
  const Json json = Json::parse(KernelJson(SampleRun()));
  ExpectAt(json,
           {{"/schema", "lanediff-report/2"},
            {"/kind", "kernel"},
            {"/summary",
             Json::parse(R"({"memcheck": 0, "racecheck": 1, "synccheck": 1,
                             "initcheck": 0, "paramcheck": 0, "maskcheck": 0,
                             "valuecheck": 0, "suppressed": 1, "notes": 2,
                             "status": 1})")},
            {"/complete", false},
            {"/reasons",
             {"src/add.cpp:31: refused: CrossCoreSetFlag (synchronization "
              "between cores)"}},
            {"/findings/0/later/lanes", {0, 63}},
            {"/findings/0/earlier/site/call", 2},
            {"/sentence",
             "2 findings in 192 audited and 64 unaudited calls in 8 blocks"}});
}

TEST(KernelDocuments, NameTheCauseOfAFinding) {
  RunRecord record = SampleRun();
  record.findings[1].follows_from = {"SYNC-RAW", {"src/add.cpp", 24, 1}};
  record.findings[1].unknown_bytes = 64;
  record.findings[1].unknown = "argument 2, elements 0 to 15";
  const std::string text = KernelJson(record);
  EXPECT_TRUE(FitsSchema(text, kSchema)) << text;
  ExpectAt(Json::parse(text)["findings"][1],
           {{"/followsFrom",
             {{"rule", "SYNC-RAW"},
              {"site", {{"file", "src/add.cpp"}, {"line", 24}}}}},
            {"/unknownBytes", 64}});
  ExpectAt(SarifRun(ToSarif(ToReport(record, SampleSources())))["results"][1],
           {{"/properties/followsFrom", "SYNC-RAW src/add.cpp:24"},
            {"/relatedLocations/0/physicalLocation/region/startLine", 24}});
  EXPECT_TRUE(Has(ToJunit(ToReport(record, SampleSources())),
                  "follows from: SYNC-RAW src/add.cpp:24"));
  const std::string page = ToHtml(ToReport(record, SampleSources()));
  EXPECT_TRUE(Has(page, "follows from: <a href=\"#s1-24\">SYNC-RAW "));
  EXPECT_TRUE(Has(page, "elements 0 to 15"));
}

TEST(KernelJunit, IsValidAndHasATestForEachSite) {
  for (const RunRecord& record : {CleanRun(), SampleRun(), HostileRun()}) {
    const std::string text = ToJunit(ToReport(record, SampleSources()));
    EXPECT_TRUE(FitsJunit(text)) << text;
    EXPECT_EQ(text, ToJunit(ToReport(record, SampleSources())));
  }
  pugi::xml_document document;
  document.load_string(ToJunit(ToReport(SampleRun(), SampleSources())).c_str());
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  // Lines 21, 22, 24, 27, 30 and 31, and the list that is stale.
  EXPECT_EQ(suite.attribute("tests").as_int(), 7);
  EXPECT_EQ(suite.attribute("failures").as_int(), 3);
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  const pugi::xml_node race =
      suite.find_child_by_attribute("testcase", "name", "line 24 Add");
  EXPECT_STREQ(race.child("failure").attribute("type").value(), "SYNC-RAW");
  EXPECT_EQ(race.child("failure").text().as_string(),
            KernelFindingText(SampleFinding()));
}

TEST(KernelJunit, ARunThatWentWrongIsNoSuccess) {
  RunRecord crashed = CleanRun();
  crashed.end = {kernel::End::How::kCrashed, 11, "killed by SIGSEGV"};
  RunRecord suppressed;
  suppressed.findings = {SampleFinding()};
  suppressed.findings[0].suppressed = "accepted";
  for (const RunRecord& record : {RunRecord{}, crashed, suppressed}) {
    EXPECT_GE(KernelStatus(record), 2);
    EXPECT_FALSE(ReasonsOf(record).empty());
    pugi::xml_document document;
    document.load_string(ToJunit(ToReport(record, SampleSources())).c_str());
    EXPECT_EQ(document.child("testsuites")
                  .child("testsuite")
                  .attribute("errors")
                  .as_int(),
              1);
  }
}

TEST(KernelSarif, IsValidAndNamesRulesThatItLists) {
  for (const RunRecord& record : {CleanRun(), SampleRun(), HostileRun()}) {
    const std::string text = ToSarif(ToReport(record, SampleSources()));
    EXPECT_EQ(text, ToSarif(ToReport(record, SampleSources())));
    const Json run = SarifRun(text);
    EXPECT_EQ(run["results"].size(),
              record.findings.size() + record.notes.size());
    std::set<std::string> met;
    for (const Json& result : run["results"]) met.insert(result["ruleId"]);
    EXPECT_EQ(run["tool"]["driver"]["rules"].size(), met.size())
        << "and no others";
  }
}

TEST(KernelSarif, BothAccessesHaveTheirPlaces) {
  const Json run =
      Json::parse(ToSarif(ToReport(SampleRun(), SampleSources())))["runs"][0];
  const std::string place = "/locations/0/physicalLocation/";
  ExpectAt(run["results"][0],
           {{place + "region/startLine", 24},
            {place + "artifactLocation/uri", "src/add.cpp"},
            {"/message/text",
             "Add reads UB [0,16384) on V, unordered with DataCopy "
             "src/add.cpp:21, which writes it on MTE2. First met in block 0, "
             "execution 1, lanes 0 to 63 (and 63 more); bytes 0 to 16383 of "
             "the buffer of src/add.cpp:14; missing: SetFlag/WaitFlag MTE2_V, "
             "or EnQue/DeQue, between src/add.cpp:21 and :24."},
            {"/relatedLocations/0/physicalLocation/region/startLine", 21},
            {"/relatedLocations/0/message/text",
             "the other access: DataCopy on MTE2"},
            {"/partialFingerprints/lanediffRuleFileLine~1v1",
             "SYNC-RAW src/add.cpp: Add(z, x, y, n);"},
            {"/occurrenceCount", 64}});
  ExpectAt(run, {{"/results/2/suppressions/0/justification",
                  "padding lanes, never stored"},
                 {"/results/3/level", "note"},
                 {"/invocations/0/exitCode", 1}});
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 2u);
}

std::size_t CountOf(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos;
       at += what.size()) {
    ++count;
  }
  return count;
}

TEST(KernelHtml, LinksEveryPlaceAndIsTheSameEachTime) {
  const std::string page = ToHtml(ToReport(SampleRun(), SampleSources()));
  EXPECT_EQ(page, ToHtml(ToReport(SampleRun(), SampleSources())));
  std::set<std::string> ids;
  for (std::size_t at = 0; (at = page.find(" id=\"", at)) != std::string::npos;
       ++at) {
    const std::string id = page.substr(at + 5, page.find('"', at + 5) - at - 5);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
  std::size_t links = 0;
  for (std::size_t at = 0;
       (at = page.find("href=\"#", at)) != std::string::npos; ++at) {
    const std::string id = page.substr(at + 7, page.find('"', at + 7) - at - 7);
    EXPECT_TRUE(ids.contains(id)) << id;
    ++links;
  }
  EXPECT_GT(links, 10u);
  EXPECT_TRUE(
      Has(page,
          "<tr role=\"row\" id=\"s1-24\" class=\"bad\"><td role=\"cell\" "
          "class=\"number\" data-label=\"line\" data-value=\"24\">24</td>"));
  EXPECT_TRUE(Has(page, ">64×</td>"));
  EXPECT_TRUE(Has(page, ">  Add(z, x, y, n);</td>"));
  // The other access stands beside its own line, and leads to the first.
  EXPECT_TRUE(
      Has(page, "<a href=\"#s1-24\">SYNC-RAW: the other access of Add at "));
  // A line that the file doesn't have is shown all the same.
  EXPECT_TRUE(Has(page, "<tr role=\"row\" id=\"s1-30\" class=\"bad\">"));
}

TEST(KernelHtml, LoadsNothingAndShowsEveryTextAsText) {
  for (const RunRecord& record : {SampleRun(), HostileRun()}) {
    const std::string page = ToHtml(ToReport(record, SampleSources()));
    EXPECT_FALSE(Has(page, "<script"));
    EXPECT_EQ(CountOf(page, "href="), CountOf(page, "href=\"#"));
    for (const char* what : {" src=", "url(", "@import", "<link", "http"}) {
      EXPECT_EQ(CountOf(page, what), what == std::string("http") ? 1u : 0u)
          << what;  // http-equiv
    }
    EXPECT_TRUE(Has(page, "default-src 'none'"));
    EXPECT_TRUE(Has(page, "content=\"light dark\""));
    EXPECT_TRUE(Json(page).dump().size() > 0) << "is UTF-8, or dump throws";
    // Well-formed but for what HTML lets stand open.
    std::string body = page.substr(page.find("<body>"));
    body.resize(body.find("</html>"));
    pugi::xml_document document;
    const auto parsed = document.load_string(body.c_str());
    EXPECT_TRUE(parsed) << parsed.description() << ": "
                        << body.substr(static_cast<std::size_t>(parsed.offset),
                                       200);
  }
}

TEST(KernelHtml, ListsWhatWasNotCheckedAndFailures) {
  RunRecord record = CleanRun();
  record.end = {kernel::End::How::kTimedOut, 0, ""};
  const std::string page = ToHtml(ToReport(record, {}));
  EXPECT_TRUE(Has(page,
                  ">hidden-by-auto-sync</th><td role=\"cell\" class=\"number\" "
                  "data-label=\"how many\" data-value=\"9\">9</td>"));
  EXPECT_TRUE(
      Has(page, "lanediff run: the program did not end in the seconds"));
  EXPECT_TRUE(Has(page, "Not shown: no file that can be read"));
  EXPECT_TRUE(Has(page, "class=\"headline bad\""));
  EXPECT_TRUE(Has(ToHtml(ToReport(CleanRun(), {})), "class=\"headline good\""));
}

template <class T>
void ComesBack(const T& piece) {
  const std::string line = KernelLine(piece);
  EXPECT_FALSE(Has(line, "\n"));
  EXPECT_EQ(line, KernelLine(piece));
  const auto read = ReadKernelLine<T>(line);
  ASSERT_TRUE(read.has_value()) << LineOf(read.error());
  EXPECT_TRUE(*read == piece) << line << '\n' << KernelLine(*read);
}

TEST(KernelLine, EveryPieceComesBackWhateverItsTextsAre) {
  for (const kernel::RunRecord& record :
       {CleanRun(), SampleRun(), HostileRun()}) {
    for (const auto& finding : record.findings) ComesBack(finding);
    for (const auto& note : record.notes) ComesBack(note);
    for (const auto& refusal : record.refusals) ComesBack(refusal);
    for (const auto& row : record.sites) ComesBack(row);
    ComesBack(record.end);
    ComesBack(record.counts);
    ComesBack(record.settings);
  }
}

TEST(KernelLine, EveryByteComesBack) {
  kernel::Note note;
  for (int byte = 0; byte < 256; ++byte) {
    note.message += static_cast<char>(byte);
  }
  note.message += note.message;
  note.times = std::numeric_limits<std::int64_t>::max();
  note.site.line = -1;
  ComesBack(note);
}

TEST(KernelLine, InvalidLineIsReportedWithItsPlace) {
  const std::string line = KernelLine(SampleFinding());
  const auto cut = ReadKernelLine<kernel::Finding>(
      std::string_view(line).substr(0, line.size() - 1));
  ASSERT_FALSE(cut.has_value());
  const auto other = ReadKernelLine<kernel::Note>(line);
  ASSERT_FALSE(other.has_value());
  EXPECT_TRUE(Has(LineOf(other.error()), "field \"site\" is missing"));
  const auto lanes = line.find("[0,63]");
  ASSERT_NE(lanes, std::string::npos) << line;
  std::string wrong = line;
  wrong.replace(lanes, 6, "[63,0]");
  const auto span = ReadKernelLine<kernel::Finding>(wrong);
  ASSERT_FALSE(span.has_value());
  EXPECT_EQ(
      LineOf(span.error()),
      "/later/lanes: the first and the last number are allowed, ascending");
}

}  // namespace

}  // namespace lanediff::reports::test
