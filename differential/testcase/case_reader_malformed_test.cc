// Documents that are no case, each one change away from one that is. The rows
// follow the list in docs/case-format.md; what can be wrong at every place
// alike is in schema_test.cc.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "differential/testcase/testing.h"

namespace lanediff {
namespace {

constexpr std::string_view kGood = R"({ "format": "lanediff-case/1",
  "id": "a/b", "product": "atlas-a2",
  "memory": { "GM": { "size": 64 }, "UB": { "fill": "a5", "regions": [
      { "at": 1024, "dtype": "half", "values": [1] } ] } },
  "program": [ { "op": "PipeBarrier", "pipe": "ALL" },
    { "op": "SetVectorMask", "high": "0x0", "low": "0xf" },
    { "op": "RepeatReduceSum", "dtype": "half",
      "dst": { "position": "VECOUT", "at": 0, "bytes": 32 },
      "src": { "position": "VECIN", "at": 1024, "bytes": 256 },
      "repeat": 1, "elemsInOneRepeat": 1, "dstBlkStride": 0, "srcBlkStride": 1,
      "dstRepStride": 1, "srcRepStride": 8 } ],
  "expect": { "outcome": "executed", "memory": {
      "UB": [ { "at": 0, "dtype": "half", "values": [1] } ] } } })";

void ExpectRefused(const std::string& text, const std::string& pointer,
                   const std::string& message) {
  ExpectRefused(ReadCase(text), pointer, message);
}

void ExpectAllRefused(const std::vector<Refusal>& rows) {
  ExpectNoCases(kGood, rows);
}

TEST(CaseReaderMalformed, TheGoodDocumentIsACase) { CaseFrom(kGood); }

TEST(CaseReaderMalformed, NoJson) {
  const std::string good(kGood);
  ExpectRefused("", "", "empty");
  ExpectRefused(" \n", "", "not JSON at byte");
  ExpectRefused("\xef\xbb\xbf" + good, "", "byte order mark");
  ExpectRefused("\xff\xfe{", "", "not JSON at byte");
  ExpectRefused(good.substr(0, good.size() - 1), "/expect", "not JSON at byte");
  ExpectRefused("{ , }", "", "not JSON at byte");
  ExpectRefused(good + "{}", "", "not JSON at byte");
  ExpectRefused(good + std::string(1, '\0'), "", "a zero byte");
  ExpectRefused(good + std::string("\0}", 2), "", "a zero byte");
  ExpectRefused(std::string(kMaxCaseFileBytes + 1, ' '), "", "at most");
  ExpectAllRefused({
      {"\"a/b\"", "\"a/\xc3\x28\"", "/id", "not JSON at byte"},
      {"\"a/b\"", "\"a/\xed\xa0\x80\"", "/id", "not JSON at byte"},
      {"\"a/b\"", "\"a/\xc0\xaf\"", "/id", "not JSON at byte"},
      {"\"a/b\"", "\"a\nb\"", "/id", "not JSON at byte"},
      {"\"a/b\"", "\"\\ud800\"", "/id", "not JSON at byte"},
      {"\"size\": 64", "\"size\": 064", "/memory/GM/size", "not JSON"},
      {"\"size\": 64", "\"size\": NaN", "/memory/GM/size", "not JSON"},
      {"\"size\": 64", "\"size\": +64", "/memory/GM/size", "not JSON"},
      {"\"size\": 64", "\"size\": 0x40", "/memory/GM/size", "not JSON"},
      {"\"size\": 64", "\"size\": 64 /* bytes */", "/memory/GM/size", "not"},
      {"\"ALL\"", "'ALL'", "/program/0/pipe", "not JSON"},
      {"\"values\": [1] } ] } },\n", "\"values\": [1,] } ] } },\n",
       "/memory/UB/regions/0/values/1", "not JSON"},
  });
}

TEST(CaseReaderMalformed, DeepNesting) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  // The document is the first level: 16 levels are JSON but no case.
  ExpectRefused(nested(16), "", "found an array");
  ExpectRefused(nested(17), "/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0",
                "nested deeper than 16");
  ExpectRefused(std::string(1'000'000, '['), "/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0",
                "nested deeper than 16");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  ExpectRefused(objects, "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a",
                "nested deeper than 16");
}

