#include "tools/history/part.h"

#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

constexpr const char* kId = "min/memory-0123456789abcdef";

class PartTest : public CampaignTest {
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
  Part Read(const std::string& text) const {
    const std::string file = (folder_ / "document.json").string();
    std::ofstream(file) << text;
    const auto part = ReadPart(file);
    EXPECT_TRUE(part) << part.error();
    return part.value_or(Part());
  }
  void ExpectKept(const std::string& text) {
    const Sighting kept = Read(text).findings.at(kSignature);
    EXPECT_EQ(kept.case_name, kId);
    EXPECT_TRUE(kept.case_text.contains(kId));
    // A check names the compared case.
    AddText(text, Day(1));
    Add(2, {.verb = "check", .case_name = kId});
    EXPECT_EQ(Summary(), "fixed: 1-1-2");
  }
};

const Document kFuzz = {.verb = "fuzz",
                        .signatures = {kSignature},
                        .path = "out/findings/memory-min-nan-half.json",
                        .named_by_signature = true};

constexpr const char* kExhaust =
    R"({"format":"lanediff-exhaust/1","target":"model","spaces":[{"space":"a",)"
    R"("from":0,"to":9,"points":9,"unsupported":0,"seconds":1,"complete":true,)"
    R"("findings":[{"call":1,"signature":"memory/min/nan/half","message":"m",)"
    R"("path":"out/findings/min-memory.json","reproduce":""}]}]})";

TEST_F(PartTest, KeepsTheCaseThatFuzzSaved) {
  SaveCase("memory-min-nan-half.json", kSignature);
  ExpectKept(kFuzz.Text());
}

TEST_F(PartTest, KeepsTheCaseThatExhaustSaved) {
  SaveCase("min-memory.json", kSignature);
  ExpectKept(kExhaust);
}

TEST_F(PartTest, KeepsNoCaseOfAnotherFinding) {
  SaveCase("memory-min-nan-half.json", "memory/min/value/half");
  const Sighting found = Read(kFuzz.Text()).findings.at(kSignature);
  EXPECT_EQ(found.case_text, "");
  EXPECT_EQ(found.case_name, kSignature);
}

TEST_F(PartTest, KeepsNoOtherCaseOfARunWithIds) {
  SaveCase("p.json", kSignature);
  Document check = kFuzz;
  check.verb = "check";
  check.path = "findings/p.json";
  check.named_by_signature = false;
  const Sighting found = Read(check.Text()).findings.at(kSignature);
  EXPECT_EQ(found.case_text, "");
  EXPECT_EQ(found.case_name, "case");
}

TEST_F(PartTest, OfTwoFindingsOfOneFuzzedCaseBothHaveIt) {
  // Fuzz calls the case as the first of them, and met that one often.
  const std::string first = "memory/min/nan/half";
  const std::string second = "notes/min/MIN-REPEAT/half";
  SaveCase("memory-min-nan-half.json", first);
  Document fuzz = kFuzz;
  fuzz.times = 7;
  std::string text = fuzz.Text();
  const std::string findings = R"("findings":[{)";
  const auto from = text.find(findings) + findings.size() - 1;
  std::string finding = text.substr(from, text.find("]}", from) - from);
  finding.replace(finding.find(first), first.size(), second);
  text.insert(text.find("]}", from), "," + finding);
  const Part part = Read(text);
  EXPECT_EQ(part.findings.at(first).times, 7);
  EXPECT_EQ(part.findings.at(second).times, 1);
  for (const std::string& one : {first, second}) {
    EXPECT_EQ(part.findings.at(one).case_name, kId) << one;
    EXPECT_TRUE(part.findings.at(one).case_text.contains(kId)) << one;
  }
}

TEST_F(PartTest, ACaseThatComesLaterIsKept) {
  const std::string text = kFuzz.Text();
  AddText(text, Day(1));
  EXPECT_EQ(History().findings[0].case_name, kSignature);
  SaveCase("memory-min-nan-half.json", kSignature);
  EXPECT_NE(
      AddText(text, Day(1))
          .lines[0]
          .find("is there already; added 1 case that was not at hand then"),
      std::string::npos);
  EXPECT_EQ(History().findings[0].case_name, kId);
  EXPECT_EQ(History().findings[0].times, 1);
  EXPECT_TRUE(AddText(text, Day(1)).lines[0].ends_with("is there already"));
}

}  // namespace
}  // namespace lanediff::campaign::test
