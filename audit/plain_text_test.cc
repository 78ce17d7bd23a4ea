#include "audit/plain_text.h"

#include <gtest/gtest.h>

namespace lanediff::audit {
namespace {

TEST(IsPlainText, TakesWhatIsPrinted) {
  for (const char* text : {"", "a ~", "·…–", "约束说明", "\xf0\x9f\x98\x80"}) {
    EXPECT_TRUE(IsPlainText(text)) << text;
  }
}

TEST(IsPlainText, TakesNothingElse) {
  using std::string_view_literals::operator""sv;
  for (std::string_view text :
       {"a\nb"sv, "\x1b[2J"sv, "a\0b"sv, "\x7f"sv, "\x80"sv, "\xc3"sv,
        "\xc0\xaf"sv, "\xe0\x80\xaf"sv, "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv,
        "\xff"sv, "\xe7\xba"sv}) {
    EXPECT_FALSE(IsPlainText(text));
  }
}

}  // namespace
}  // namespace lanediff::audit
