// A record that has every kind of field: written, read, refused, added up and
// as a schema.

#include "differential/testcase/record.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

#include "differential/testcase/record_join.h"
#include "differential/testcase/record_json.h"
#include "differential/testcase/record_schema.h"
#include "differential/testcase/testing.h"
#include "isa/catalogue.h"

namespace lanediff {
namespace {

constexpr std::array<std::string_view, 2> kSizes = {"small", "large"};

struct Inner {
  std::uint64_t count = 0;
  double seconds = 0;

  bool operator==(const Inner&) const = default;

  static void Fields(auto& i, auto& v) {
    v.Required("count", i.count, {.low = 1, .high = 9});
    v.Required("seconds", i.seconds, kNotNegative);
  }
};

struct Outer {
  std::string name;
  std::string size = "small";
  std::uint64_t bits = 0;
  std::int64_t number = 0;
  isa::DType dtype = isa::DType::kHalf;
  isa::RuleId rule = isa::Catalogue().front().id;
  std::vector<std::optional<std::uint64_t>> found;
  std::set<std::string> words;
  NamedTexts options;
  std::optional<Inner> inner;
  std::vector<Inner> list;
  std::string left;
  std::string right;
  std::string why_not;

  std::optional<CaseError> Fault() const {
    return NotBelow("/list", list.size(), 3);
  }

  static void Fields(auto& o, auto& v) {
    v.Format("test/1");
    v.Required("name", o.name, {.description = "a name", .filled = true});
    v.Required("size", o.size, {.words = kSizes});
    v.Required("bits", o.bits, kAllBits);
    LANEDIFF_REQUIRED(v, o.number, o.dtype, o.rule, o.found, o.words,
                      o.options);
    v.RequiredIf(o.size == "large", "inner", o.inner);
    v.Required("list", o.list);
    v.Derived("listed", [&] { return o.list.size(); });
    v.OptionalIf(!o.left.empty() || !o.right.empty(), "left", o.left);
    v.OptionalIf(!o.left.empty() || !o.right.empty(), "right", o.right);
    v.Together("left", "right");
    v.TrueWithout("done", "whyNot", o.why_not);
    v.Optional("whyNot", o.why_not);
  }
};

Outer Sample() {
  Outer o;
  o.name = "a \"b\"\n";
  o.size = "large";
  o.bits = std::numeric_limits<std::uint64_t>::max();
  o.number = -3;
  o.found = {7, std::nullopt};
  o.words = {"x", "y"};
  o.options = {{"to", "1"}, {"from", ""}};
  o.inner = Inner{.count = 2, .seconds = 0.1};
  o.list = {{.count = 1, .seconds = 3}};
  o.left = "l";
  o.why_not = "no time";
  return o;
}

std::string Text() { return RecordText(Sample()); }

TEST(RecordJson, HasFieldsInTheirOrder) {
  EXPECT_EQ(Text(), R"({
  "format": "test/1",
  "name": "a \"b\"\n",
  "size": "large",
  "bits": 18446744073709551615,
  "number": -3,
  "dtype": "half",
  "rule": ")" + std::string(isa::Catalogue().front().id.text()) +
                        R"(",
  "found": [7, null],
  "words": ["x", "y"],
  "options": { "to": "1", "from": "" },
  "inner": { "count": 2, "seconds": 0.1 },
  "list": [{ "count": 1, "seconds": 3.0 }],
  "listed": 1,
  "left": "l",
  "right": "",
  "done": false,
  "whyNot": "no time"
}
)");
}

TEST(RecordJson, IsReadBackAsItWasWritten) {
  const auto read = ReadDocument<Outer>(Text());
  ASSERT_TRUE(read) << LineOf(read.error());
  EXPECT_EQ(RecordText(*read), Text());
  Outer small;
  small.name = "n";
  const std::string text = RecordText(small);
  for (const char* name : {"inner", "left", "right", "whyNot"}) {
    EXPECT_EQ(text.find('"' + std::string(name) + '"'), std::string::npos);
  }
  EXPECT_TRUE(ReadDocument<Outer>(text));
  // Earlier versions left the reason out.
  std::string older = Text();
  const std::string reason = ",\n  \"whyNot\": \"no time\"";
  older.erase(older.find(reason), reason.size());
  EXPECT_TRUE(ReadDocument<Outer>(older));
}

TEST(RecordJson, ReportsPlaceAndAllowedValuesOfWhatDoesNotFit) {
  struct Row {
    const char* old;
    const char* now;
    const char* line;
  };
  const Row rows[] = {
      {"test/1", "test/2", "/format: found \"test/2\"; \"test/1\" is allowed"},
      {"\"name\"", "\"nam\"", "the field \"name\" is missing"},
      {"\"number\": -3,", "\"number\": -3, \"other\": 1,",
       "/other: unknown field; remove it or correct its name"},
      {"\"number\": -3,", "\"number\": -3, \"number\": -3,",
       "/number: the field is given twice; each may stand once"},
      {"\"number\": -3", "\"number\": 0.5",
       "/number: found 0.5; an integer of 64 bits is allowed"},
      {"\"size\": \"large\"", "\"size\": \"huge\"",
       "/size: found \"huge\"; small, large is allowed"},
      {"\"size\": \"large\"", "\"size\": \"small\"",
       "/inner: unknown field; remove it or correct its name"},
      {"{ \"count\": 2, \"seconds\": 0.1 }", "null",
       "/inner: found null; an object is allowed"},
      {"\"bits\": 18446744073709551615", "\"bits\": 18446744073709551616",
       "/bits: found 18446744073709551616; an integer of 0 to 2^64 - 1 is "
       "allowed"},
      {"\"count\": 2", "\"count\": 10",
       "/inner/count: found 10; 1 to 9 is allowed"},
      {"\"seconds\": 3.0", "\"seconds\": -3.5",
       "/list/0/seconds: found -3.5; 0 or more is allowed"},
      {"[7, null]", "[7, \"x\"]", "/found/1: found \"x\"; a number is allowed"},
      {"\"dtype\": \"half\"", "\"dtype\": \"quarter\"",
       "/dtype: found \"quarter\"; int8, "},
      {"\"rule\": \"", "\"rule\": \"NO-", "/rule: found \"NO-"},
      {"\"to\": \"1\"", "\"to\": 1",
       "/options/to: found 1; a string is allowed"},
      {"  \"right\": \"\",\n", "",
       "the field \"right\" is missing beside \"left\"; both or neither is "
       "allowed"},
      {"\"done\": false", "\"done\": true",
       "/done: true without \"whyNot\", or false with it, is allowed"},
      {"\"listed\": 1,", "", "the field \"listed\" is missing"},
      {"[{ \"count\": 1, \"seconds\": 3.0 }]",
       R"([{ "count": 1, "seconds": 3 }, { "count": 1, "seconds": 3 },
           { "count": 1, "seconds": 3 }])",
       "/list: found 3; 0 to 2 is allowed"},
  };
  for (const Row& row : rows) {
    const auto read = ReadDocument<Outer>(Replaced(Text(), row.old, row.now));
    ASSERT_FALSE(read) << row.now;
    EXPECT_TRUE(LineOf(read.error()).starts_with(row.line))
        << LineOf(read.error()) << "\n"
        << row.line;
  }
}

