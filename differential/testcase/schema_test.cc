// The published JSON Schema and the reader: what both take and what both
// refuse. The reader is the authority; what it alone can see is listed in
// `OnlyTheReaderSees`.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "isa/step.h"

namespace lanediff {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kCorpus = fs::path(LANEDIFF_SOURCE_DIR) / "corpus";

std::string Slurp(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Json& SchemaJson(std::string_view name = "case") {
  static const Json json =
      Json::parse(Slurp(kCorpus / "schema/case.schema.json"));
  static const Json of_kernels =
      Json::parse(Slurp(kCorpus / "schema/case-2.schema.json"));
  return name == "case" ? json : of_kernels;
}

std::unique_ptr<valijson::Schema> ParsedSchema(std::string_view name) {
  auto parsed = std::make_unique<valijson::Schema>();
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(
      valijson::adapters::NlohmannJsonAdapter(SchemaJson(name)), *parsed);
  return parsed;
}

/// By the schema of the format that the document names.
bool SchemaTakes(const std::string& text) {
  static const auto older = ParsedSchema("case");
  static const auto of_kernels = ParsedSchema("case-2");
  const Json document = Json::parse(text);
  const bool is_newer = document.is_object() &&
                        document.value("format", Json()) == "lanediff-case/2";
  const auto& schema = is_newer ? of_kernels : older;
  valijson::Validator validator;
  return validator.validate(
      *schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
}

/// A case that has every field of every step.
constexpr std::string_view kGood = R"({ "format": "lanediff-case/1",
  "id": "a/b", "note": "n", "product": "atlas-a2",
  "memory": { "GM": { "fill": "00", "size": 64 }, "UB": { "regions": [
      { "at": 1024, "dtype": "half", "values": [1, "nan", "-0", "0x7e01",
        { "value": "inf", "count": 2 },
        { "from": 0.5, "step": 1, "count": 2 } ] },
      { "at": 2048, "hex": "a5A5" } ] } },
  "program": [ { "op": "PipeBarrier", "pipe": "ALL" },
    { "op": "SetVectorMask", "high": "0x0", "low": "0xf" },
    { "op": "SetSaturation", "enabled": true },
    { "op": "RepeatReduceSum", "dtype": "half",
      "dst": { "position": "VECOUT", "at": -1, "bytes": 32, "dtype": "int8" },
      "src": { "position": "VECIN", "at": 1024, "bytes": 256 },
      "repeat": 9223372036854775807, "elemsInOneRepeat": 1, "dstBlkStride": 0,
      "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8,
      "isSetMask": false } ],
  "expect": { "outcome": "rejected", "step": 3, "rules": ["RRS-REPEAT"],
    "notes": [], "memory": { "UB": [] } },
  "origin": { "tool": "t", "seed": "1" }, "requirement": ["RRS-TREE"] })";

struct Row {
  std::string old;
  std::string now;
};

std::string Apply(const Row& row) {
  std::string text(kGood);
  const auto at = text.find(row.old);
  EXPECT_NE(at, std::string::npos) << row.old;
  return text.replace(at, row.old.size(), row.now);
}

TEST(CaseSchema, TakesTheGoodDocument) {
  EXPECT_TRUE(ReadCase(kGood));
  EXPECT_TRUE(SchemaTakes(std::string(kGood)));
}

TEST(CaseSchema, BothTakeAnExecutedCaseThatLeavesMemoryOpen) {
  const std::string text =
      Apply({"\"rejected\", \"step\": 3, \"rules\": [\"RRS-REPEAT\"],\n    "
             "\"notes\": "
             "[], \"memory\": { \"UB\": [] }",
             "\"executed\", \"memory\": \"any\""});
  EXPECT_TRUE(ReadCase(text));
  EXPECT_TRUE(SchemaTakes(text));
}

TEST(CaseSchema, EveryCaseOfTheCorpusIsTakenByBoth) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kCorpus)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".json") || name.ends_with(".schema.json") ||
        name == "known_issues.json") {
      continue;
    }
    const std::string text = Slurp(entry.path());
    EXPECT_TRUE(SchemaTakes(text)) << entry.path();
    const auto c = ReadCase(text);
    EXPECT_TRUE(c) << entry.path() << c.error().pointer << c.error().message;
    ++count;
  }
  EXPECT_GT(count, 100u);
}