TEST(CaseReaderMalformed, NumbersOutside64Bits) {
  const std::string at = "\"at\": 0, \"bytes\": 32";
  const auto with = [](const std::string& number) {
    return "\"at\": " + number + ", \"bytes\": 32";
  };
  const std::string pointer = "/program/2/dst/at";
  ExpectAllRefused({
      {at, with("9223372036854775808"), pointer, "an integer of 64 bits", true},
      {at, with("-9223372036854775809"), pointer, "an integer of 64 bits"},
      {at, with("18446744073709551616"), pointer, "an integer of 64 bits"},
      {at, with("1" + std::string(5000, '0')), pointer, "not JSON at byte"},
      {at, with("1" + std::string(200, '0')), pointer, "64 bits"},
      {at, with("1e3"), pointer, "an integer of 64 bits"},
      {at, with("1.0"), pointer, "an integer of 64 bits"},
      {"\"0xf\"", "\"0x10000000000000000\"", "/program/1/low",
       "1 to 16 hex digits", true},
      {"\"0xf\"", "\"f\"", "/program/1/low", "\"0x\" and 1 to 16 hex digits"},
      {"\"0xf\"", "\"0x\"", "/program/1/low", "hex digits"},
      {"\"0xf\"", "\"0x-1\"", "/program/1/low", "hex digits"},
  });
}

TEST(CaseReaderMalformed, UnknownFieldsBeforeMissingOnes) {
  const std::string remove = "unknown field; remove it or correct its name";
  ExpectAllRefused({
      {"\"product\"", "\"prodct\"", "/prodct",
       "unknown field, did you mean product?"},
      {"\"product\"", "\"chip\"", "/chip", remove},
      {"\"pipe\": \"ALL\"", "\"pip\": \"ALL\"", "/program/0/pip",
       "unknown field, did you mean pipe?"},
      {"\"pipe\": \"ALL\"", "\"unit\": \"ALL\"", "/program/0/unit", remove},
      {"\"bytes\": 256", "\"byts\": 256", "/program/2/src/byts",
       "unknown field, did you mean bytes?"},
      {"\"outcome\"", "\"outcmoe\"", "/expect/outcmoe",
       "unknown field, did you mean outcome?"},
  });
}

TEST(CaseReaderMalformed, UnknownWords) {
  ExpectAllRefused({
      {"lanediff-case/1", "lanediff-case/3", "/format", "lanediff-case/1"},
      {"atlas-a2", "atlas-a4", "/product",
       "\"atlas-a4\", did you mean atlas-a2?; atlas-tr"},
      {"atlas-a2", "Atlas-A2", "/product", "is allowed"},
      {"\"GM\": {", "\"HBM\": {", "/memory/HBM", "found \"HBM\"; GM, UB, L1"},
      {"\"pipe\": \"ALL\"", "\"pipe\": \"MTE4\"", "/program/0/pipe",
       "found \"MTE4\", did you mean MTE1?; V, MTE1"},
      {"PipeBarrier", "Divs", "/program/0/op",
       "found \"Divs\", did you mean Div?; SetVectorMask, SetSaturation, "
       "PipeBarrier"},
      {"\"VECOUT\"", "\"VEC\"", "/program/2/dst/position", "GM, VECIN"},
      {"Sum\", \"dtype\": \"half\"", "Sum\", \"dtype\": \"float16\"",
       "/program/2/dtype", "found \"float16\", did you mean bfloat16?; int8"},
      {"1024, \"dtype\": \"half\"", "1024, \"dtype\": \"fp16\"",
       "/memory/UB/regions/0/dtype", "int8"},
      {"\"bytes\": 256", "\"bytes\": 256, \"dtype\": \"\"",
       "/program/2/src/dtype", "int8"},
      {"\"executed\"", "\"Executed\"", "/expect/outcome",
       "executed or rejected"},
  });
}