TEST(RecordJson, IgnoresUnknownFieldsOnRequest) {
  const auto json = ParseJson(R"({ "count": 1, "seconds": 2, "more": [] })");
  ASSERT_TRUE(json);
  const Cursor root(*json);
  EXPECT_EQ(ReadRecord<Inner>(root, UnknownFields::kNotLookedAt),
            (Inner{.count = 1, .seconds = 2}));
  EXPECT_THROW(ReadRecord<Inner>(root), CaseError);
}

struct NewName {
  std::string name;

  static void Fields(auto& n, auto& v) {
    v.Renamed("name", "oldName");
    v.Required("name", n.name);
  }
};

TEST(RecordJson, OldNameOfAFieldIsReadIfTheNewNameIsAbsent) {
  const auto read = ReadDocument<NewName>(R"({"oldName": "x"})");
  ASSERT_TRUE(read) << LineOf(read.error());
  EXPECT_EQ(RecordText(*read), "{\n  \"name\": \"x\"\n}\n");
  for (const auto& [text, line] :
       {std::pair(R"({"name": "x", "oldName": "y"})",
                  "/oldName: unknown field; remove it or correct its name"),
        std::pair("{}", "the field \"name\" is missing"),
        std::pair(R"({"oldName": 1})",
                  "/oldName: found 1; a string is allowed")}) {
    const auto refused = ReadDocument<NewName>(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(LineOf(refused.error()), line);
  }
  const std::string schema = SchemaText<NewName>("new/1", "One name.");
  EXPECT_EQ(schema.find("oldName"), std::string::npos) << schema;
}

struct Line {
  std::uint64_t cases = 0;
  std::string build;
  Inner inner;

  static void Fields(auto& l, auto& v) {
    LANEDIFF_REQUIRED(v, l.cases, l.build, l.inner);
  }
};

struct Counted {
  Line line;
  std::int64_t bytes = 0;

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.line, c.bytes);
  }
};

TEST(RecordSum, AddsNumbersOfRecordsInRecordsToo) {
  Counted sum{.line = {1, "release", {.count = 3, .seconds = 0.5}},
              .bytes = -2};
  JoinInto(Counted{.line = {10, "asan", {30, 0.25}}, .bytes = 20}, sum);
  EXPECT_EQ(sum.line.cases, 11u);
  EXPECT_EQ(sum.bytes, 18);
  EXPECT_EQ(sum.line.build, "release");
  EXPECT_EQ(sum.line.inner, (Inner{.count = 33, .seconds = 0.75}));
}

TEST(RecordSchema, StatesWhatFieldsState) {
  EXPECT_EQ(SchemaText<Inner>("inner/1", "Two numbers."), R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "inner/1",
  "description": "Two numbers.",
  "type": "object",
  "additionalProperties": false,
  "required": ["count", "seconds"],
  "properties": {
    "count": { "type": "integer", "minimum": 1, "maximum": 9 },
    "seconds": { "type": "number", "minimum": 0 }
  }
}
)");
  const std::string outer = SchemaText<Outer>("test/1", "All.");
  for (const char* part :
       {"\"format\": { \"const\": \"test/1\" }",
        "\"name\": { \"description\": \"a name\", \"type\": \"string\", "
        "\"minLength\": 1 }",
        "\"size\": { \"enum\": [\"small\", \"large\"] }",
        "\"dependencies\": { \"left\": [\"right\"], \"right\": [\"left\"] }",
        "\"then\": { \"not\": { \"required\": [\"whyNot\"] } }",
        "\"options\": { \"type\": \"object\", \"additionalProperties\": { "
        "\"type\": \"string\" } }"}) {
    ExpectContains(outer, part);
  }
}

}  // namespace
}  // namespace lanediff