TEST(CaseSchema, RefusesWhatTheReaderRefuses) {
  const std::vector<Row> rows = {
      {"lanediff-case/1", "lanediff-case/3"},
      {"\"id\": \"a/b\", ", ""},
      {"a/b", "A"},
      {"a/b", ""},
      {"\"note\": \"n\"", "\"note\": 1"},
      {"\"note\": \"n\"", "\"remark\": \"n\""},
      {"atlas-a2", "atlas-a9"},
      {"\"GM\":", "\"HBM\":"},
      {"\"size\": 64", "\"bytes\": 64"},
      {"\"size\": 64", "\"size\": -1"},
      {"\"size\": 64", "\"size\": 1073741825"},
      {"\"fill\": \"00\"", "\"fill\": \"000\""},
      {"\"fill\": \"00\"", "\"fill\": 0"},
      {"\"at\": 1024", "\"at\": -1"},
      {"\"at\": 1024", "\"at\": \"1024\""},
      {"\"at\": 1024, ", ""},
      {"\"dtype\": \"half\"", "\"dtype\": \"float16\""},
      {"\"values\": [1", "\"values\": [true"},
      {"\"values\": [1", "\"values\": [[]"},
      {"\"values\": [1", "\"values\": [{}"},
      {"\"values\": [1", "\"values\": [\"NaN\""},
      {"\"count\": 2 },", "\"count\": -1 },"},
      {"\"count\": 2 },", "\"count\": 2, \"step\": 1 },"},
      {"\"value\": \"inf\", ", ""},
      {"\"from\": 0.5", "\"from\": \"0.5\""},
      {"\"hex\": \"a5A5\"", "\"hex\": \"a5A\""},
      {"\"hex\": \"a5A5\"", "\"hex\": \"\", \"values\": []"},
      {"\"pipe\": \"ALL\"", "\"pipe\": \"MTE4\""},
      {"\"pipe\": \"ALL\"", "\"pipe\": \"ALL\", \"enabled\": true"},
      {"\"PipeBarrier\"", "\"Barrier\""},
      {"\"op\": \"PipeBarrier\", ", ""},
      {"\"low\": \"0xf\"", "\"low\": 15"},
      {"\"low\": \"0xf\"", "\"low\": \"f\""},
      {", \"low\": \"0xf\"", ""},
      {"\"enabled\": true", "\"enabled\": 1"},
      {"\"VECOUT\"", "\"VEC\""},
      {"\"bytes\": 32", "\"bytes\": null"},
      {"\"bytes\": 32", "\"bytes\": 32, \"stride\": 1"},
      {"\"elemsInOneRepeat\": 1, ", ""},
      {"\"srcRepStride\": 8", "\"srcRepStride\": \"8\""},
      {"\"isSetMask\": false", "\"isSetMask\": 0"},
      {"\"rejected\"", "\"refused\""},
      {"\"rejected\"", "\"executed\""},
      {"\"step\": 3", "\"step\": -1"},
      {"\"step\": 3, ", ""},
      {"[\"RRS-REPEAT\"]", "\"RRS-REPEAT\""},
      {"[\"RRS-REPEAT\"]", "[\"rrs-repeat\"]"},
      {"\"UB\": [] }", "\"UX\": [] }"},
      {"\"memory\": { \"UB\": [] }", "\"memory\": \"any\""},
      {"\"rejected\", \"step\": 3, \"rules\": [\"RRS-REPEAT\"],\n    "
       "\"notes\": "
       "[], \"memory\": { \"UB\": [] }",
       "\"executed\", \"memory\": \"all\""},
      {"\"seed\": \"1\"", "\"seed\": 1.5"},
      {"\"tool\"", "\"author\""},
      {"[\"RRS-TREE\"]", "[1]"},
  };
  for (const Row& row : rows) {
    const std::string text = Apply(row);
    EXPECT_FALSE(ReadCase(text)) << row.old << " -> " << row.now;
    EXPECT_FALSE(SchemaTakes(text)) << row.old << " -> " << row.now;
  }
  for (const char* text : {"[]", "{}", "null", "1"}) {
    EXPECT_FALSE(ReadCase(text));
    EXPECT_FALSE(SchemaTakes(text)) << text;
  }
}

