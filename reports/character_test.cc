// The document of characterise fits its schema.

#include "reports/character.h"

#include <gtest/gtest.h>

#include "reports/schema_testing.h"

namespace lanediff::reports::test {
namespace {

constexpr const char* kSchema = "character.schema.json";

character::Character TwoAnswers() {
  character::Character c;
  c.target = "emulator";
  c.probes = 12;
  character::Answer& order = c.answers.emplace_back();
  order.question = "order";
  order.instruction = "RepeatReduceSum";
  order.dtype = "half";
  order.about = "lanes";
  order.answer = "neighbours";
  order.tree = "((0 1) (2 3))";
  order.length = 4;
  order.note = "a note";
  order.probes = 7;
  order.cases.push_back(ParseJson(R"({"id": "t/a"})").value());
  character::Answer& nan = c.answers.emplace_back();
  nan.question = "nan";
  nan.instruction = "Min";
  nan.dtype = "half";
  nan.answer = "the other one";
  return c;
}

TEST(CharacterJson, FitsItsSchema) {
  EXPECT_TRUE(FitsSchema(CharacterJson(TwoAnswers()), kSchema));
  EXPECT_TRUE(
      FitsSchema(CharacterJson({.target = "t", .answers = {}}), kSchema));
}

TEST(CharacterSchema, ObjectsToWhatIsNotSo) {
  const std::string good = CharacterJson(TwoAnswers());
  struct Row {
    const char* old;
    const char* now;
  };
  for (const Row& row :
       {Row{"lanediff-character/1", "lanediff-character/2"},
        Row{"\"target\": \"emulator\"", "\"target\": \"\""},
        Row{"\"probes\": 12", "\"probes\": -1"},
        Row{"\"failures\": 0", "\"failings\": 0"},
        Row{"\"complete\": true", "\"complete\": 1"},
        Row{"\"question\": \"order\"", "\"question\": \"colour\""},
        Row{"\"length\": 4", "\"length\": \"4\""},
        Row{"\"note\": \"a note\"", "\"remark\": \"a note\""},
        Row{"\"answer\": \"neighbours\"", "\"answer\": \"\""}}) {
    EXPECT_FALSE(FitsSchema(Replaced(good, row.old, row.now), kSchema))
        << row.old;
  }
}

}  // namespace
}  // namespace lanediff::reports::test