TEST(CaseReaderMalformed, IdsProgramsAndForms) {
  ExpectAllRefused({
      {"\"a/b\"", "\"\"", "/id", "one or more of a-z 0-9"},
      {"\"a/b\"", "\"A\"", "/id", "found \"A\""},
      {"\"a/b\"", "\"a b\"", "/id", "a-z"},
      {"\"a/b\"", "\"a\\nb\"", "/id", "a-z"},
      {"\"a/b\"", "\"\u00e4\"", "/id", "a-z"},
      {"\"a/b\"", "\"" + std::string(100'000, 'X') + "\"", "/id", "a-z"},
      {"\"VECOUT\"", "\"VECOUT\", \"x\\ny\": 1", "/program/2/dst/x?y",
       "unknown field"},
      {"\"dtype\": \"half\", \"values\": [1] } ] } },\n",
       "\"dtype\": \"half\", \"values\": [1], \"hex\": \"00\" } ] } },\n",
       "/memory/UB/regions/0/dtype", "unknown field"},
      {"1024, \"dtype\": \"half\", \"values\": [1]",
       "1024, \"values\": [1], \"hex\": \"00\"", "/memory/UB/regions/0/values",
       "unknown field"},
      {"1024, \"dtype\": \"half\", \"values\": [1]", "1024",
       "/memory/UB/regions/0", "\"dtype\" is missing"},
      {"1024, \"dtype\": \"half\", \"values\": [1]",
       "1024, \"dtype\": \"half\", \"hex\": \"00\"",
       "/memory/UB/regions/0/dtype", "unknown field"},
  });
  std::string text(kGood);
  const auto begin = text.find("{ \"op\"");
  text.erase(begin, text.find("],\n  \"expect\"") - begin);
  ExpectRefused(text, "/program", "at least one step");
  // GM that the program names but `memory` leaves out.
  text = Replaced(kGood, "\"GM\": { \"size\": 64 }, ", "");
  EXPECT_TRUE(ReadCase(text));
  text.replace(text.find("VECIN"), 5, "GM");
  ExpectRefused(text, "/memory", "GM is missing");
}

TEST(CaseReaderMalformed, Expectations) {
  const std::string executed = "\"outcome\": \"executed\",";
  const auto rejected = [](const std::string& fields) {
    return "\"outcome\": \"rejected\"," + fields;
  };
  ExpectAllRefused({
      {executed, rejected("\"step\": 3, \"rules\": [],"), "/expect/step",
       "found 3; 0 to 2", true},
      {executed, rejected("\"step\": -1, \"rules\": [],"), "/expect/step",
       "0 to 2"},
      {executed, rejected("\"step\": 0, \"rules\": [\"RRS-NONE\"],"),
       "/expect/rules/0", "found \"RRS-NONE\"; an id of the rule catalogue",
       true},
      {executed, executed + "\"step\": 0,", "/expect/step", "unknown field"},
      {executed, executed + "\"rules\": [],", "/expect/rules", "unknown field"},
      {executed, executed + "\"notes\": [\"RRS-TREE\", \"rrs-tree\"],",
       "/expect/notes/1", "an id of the rule catalogue"},
      {"\"expect\": { \"outcome\": \"executed\", \"memory\": {",
       "\"expect\": { \"outcome\": \"executed\", \"memory\": \"all\" }, "
       "\"origin\": { \"tool\": {",
       "/expect/memory", "found \"all\"; regions by memory or \"any\""},
      {"\"expect\": { \"outcome\": \"executed\", \"memory\": {",
       "\"expect\": { \"outcome\": \"rejected\", \"step\": 0, \"rules\": [], "
       "\"memory\": \"any\" }, \"origin\": { \"tool\": {",
       "/expect/memory", "a rejected case leaves memory open by leaving this"},
      {"\"UB\": [", "\"L1\": [", "/expect/memory/L1", "no such memory", true},
      {"\"UB\": [", "\"ub\": [", "/expect/memory/ub", "no such memory"},
      {"\"expect\": {", "\"requirement\": [\"X\"], \"expect\": {",
       "/requirement/0", "an id of the rule catalogue", true},
      {"\"expect\": {", "\"origin\": { \"seed\": 1.5 }, \"expect\": {",
       "/origin/seed", "an integer of 64 bits"},
      {"\"at\": 0, \"dtype\"", "\"at\": 196607, \"dtype\"",
       "/expect/memory/UB/0/values/0", "leave their memory", true},
      {"\"UB\": [", "\"UB\": [ { \"at\": 1, \"hex\": \"00\" },",
       "/expect/memory/UB", "overlap", true},
  });
}

std::string Document(const std::string& step) {
  return R"({ "format": "lanediff-case/1", "id": "t", "product": "atlas-a2",
    "memory": {}, "program": [ )" +
         step + " ] }";
}

std::string MinStep(const std::string& fields) {
  const std::string operand =
      R"({ "position": "VECIN", "at": 0, "bytes": 32 })";
  return R"({ "op": "Min", "dtype": "half", "dst": )" + operand +
         R"(, "src0": )" + operand + R"(, "src1": )" + operand + ", " + fields +
         " }";
}

std::string Strides() {
  return R"("repeatTimes": 1, "repeatParams": { "dstBlkStride": 1,
    "src0BlkStride": 1, "src1BlkStride": 1, "dstRepStride": 8,
    "src0RepStride": 8, "src1RepStride": 8 })";
}