TEST(CaseSchema, OnlyTheReaderSees) {
  const std::vector<Row> rows = {
      // overlaps
      {"\"at\": 2048", "\"at\": 1024"},
      // capacities of the product, and regions that leave their memory
      {"\"UB\": {", "\"UB\": { \"size\": 262144,"},
      {"\"at\": 2048", "\"at\": 196607"},
      {"\"count\": 2 },", "\"count\": 1000000000000000000 },"},
      // values against their type
      {"\"values\": [1", "\"values\": [65520"},
      {"\"values\": [1", "\"values\": [\"0x10000\""},
      {"\"values\": [1", "\"values\": [\"12\""},
      // limits of 64 bits
      {"\"bytes\": 32", "\"bytes\": 9223372036854775808"},
      {"\"low\": \"0xf\"", "\"low\": \"0x10000000000000000\""},
      // names that must exist elsewhere
      {"RRS-TREE", "RRS-BUSH"},
      {"\"step\": 3", "\"step\": 4"},
      {"\"UB\": [] }", "\"L1\": [ { \"at\": 0, \"hex\": \"00\" } ] }"},
      {"\"GM\": { \"fill\": \"00\", \"size\": 64 }, \"UB\": {",
       "\"FB\": {}, \"UB\": { \"size\": 0,"},
      // repeated keys
      {"\"note\": \"n\"", "\"note\": \"n\", \"note\": \"n\""},
  };
  for (const Row& row : rows) {
    const std::string text = Apply(row);
    EXPECT_FALSE(ReadCase(text)) << row.old << " -> " << row.now;
    EXPECT_TRUE(SchemaTakes(text)) << row.old << " -> " << row.now;
  }
}

/// Adding a step or a word in isa/ must show here.
template <class E>
std::vector<std::string> WordsOf() {
  return {isa::Words<E>::kSpelling.begin(), isa::Words<E>::kSpelling.end()};
}

TEST(CaseSchema, HasTheWordsOfTheVocabulary) {
  const Json& schema = SchemaJson();
  const Json& definitions = schema.at("definitions");
  EXPECT_EQ(schema.at("properties").at("product").at("enum"),
            Json(WordsOf<isa::Product>()));
  EXPECT_EQ(definitions.at("dtype").at("enum"), Json(WordsOf<isa::DType>()));
  EXPECT_EQ(
      definitions.at("operand").at("properties").at("position").at("enum"),
      Json(WordsOf<isa::Position>()));
  EXPECT_EQ(
      definitions.at("PipeBarrier").at("properties").at("pipe").at("enum"),
      Json(WordsOf<isa::Pipe>()));
  const Json& steps = definitions.at("step").at("oneOf");
  EXPECT_EQ(steps.size(), isa::kFuzzSteps);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto has = [&](std::string_view op) {
      EXPECT_TRUE(definitions.contains(op)) << op;
    };
    (has(std::variant_alternative_t<I, isa::Step>::kOp), ...);
  }(std::make_index_sequence<isa::kFuzzSteps>{});
}

constexpr std::string_view kKernel = R"({ "format": "lanediff-case/2",
  "id": "a", "product": "atlas-a2", "memory": {}, "program": [
    { "op": "Resource", "name": "Block", "arguments": { "block": 3 },
      "source": { "file": "add.cpp", "line": 24, "execution": 7 } },
    { "op": "Min", "dtype": "half", "count": 16,
      "dst": { "position": "VECOUT", "at": 0, "bytes": 32 },
      "src0": { "position": "VECIN", "at": 0, "bytes": 32 },
      "src1": { "position": "VECIN", "at": 0, "bytes": 32 },
      "source": { "file": "add.cpp", "line": 25 } },
    { "op": "Carried", "name": "Adds", "pipe": "V",
      "parameters": { "scalar": "1.5", "n": 1,
                      "repeatTime": { "value": 256, "low": 0, "high": 255 } },
      "operands": { "src": { "position": "VECIN", "at": 32, "bytes": 32,
                             "align": 2 } },
      "reads": [ { "memory": "UB", "at": 32, "bytes": 32, "iteration": 1 } ],
      "writes": [ { "memory": "UB", "at": 0, "hex": "00fF" } ] } ],
  "expect": { "outcome": "executed", "findings": ["KRN-BOUNDS"],
              "memory": "any" } })";

