// The reader's strictness, tried at every place of a document that has all
// fields: each member left out, repeated, joined by an unknown one, and each
// value replaced by every other JSON type.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "differential/testcase/case_reader.h"

namespace lanediff {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

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
  static const std::set<std::string> kOptional = {"/note",
                                                  "/expect",
                                                  "/expect/notes",
                                                  "/expect/memory",
                                                  "/origin",
                                                  "/requirement",
                                                  "/origin/tool",
                                                  "/origin/seed",
                                                  "/origin/date",
                                                  "/origin/target",
                                                  "/origin/signature",
                                                  "/memory/GM",
                                                  "/memory/UB",
                                                  "/memory/UB/size",
                                                  "/memory/GM/fill",
                                                  "/memory/UB/fill",
                                                  "/memory/GM/regions",
                                                  "/memory/UB/regions",
                                                  "/expect/memory/UB",
                                                  "/program/3/isSetMask",
                                                  "/program/3/dst/dtype",
                                                  "/program/3/src/dtype"};
  return kOptional.contains(pointer);
}

/// Every place in `json`, the document itself first.
void Collect(const Json& json, const Pointer& here, std::vector<Pointer>& all) {
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
  Collect(Json::parse(kWhole), Pointer(), all);
  return all;
}

/// The text of `json` with the member at `twice` given twice.
std::string Repeat(const Json& json, const Pointer& here,
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

void ExpectRefused(const std::string& text, const std::string& pointer,
                   std::string_view message) {
  const auto c = ReadCase(text);
  ASSERT_FALSE(c) << "accepted: " << text;
  EXPECT_EQ(c.error().pointer, pointer) << c.error().message << "\n" << text;
  EXPECT_NE(c.error().message.find(message), std::string::npos)
      << c.error().message;
  EXPECT_EQ(c.error().message.find('\n'), std::string::npos);
}

TEST(CaseReaderStructure, TheWholeDocumentIsACase) {
  const auto c = ReadCase(kWhole);
  ASSERT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  EXPECT_GT(Places().size(), 70u);
}

TEST(CaseReaderStructure, EveryMemberLeftOut) {
  for (const Pointer& place : Places()) {
    Json json = Json::parse(kWhole);
    const Pointer parent = place.parent_pointer();
    if (place.empty() || !json[parent].is_object()) continue;
    json[parent].erase(place.back());
    if (IsOptional(place.to_string())) {
      const auto c = ReadCase(json.dump());
      EXPECT_TRUE(c) << place.to_string() << " " << c.error().message;
    } else {
      ExpectRefused(json.dump(), parent.to_string(), "is missing");
    }
  }
}

TEST(CaseReaderStructure, EveryMemberTwice) {
  for (const Pointer& place : Places()) {
    const Json json = Json::parse(kWhole);
    if (place.empty() || !json[place.parent_pointer()].is_object()) continue;
    ExpectRefused(Repeat(json, Pointer(), place), place.to_string(),
                  "given twice");
  }
}

TEST(CaseReaderStructure, AnUnknownMemberInEveryObject) {
  for (const Pointer& place : Places()) {
    Json json = Json::parse(kWhole);
    if (!json[place].is_object()) continue;
    json[place]["zz~/"] = 1;
    const std::string pointer = place.to_string();
    ExpectRefused(json.dump(), pointer + "/zz~0~1",
                  pointer == "/memory"          ? "found \"zz~/\"; GM, UB"
                  : pointer == "/expect/memory" ? "no such memory"
                                                : "unknown field");
  }
}

TEST(CaseReaderStructure, EveryValueOfEveryOtherType) {
  const std::vector<Json> others = {nullptr, true,          1.5,
                                    "x",     Json::array(), Json::object()};
  for (const Pointer& place : Places()) {
    for (const Json& other : others) {
      Json json = Json::parse(kWhole);
      Json& value = json[place];
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
      ExpectRefused(json.dump(), pointer, "allowed");
    }
  }
}

}  // namespace
}  // namespace lanediff