std::string CopyStep(const std::string& fields) {
  return R"({ "op": "DataCopy", "dtype": "half",
    "dst": { "position": "VECCALC", "at": 0, "bytes": 32 },
    "src": { "position": "VECIN", "at": 64, "bytes": 32 }, )" +
         fields + " }";
}

std::string PadStep(const std::string& fields) {
  return R"({ "op": "DataCopyPad", "dtype": "half",
    "dst": { "position": "VECIN", "at": 0, "bytes": 32 },
    "src": { "position": "GM", "at": 64, "bytes": 32 },
    "dataCopyParams": { "blockCount": 1, "blockLen": 6, "srcStride": 0,
                        "dstStride": 0 }, )" +
         fields + " }";
}

std::string ProductStep(const std::string& tile, const std::string& more) {
  const std::string good = R"({ "position": "UB", "at": 0, "rows": 8, "cols": 8,
    "validRow": 8, "validCol": 8, "layout": "ND" })";
  return R"({ "op": "TROWPROD", "dtype": "float", "dst": )" + good +
         R"(, "src": )" + good + R"(, "tmp": )" + (tile.empty() ? good : tile) +
         more + " }";
}

TEST(CaseReaderForms, RefusesWhatIsNoForm) {
  struct Row {
    std::string step;
    std::string pointer;
    std::string message;
  };
  const std::vector<Row> rows = {
      {MinStep(Strides()), "/program/0", "count, mask"},
      {MinStep(R"("count": 1, "mask": 1, )" + Strides()), "/program/0", "both"},
      {MinStep(R"("count": 1, )" + Strides()), "/program/0/repeatTimes",
       "unknown field"},
      {MinStep(R"("count": 1, "isSetMask": true)"), "/program/0/isSetMask",
       "unknown field"},
      {MinStep(R"("mask": 1)"), "/program/0", "repeatTimes"},
      {MinStep(R"("mask": ["0x1"], )" + Strides()), "/program/0/mask",
       "two hex words"},
      {MinStep(R"("mask": ["0x1", "0x1", "0x1"], )" + Strides()),
       "/program/0/mask", "two hex words"},
      {MinStep(R"("mask": [1, 2], )" + Strides()), "/program/0/mask/0",
       "a string"},
      {MinStep(R"("mask": "0x1", )" + Strides()), "/program/0/mask", "array"},
      {CopyStep(R"("count": 1, "params": {})"), "/program/0", "both"},
      {CopyStep(R"("count": 1.5)"), "/program/0/count", "integer"},
      {CopyStep(R"("params": 1)"), "/program/0/params", "an object"},
      {CopyStep(R"("params": { "blockCount": 1 })"), "/program/0/params",
       "blockLen"},
      {PadStep(R"("padParams": 1)"), "/program/0/padParams", "an object"},
      {PadStep(R"("padParams": { "isPad": true })"), "/program/0/padParams",
       "leftPadding"},
      {PadStep(R"("padParams": { "isPad": 1, "leftPadding": 0,
         "rightPadding": 0, "paddingValue": 0 })"),
       "/program/0/padParams/isPad", "true"},
      {PadStep(R"("isPad": true)"), "/program/0/isPad", "unknown field"},
      {PadStep(R"("": {})"), "/program/0/", "unknown field"},
      {ProductStep("", R"(, "order": "any")"), "/program/0/order",
       "register-lanes"},
      {ProductStep(R"({ "position": "UB", "at": 0, "rows": 8, "cols": 8,
         "validRow": 8, "validCol": 8, "layout": "NZ" })",
                   ""),
       "/program/0/tmp/layout", "ND, DN"},
      {ProductStep(R"({ "position": "UB", "at": 0, "rows": 8 })", ""),
       "/program/0/tmp", "cols"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.step);
    ExpectRefused(ReadCase(Document(row.step)), row.pointer, row.message);
  }
}

}  // namespace
}  // namespace lanediff