TEST(KernelSchema, TakesAndRefusesWhatTheReaderDoes) {
  const std::string good(kKernel);
  ASSERT_TRUE(ReadCase(good));
  EXPECT_TRUE(SchemaTakes(good));
  const std::vector<Row> rows = {
      {"\"block\": 3 }", "\"blok\": 3 }"},
      {"\"block\": 3 }", "\"block\": 3, \"x\": 1 }"},
      {"\"arguments\": { \"block\": 3 },", ""},
      {"\"Block\"", "\"Blok\""},
      {"\"line\": 24", "\"line\": 0"},
      {"\"line\": 25", "\"row\": 25"},
      {"\"execution\": 7", "\"execution\": 0"},
      {"\"Adds\"", "\"\""},
      {"\"V\"", "\"ALL\""},
      {"\"n\": 1", "\"n\": null"},
      {"\"low\": 0, ", ""},
      {"\"src\": {", "\"source\": {"},
      {"\"align\": 2", "\"align\": 513"},
      {"\"iteration\": 1", "\"iteration\": -1"},
      {"\"00fF\"", "\"00f\""},
      {"[\"KRN-BOUNDS\"]", "[1]"},
      {"\"findings\"", "\"found\""},
  };
  for (const Row& row : rows) {
    std::string text = good;
    const auto at = text.find(row.old);
    ASSERT_NE(at, std::string::npos) << row.old;
    text.replace(at, row.old.size(), row.now);
    EXPECT_FALSE(ReadCase(text)) << row.old << " -> " << row.now;
    EXPECT_FALSE(SchemaTakes(text)) << row.old << " -> " << row.now;
  }
}

/// What one schema states of the older format's steps, the other states, too.
void EraseSources(Json& json) {
  if (json.is_object()) json.erase("source");
  for (Json& one : json) {
    if (one.is_structured()) EraseSources(one);
  }
}

TEST(KernelSchema, HasTheStepsOfTheOlderFormat) {
  Json definitions = SchemaJson("case-2").at("definitions");
  EraseSources(definitions);
  for (const auto& [name, definition] :
       SchemaJson().at("definitions").items()) {
    if (name == "step") continue;
    EXPECT_EQ(definitions.at(name), definition) << name;
  }
  const Json& steps = SchemaJson("case-2").at("definitions").at("step");
  EXPECT_EQ(steps.at("oneOf").size(), std::variant_size_v<isa::Step>);
}

TEST(KernelSchema, HasTheArgumentsOfEveryResource) {
  const Json& definitions = SchemaJson("case-2").at("definitions");
  const Json& resources = definitions.at("Resource").at("oneOf");
  ASSERT_EQ(resources.size(), isa::kCount<isa::ResourceName>);
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const auto name = static_cast<isa::ResourceName>(i);
    const Json& fields = resources[i].at("properties");
    EXPECT_EQ(fields.at("name").at("const"), isa::Name(name));
    const Json& arguments = fields.at("arguments");
    std::vector<std::string> required;
    const auto forms = isa::FormOf(name);
    EXPECT_EQ(arguments.at("properties").size(), forms.size());
    for (const isa::ArgumentForm& form : forms) {
      const Json& one = arguments.at("properties").at(std::string(form.name));
      if (!form.optional) required.emplace_back(form.name);
      const auto words = isa::WordsOf(form.kind);
      if (one.contains("enum")) {
        EXPECT_EQ(one.at("enum"),
                  Json(std::vector<std::string>(words.begin(), words.end())))
            << form.name;
      }
    }
    EXPECT_EQ(arguments.at("required"), Json(required)) << isa::Name(name);
  }
  EXPECT_EQ(definitions.at("Carried")
                .at("properties")
                .at("operands")
                .at("properties")
                .size(),
            isa::kCount<isa::OperandName>);
}

}  // namespace
}  // namespace lanediff
