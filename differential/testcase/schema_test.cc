// The reader and the published JSON Schema: what both take and what both
// refuse, tried at every place of a document that has all fields. The reader is
// the authority. More changes of single values are in
// case_reader_malformed_test.cc.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "differential/testcase/json.h"
#include "differential/testcase/testing.h"
#include "isa/rule_files.h"
#include "isa/step.h"

namespace lanediff {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using Pointer = Ordered::json_pointer;

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

void ExpectRefusedByBoth(const std::string& text, const std::string& pointer,
                         std::string_view message) {
  SCOPED_TRACE(text);
  ExpectRefused(ReadCase(text), pointer, message);
  EXPECT_FALSE(SchemaTakes(text));
}

void ExpectTakenByBoth(std::string_view text) {
  CaseFrom(text);
  EXPECT_TRUE(SchemaTakes(std::string(text))) << text;
}

constexpr std::string_view kWhole = R"({
  "format": "lanediff-case/1", "id": "a/b-1._", "note": "n",
  "product": "atlas-a2",
  "memory": { "GM": { "fill": "00", "size": 64, "regions": [] },
    "UB": { "fill": "a5", "size": 4096, "regions": [
      { "at": 1024, "dtype": "half", "values": [
        { "value": 1, "count": 2 }, { "from": 1, "step": 1, "count": 2 } ] },
      { "at": 2048, "hex": "a5a5" } ] } },
  "program": [
    { "op": "SetVectorMask", "high": "0x0", "low": "0xf" },
    { "op": "SetSaturation", "enabled": true },
    { "op": "PipeBarrier", "pipe": "ALL" },
    { "op": "RepeatReduceSum", "dtype": "half",
      "dst": { "position": "VECOUT", "at": 0, "bytes": 32, "dtype": "half" },
      "src": { "position": "VECIN", "at": 1024, "bytes": 256, "dtype": "half" },
      "repeat": 1, "elemsInOneRepeat": 4, "dstBlkStride": 0, "srcBlkStride": 1,
      "dstRepStride": 1, "srcRepStride": 8, "isSetMask": true } ],
  "expect": { "outcome": "rejected", "step": 3, "rules": ["RRS-REPEAT"],
    "notes": ["RRS-REPEAT-ZERO"],
    "memory": { "UB": [ { "at": 0, "hex": "00" } ] } },
  "origin": { "tool": "t", "seed": 1, "target": "t", "signature": "s",
    "date": "d" },
  "requirement": ["RRS-TREE"]
})";

/// Members that may be left out.
bool IsOptional(const std::string& pointer) {
  static const std::set<std::string> kOptional = [] {
    std::set<std::string> all = {"/note", "/expect", "/origin", "/requirement"};
    const auto add = [&](const std::string& parent,
                         std::initializer_list<const char*> names) {
      for (const char* name : names) all.insert(parent + "/" + name);
    };
    add("/expect", {"notes", "memory", "memory/UB"});
    add("/origin", {"tool", "seed", "date", "target", "signature"});
    add("/memory", {"GM", "UB", "UB/size", "GM/fill", "UB/fill", "GM/regions",
                    "UB/regions"});
    add("/program/3", {"isSetMask", "dst/dtype", "src/dtype"});
    return all;
  }();
  return kOptional.contains(pointer);
}

/// Every place in `json`, the document itself first.
void Collect(const Ordered& json, const Pointer& here,
             std::vector<Pointer>& all) {
  all.push_back(here);
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    Collect(value,
            json.is_array() ? here / static_cast<std::size_t>(std::stoul(key))
                            : here / key,
            all);
  }
}

std::vector<Pointer> Places() {
  std::vector<Pointer> all;
  Collect(Ordered::parse(kWhole), Pointer(), all);
  return all;
}

/// The text of `json` with the member at `twice` given twice.
std::string Repeat(const Ordered& json, const Pointer& here,
                   const Pointer& twice) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const Pointer place = json.is_array()
                              ? here / static_cast<std::size_t>(std::stoul(key))
                              : here / key;
    std::string item = json.is_object() ? "\"" + key + "\":" : std::string();
    item += Repeat(value, place, twice);
    if (!text.empty()) text += ',';
    text += place == twice ? item + "," + item : item;
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

