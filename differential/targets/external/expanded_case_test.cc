#include "differential/targets/external/expanded_case.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "differential/compare/corpus_testing.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::diff {
namespace {

using Json = nlohmann::json;

Case SmallCase() {
  return ReadCase(R"({"format": "lanediff-case/1", "id": "a/b",
      "note": "not for programs", "product": "atlas-a2",
      "memory": {"GM": {"size": 8, "fill": "a5", "regions": [
        {"at": 2, "dtype": "int16", "values": [{"value": 1, "count": 2}]}]}},
      "program": [{"op": "DataCopy", "dtype": "int16",
        "dst": {"position": "VECIN", "at": 0, "bytes": 32},
        "src": {"position": "GM", "at": 0, "bytes": 32}, "count": 16},
        {"op": "RepeatReduceSum", "dtype": "half",
         "dst": {"position": "VECOUT", "at": 0, "bytes": 32, "dtype": "float"},
         "src": {"position": "VECIN", "at": 0, "bytes": 256},
         "repeat": 1, "elemsInOneRepeat": 4, "dstBlkStride": 0,
         "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8}],
      "expect": {"outcome": "executed", "memory": {}}})")
      .value();
}

Json Written(MemoryText memory) {
  const auto text = WriteExpandedCase(SmallCase(), memory);
  EXPECT_EQ(text->find('\n'), std::string::npos);
  return Json::parse(*text);
}

TEST(ExpandedCase, FillsInWhatMayBeLeftOut) {
  const Json json = Written(MemoryText::kSparse);
  const Json& sum = json.at("program").at(1);
  EXPECT_EQ(sum.at("isSetMask"), true);
  EXPECT_EQ(sum.at("dst").at("dtype"), "float");
  EXPECT_EQ(sum.at("src").at("dtype"), "half");
  EXPECT_EQ(json.at("edition"), "2026");
  EXPECT_FALSE(json.contains("expect"));
  EXPECT_FALSE(json.contains("note"));
}

TEST(ExpandedCase, ListsEveryMemoryThatIsUsed) {
  const Json whole = Written(MemoryText::kWhole).at("memory");
  EXPECT_EQ(whole.at("GM"),
            Json::parse(R"({"size": 8, "hex": "a5a501000100a5a5"})"));
  EXPECT_EQ(whole.at("UB").at("hex").get<std::string>().size(),
            2 * whole.at("UB").at("size").get<std::size_t>());
  const Json sparse = Written(MemoryText::kSparse).at("memory");
  EXPECT_EQ(
      sparse.at("GM"),
      Json::parse(
          R"({"size": 8, "fill": "a5", "regions": [{"at": 2, "hex": "01000100"}]})"));
  EXPECT_EQ(sparse.at("UB").at("regions"), Json::array());
}

TEST(ExpandedCase, IsACaseThatMeansTheSame) {
  for (const Case& c : Corpus()) {
    const auto text = WriteExpandedCase(c, MemoryText::kSparse);
    ASSERT_TRUE(text) << c.id;
    const auto back = ReadCase(*text);
    ASSERT_TRUE(back) << c.id << LineOf(back.error());
    EXPECT_EQ(WriteExpandedCase(*back, MemoryText::kSparse), *text) << c.id;
  }
}

TEST(ExpandedCase, ThatNoLineHoldsIsRefused) {
  Case c = SmallCase();
  c.memory[0]->size = std::int64_t{64} << 20;
  EXPECT_FALSE(WriteExpandedCase(c, MemoryText::kWhole));
  EXPECT_TRUE(WriteExpandedCase(c, MemoryText::kSparse));
}

}  // namespace
}  // namespace lanediff::diff
