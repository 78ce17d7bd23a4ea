#include "differential/subprocess/split_words.h"

#include <gtest/gtest.h>

namespace lanediff::diff {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, PartsAsAShellWould) {
  EXPECT_EQ(SplitWords("python3 model.py"), (Words{"python3", "model.py"}));
  EXPECT_EQ(SplitWords("  a\tb\n c "), (Words{"a", "b", "c"}));
  EXPECT_EQ(SplitWords(""), Words());
  EXPECT_EQ(SplitWords("'a b' \"c d\" e\\ f"), (Words{"a b", "c d", "e f"}));
  EXPECT_EQ(SplitWords("a'b'\"c\"d ''"), (Words{"abcd", ""}));
  EXPECT_EQ(SplitWords("\"a\\\"b\\\\c\\n\""), (Words{"a\"b\\c\\n"}));
  EXPECT_EQ(SplitWords("'a\\'b"), (Words{"a\\b"}));
}

TEST(SplitWords, ExpandsNothing) {
  EXPECT_EQ(SplitWords("$HOME * ~ a;b | c"),
            (Words{"$HOME", "*", "~", "a;b", "|", "c"}));
}

TEST(SplitWords, RefusesWhatHasNoEnd) {
  EXPECT_FALSE(SplitWords("a 'b"));
  EXPECT_FALSE(SplitWords("a \"b"));
  EXPECT_FALSE(SplitWords("a\\"));
}

}  // namespace
}  // namespace lanediff::diff
