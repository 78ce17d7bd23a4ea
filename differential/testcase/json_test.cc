#include "differential/testcase/json.h"

#include <gtest/gtest.h>

#include <string>

namespace lanediff {
namespace {

TEST(Quote, CutsBetweenCharactersAndShowsControls) {
  EXPECT_EQ(Quote("a\nb\x7f"), "a?b?");
  EXPECT_EQ(Quote("abc", 3), "abc");
  EXPECT_EQ(Quote("abcd", 3), "abc…");
  EXPECT_EQ(Quote("a€b", 3), "a…") << "€ is three bytes";
  EXPECT_EQ(Quote("a€b", 4), "a€…");
}

TEST(PointerToken, EscapesAndShowsControls) {
  EXPECT_EQ(PointerToken("a~b/c\n"), "a~0b~1c?");
}

TEST(ParseJson, KeepsNumbersAsTheyAreWritten) {
  const auto json =
      ParseJson("[1.50e2, -0.0, -0, 18446744073709551615, 0.1000]");
  ASSERT_TRUE(json);
  const auto& items = *json->As<JsonArray>();
  const auto text = [&](std::size_t i) {
    return items.at(i).As<JsonNumber>()->text;
  };
  EXPECT_EQ(text(0), "1.50e2");
  EXPECT_EQ(text(1), "-0.0");
  EXPECT_EQ(text(2), "-0");
  EXPECT_EQ(text(3), "18446744073709551615");
  EXPECT_EQ(text(4), "0.1000");
}

TEST(ParseJson, NamesThePlaceOfAnErrorInNestedLists) {
  EXPECT_EQ(ParseJson("[1, [2, {\"a\": [3, x").error().pointer, "/1/1/a/1");
  EXPECT_EQ(ParseJson("{\"a\": [{\"b\": 1}, {\"b\": 1, \"b\"").error().pointer,
            "/a/1/b");
}

TEST(ParseJson, SixteenLevelsAreAllowed) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_TRUE(ParseJson(nested(16)));
  EXPECT_FALSE(ParseJson(nested(17)));
}

TEST(PointerToken, ANameOfAnyLengthStaysInTheLine) {
  EXPECT_EQ(PointerToken("a/b~c\n"), "a~1b~0c?");
  const std::string token = PointerToken(std::string(70'000, 'a'));
  EXPECT_LT(token.size(), 100u);
  EXPECT_TRUE(token.starts_with("aaaa"));
}

}  // namespace
}  // namespace lanediff