TEST(CaseReaderStructure, TheWholeDocumentIsACase) {
  ExpectTakenByBoth(kWhole);
  EXPECT_GT(Places().size(), 70u);
}

TEST(CaseReaderStructure, EveryMemberLeftOut) {
  for (const Pointer& place : Places()) {
    Ordered json = Ordered::parse(kWhole);
    const Pointer parent = place.parent_pointer();
    if (place.empty() || !json[parent].is_object()) continue;
    json[parent].erase(place.back());
    if (IsOptional(place.to_string())) {
      ExpectTakenByBoth(json.dump());
    } else {
      ExpectRefusedByBoth(json.dump(), parent.to_string(), "is missing");
    }
  }
}

TEST(CaseReaderStructure, EveryMemberTwice) {
  for (const Pointer& place : Places()) {
    const Ordered json = Ordered::parse(kWhole);
    if (place.empty() || !json[place.parent_pointer()].is_object()) continue;
    ExpectRefused(ReadCase(Repeat(json, Pointer(), place)), place.to_string(),
                  "given twice");
  }
}

TEST(CaseReaderStructure, AnUnknownMemberInEveryObject) {
  for (const Pointer& place : Places()) {
    Ordered json = Ordered::parse(kWhole);
    if (!json[place].is_object()) continue;
    json[place]["zz~/"] = 1;
    const std::string pointer = place.to_string();
    ExpectRefusedByBoth(json.dump(), pointer + "/zz~0~1",
                        pointer == "/memory"          ? "found \"zz~/\"; GM, UB"
                        : pointer == "/expect/memory" ? "no such memory"
                                                      : "unknown field");
  }
}

TEST(CaseReaderStructure, EveryValueOfEveryOtherType) {
  const std::vector<Ordered> others = {
      nullptr, true, 1.5, "x", Ordered::array(), Ordered::object()};
  for (const Pointer& place : Places()) {
    for (const Ordered& other : others) {
      Ordered json = Ordered::parse(kWhole);
      Ordered& value = json[place];
      const std::string pointer = place.to_string();
      const bool integer_for_number = value.is_number() && other.is_number();
      const bool same = value.type() == other.type() && !integer_for_number;
      const bool element = pointer.ends_with("/value") ||
                           pointer.ends_with("/from") ||
                           pointer.ends_with("/step") ||
                           pointer.find("/values/") != std::string::npos;
      const bool also_allowed =
          (pointer == "/origin/seed" && other.is_string()) ||
          (element && other.is_number() && pointer != "/expect/step" &&
           !pointer.ends_with("/count"));
      if (same || also_allowed) continue;
      value = other;
      ExpectRefusedByBoth(json.dump(), pointer, "allowed");
    }
  }
}

/// The expectation of `kWhole`, up to its end.
const std::string kRejected =
    "\"rejected\", \"step\": 3, \"rules\": [\"RRS-REPEAT\"],\n    "
    "\"notes\": [\"RRS-REPEAT-ZERO\"],\n    "
    "\"memory\": { \"UB\": [ { \"at\": 0, \"hex\": \"00\" } ] }";

