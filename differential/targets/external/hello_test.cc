#include "differential/targets/external/hello.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "differential/subprocess/process.h"
#include "differential/testcase/testing.h"

namespace lanediff::diff {
namespace {

TEST(Hello, WithoutCapabilitiesExecutesWhateverItIsGiven) {
  const auto self = ReadHello(R"({"hello": {"protocol": 1, "name": "m"}})");
  ASSERT_TRUE(self);
  EXPECT_EQ(self->name, "m");
  EXPECT_EQ(self->can.legality, Capabilities::Legality::kNone);
  EXPECT_FALSE(self->can.notes);
  EXPECT_FALSE(self->can.instructions);
  EXPECT_EQ(self->window, 1);
  EXPECT_EQ(self->memory, MemoryText::kWhole);
}

TEST(Hello, ListsWhatThereIs) {
  const auto self = ReadHello(
      R"({"hello": {"protocol": 1, "name": "m", "version": "2", "capabilities":
        {"instructions": ["Min"], "products": ["atlas-a2"], "dtypes": ["half"],
         "orders": ["left-fold"], "saturation": ["on"], "legality": "rules",
         "notes": true, "window": 16, "memory": "sparse"}}})");
  ASSERT_TRUE(self) << LineOf(self.error());
  EXPECT_EQ(self->can.instructions, (std::vector<std::string>{"Min"}));
  EXPECT_EQ(self->can.orders, (std::vector{isa::Order::kLeftFold}));
  EXPECT_EQ(self->can.saturation, (std::vector<bool>{true}));
  EXPECT_EQ(self->can.legality, Capabilities::Legality::kRules);
  EXPECT_EQ(self->window, 16);
  EXPECT_EQ(self->memory, MemoryText::kSparse);
}

TEST(Hello, NamesThePlaceOfWhatIsWrong) {
  const auto pointer = [](const std::string& capabilities) {
    OutsideSelf self;
    const auto read = ReadCapabilities(capabilities, self);
    return read ? std::string("none") : read.error().pointer;
  };
  EXPECT_EQ(pointer("{}"), "none");
  EXPECT_EQ(pointer(R"({"instructions": ["Mim"]})"), "/instructions/0");
  EXPECT_EQ(pointer(R"({"instructions": ["Min", "SetVectorMask", "ResetMask",
                        "SetFlag", "GetValue"]})"),
            "none");
  EXPECT_EQ(pointer(R"({"instructions": ["Min", "Carried"]})"),
            "/instructions/1");
  EXPECT_EQ(pointer(R"({"window": 0})"), "/window");
  EXPECT_EQ(pointer(R"({"legality": "no"})"), "/legality");
  EXPECT_EQ(pointer(R"({"speed": 9})"), "/speed");
  EXPECT_EQ(pointer(R"({"forms": ["count", "register"]})"), "none");
  EXPECT_EQ(pointer(R"({"forms": ["count", "masks"]})"), "/forms/1");
  EXPECT_FALSE(ReadHello(R"({"hello": {"protocol": 2}})"));
  EXPECT_FALSE(ReadHello("hello"));
}

using Words = std::vector<std::string>;

TEST(SplitWords, PartsAsAShellWouldAndExpandsNothing) {
  EXPECT_EQ(SplitWords("python3 model.py"), (Words{"python3", "model.py"}));
  EXPECT_EQ(SplitWords("  a\tb\n c "), (Words{"a", "b", "c"}));
  EXPECT_EQ(SplitWords(""), Words());
  EXPECT_EQ(SplitWords("'a b' \"c d\" e\\ f"), (Words{"a b", "c d", "e f"}));
  EXPECT_EQ(SplitWords("a'b'\"c\"d ''"), (Words{"abcd", ""}));
  EXPECT_EQ(SplitWords("\"a\\\"b\\\\c\\n\""), (Words{"a\"b\\c\\n"}));
  EXPECT_EQ(SplitWords("'a\\'b"), (Words{"a\\b"}));
  EXPECT_EQ(SplitWords("$HOME * ~ a;b | c"),
            (Words{"$HOME", "*", "~", "a;b", "|", "c"}));
  EXPECT_FALSE(SplitWords("a 'b"));
  EXPECT_FALSE(SplitWords("a \"b"));
  EXPECT_FALSE(SplitWords("a\\"));
}

using Document = nlohmann::json;

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

Document Written(MemoryText memory) {
  const auto text = WriteExpandedCase(SmallCase(), memory);
  EXPECT_EQ(text->find('\n'), std::string::npos);
  return Document::parse(*text);
}

TEST(ExpandedCase, FillsInWhatMayBeLeftOut) {
  const Document json = Written(MemoryText::kSparse);
  const Document& sum = json.at("program").at(1);
  EXPECT_EQ(sum.at("isSetMask"), true);
  EXPECT_EQ(sum.at("dst").at("dtype"), "float");
  EXPECT_EQ(sum.at("src").at("dtype"), "half");
  EXPECT_EQ(json.at("edition"), "2026");
  EXPECT_FALSE(json.contains("expect"));
  EXPECT_FALSE(json.contains("note"));
}

TEST(ExpandedCase, ListsEveryMemoryThatIsUsed) {
  const Document whole = Written(MemoryText::kWhole).at("memory");
  EXPECT_EQ(whole.at("GM"),
            Document::parse(R"({"size": 8, "hex": "a5a501000100a5a5"})"));
  EXPECT_EQ(whole.at("UB").at("hex").get<std::string>().size(),
            2 * whole.at("UB").at("size").get<std::size_t>());
  const Document sparse = Written(MemoryText::kSparse).at("memory");
  EXPECT_EQ(
      sparse.at("GM"),
      Document::parse(
          R"({"size": 8, "fill": "a5", "regions": [{"at": 2, "hex": "01000100"}]})"));
  EXPECT_EQ(sparse.at("UB").at("regions"), Document::array());
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
