#include "reports/case_view_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::reports::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string Print(const Case& c, const std::string& target = "emulator") {
  return CaseViewJson(view::ViewCase(c, **diff::FindTarget(target),
                                     **diff::FindTarget("oracle")));
}

Case Corpus(const std::string& name) {
  const auto c = ReadCaseFile(LANEDIFF_SOURCE_DIR "/corpus/" + name + ".json");
  EXPECT_TRUE(c) << name << ": " << c.error();
  return c.value_or(Case());
}

TEST(CaseViewJson, ElementsAreTextsAndAlikeOnesAreOne) {
  const Json json = Json::parse(
      Print(Corpus("repeat_reduce_sum/worked-saturates-at-65504-a2")));
  const Json& step = json.at("steps").at(0);
  EXPECT_EQ(step.at("arithmetic"), "tree");
  const Json node = {0,
                     0,
                     "add",
                     "60000 (0x7b53)",
                     "60000 (0x7b53)",
                     "120000",
                     "65504 (0x7bff)",
                     "rs"};
  EXPECT_EQ(step.at("shown").at(0).at("nodes").at(0), node);
  const Json& dst = step.at("blocks").at(0);
  EXPECT_EQ(dst.at("touched"), "ww" + std::string(30, '.'));
  EXPECT_EQ(dst.at("before").at("values"), "-0.02205");
  EXPECT_EQ(dst.at("after").at("hex").get<std::string>().substr(0, 6),
            "5878a5");
  EXPECT_FALSE(dst.contains("actual"));
  const Json& src = step.at("blocks").at(1);
  EXPECT_EQ(src.at("before").at("values").get<std::string>().substr(0, 28),
            "60000 60000 -30000 100 -0.02");
  EXPECT_FALSE(src.contains("after"));
  const Json access = {0, "r", 1024, 8, 0};
  EXPECT_EQ(step.at("shown").at(0).at("accesses").at(0), access);
}

TEST(CaseViewJson, FindingHasBitsDecimalAndDistance) {
  const Json json =
      Json::parse(Print(Corpus("repeat_reduce_sum/tree-128-random-halves"),
                        "mutant:rrs-left-fold"));
  const Json& difference = json.at("findings").at(0).at("difference");
  EXPECT_EQ(difference.at("expected"), "-7696 (0xef84)");
  EXPECT_EQ(difference.at("actual"), "-7736 (0xef8e)");
  EXPECT_EQ(difference.at("ulp"), "10");
  const Json& dst = json.at("steps").at(0).at("blocks").at(0);
  EXPECT_EQ(dst.at("differing"), Json::array({0}));
  EXPECT_EQ(dst.at("actual").at("hex").get<std::string>().substr(0, 4), "8eef");
}

TEST(CaseViewJson, HostileTextsStayTexts) {
  Case c = Corpus("repeat_reduce_sum/worked-saturates-at-65504-a2");
  c.id = "</script><script>alert(1)</script>";
  c.note = "\"quotes\" \\ \x01\x1f \xff <!-- \n \xe2\x80\xa8";
  const std::string text = Print(c);
  // Control characters and a line's end stand in no JSON text.
  EXPECT_TRUE(std::ranges::none_of(
      text, [](char ch) { return static_cast<unsigned char>(ch) < 0x20; }));
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("id"), c.id);
  EXPECT_EQ(json.at("note"),
            "\"quotes\" \\ \x01\x1f \xef\xbf\xbd <!-- \n \xe2\x80\xa8");
}

TEST(CaseViewJson, TheCorpusStaysSmall) {
  std::vector<std::size_t> sizes;
  for (const auto& entry : fs::recursive_directory_iterator(
           fs::path(LANEDIFF_SOURCE_DIR) / "corpus")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || name.ends_with(".schema.json") ||
        name == "known_issues.json") {
      continue;
    }
    const auto c = ReadCaseFile(entry.path().string());
    ASSERT_TRUE(c) << name;
    sizes.push_back(Print(*c).size());
    EXPECT_LT(sizes.back(), 300'000u) << name;
  }
  ASSERT_FALSE(sizes.empty());
  std::ranges::sort(sizes);
  const auto at = [&](double part) {
    return sizes[static_cast<std::size_t>(
        part * static_cast<double>(sizes.size() - 1))];
  };
  EXPECT_LT(at(0.5), 60'000u);
  EXPECT_LT(at(0.9), 120'000u);
  RecordProperty("median", static_cast<int>(at(0.5)));
  RecordProperty("largest", static_cast<int>(sizes.back()));
}

TEST(CaseViewJson, ManyLargeStepsShareTheSpace) {
  std::string program;
  for (int i = 0; i < 40; ++i) {
    program += R"(
        {"op": "RepeatReduceSum", "dtype": "half",
         "dst": {"position": "VECOUT", "at": 0, "bytes": 510},
         "src": {"position": "VECIN", "at": 1024, "bytes": 65280},
         "repeat": 255, "elemsInOneRepeat": 128, "dstBlkStride": 0,
         "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8},
        {"op": "Min", "dtype": "half", "mask": ["0x5555555555555555", "0x5555555555555555"],
         "dst": {"position": "VECOUT", "at": 131072, "bytes": 65280},
         "src0": {"position": "VECIN", "at": 1024, "bytes": 65280},
         "src1": {"position": "VECIN", "at": 131072, "bytes": 65280},
         "repeatTimes": 255, "repeatParams":
           {"dstBlkStride": 1, "src0BlkStride": 1, "src1BlkStride": 1,
            "dstRepStride": 8, "src0RepStride": 8, "src1RepStride": 8}},)";
  }
  program.pop_back();
  const auto c = ReadCase(
      R"({"format": "lanediff-case/1", "id": "test/large", "product": "atlas-a2",
          "memory": {"UB": {"regions": [{"at": 1024, "dtype": "half",
            "values": [{"from": 0.37, "step": 1.7, "count": 32640}]}]}},
          "program": [)" +
      program + "]}");
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_LT(Print(*c).size(), 300'000u);
}

}  // namespace
}  // namespace lanediff::reports::test