TEST(CaseSchema, ChangesOfSingleValues) {
  enum class Taken { kByBoth, kByTheSchema, kByNone };
  using enum Taken;
  struct Row {
    Taken taken;
    std::string old;
    std::string now;
  };
  const std::vector<Row> rows = {
      {kByBoth, kRejected, "\"executed\", \"memory\": \"any\""},
      {kByBoth, "\"at\": 0, \"bytes\"", "\"at\": -1, \"bytes\""},
      {kByBoth, "\"repeat\": 1", "\"repeat\": 9223372036854775807"},
      {kByBoth, "\"value\": 1,", "\"value\": \"0x7e01\","},
      {kByBoth, "\"a5a5\"", "\"a5A5\""},
      {kByBoth, "\"seed\": 1", "\"seed\": \"1\""},
      {kByNone, "\"size\": 64", "\"size\": -1"},
      {kByNone, "\"size\": 64", "\"size\": 1073741825"},
      {kByNone, "\"fill\": \"00\"", "\"fill\": \"000\""},
      {kByNone, "\"at\": 1024", "\"at\": -1"},
      {kByNone, "\"value\": 1,", "\"value\": \"NaN\","},
      {kByNone, "\"count\": 2 },", "\"count\": -1 },"},
      {kByNone, "\"a5a5\"", "\"a5a\""},
      // The reader alone sees capacities of the product, and regions that leave
      // their memory,
      {kByTheSchema, "\"size\": 4096", "\"size\": 262144"},
      {kByTheSchema, "\"at\": 2048", "\"at\": 4095"},
      {kByTheSchema, "\"count\": 2 },", "\"count\": 1000000000000000000 },"},
      // values against their type,
      {kByTheSchema, "\"value\": 1,", "\"value\": 65520,"},
      {kByTheSchema, "\"value\": 1,", "\"value\": \"0x10000\","},
      {kByTheSchema, "\"value\": 1,", "\"value\": \"12\","},
      // names that must exist elsewhere, and repeated keys.
      {kByTheSchema, "RRS-TREE", "RRS-BUSH"},
      {kByTheSchema, "\"note\": \"n\"", "\"note\": \"n\", \"note\": \"n\""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.old + " -> " + row.now);
    const std::string text = Replaced(kWhole, row.old, row.now);
    EXPECT_EQ(ReadCase(text).has_value(), row.taken == kByBoth);
    EXPECT_EQ(SchemaTakes(text), row.taken != kByNone);
  }
  for (const char* text : {"[]", "{}", "null", "1"}) {
    EXPECT_FALSE(ReadCase(text));
    EXPECT_FALSE(SchemaTakes(text)) << text;
  }
}

TEST(CaseSchema, EveryCaseOfTheCorpusIsTakenByBoth) {
  for (const fs::path& file : CorpusFiles()) ExpectTakenByBoth(Slurp(file));
}

/// Adding a step or a word in isa/ must show here.
template <class E>
std::vector<std::string> WordsOf() {
  return {isa::Words<E>::kSpelling.begin(), isa::Words<E>::kSpelling.end()};
}

/// The steps that a program may have: each "op" that an alternative allows, in
/// itself or in what it is put together from.
std::set<std::string> OpsOf(const Json& schema) {
  std::set<std::string> ops;
  const auto add = [&](const Json& step) {
    if (!step.contains("properties")) return;
    const Json& op = step.at("properties").at("op");
    for (const Json& word : op.value("enum", Json::array())) ops.insert(word);
    if (op.contains("const")) ops.insert(op.at("const"));
  };
  constexpr std::string_view kFolder = "#/definitions/";
  for (const Json& one : schema.at("definitions").at("step").at("oneOf")) {
    const auto name = one.at("$ref").get<std::string>().substr(kFolder.size());
    const Json& step = schema.at("definitions").at(name);
    add(step);
    for (const char* const parts : {"allOf", "oneOf"}) {
      for (const Json& part : step.value(parts, Json::array())) add(part);
    }
  }
  return ops;
}

/// Those of isa/, with or without the ones that kernels alone have.
std::set<std::string> StepNames(bool of_kernels) {
  std::set<std::string> names;
  for (const isa::Step& kind : isa::StepKinds()) {
    if (of_kernels || !isa::IsOfKernel(kind)) names.emplace(isa::OpName(kind));
  }
  return names;
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
  EXPECT_EQ(OpsOf(schema), StepNames(false));
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
  EXPECT_EQ(OpsOf(SchemaJson("case-2")), StepNames(true));
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

// The catalogue, which lies below this parser, would keep the last of two.
TEST(RuleFiles, HaveNoMemberTwice) {
  EXPECT_GE(isa::EmbeddedTexts().size(), 10u);
  for (const auto& [file, text] : isa::EmbeddedTexts()) {
    const auto json = ParseJson(text);
    EXPECT_TRUE(json) << file << " " << (json ? "" : LineOf(json.error()));
  }
}

}  // namespace
}  // namespace lanediff
