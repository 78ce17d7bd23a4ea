#include "differential/records/exhaust_state.h"

#include <gtest/gtest.h>

#include <string>

namespace lanediff::make::exhaust {
namespace {

State Sample() {
  return {.space = "min-int16",
          .version = "0123456789abcdef",
          .part = {.from = 10, .to = 110, .index = 1, .count = 3},
          .target = "emulator",
          .edition = isa::Edition::k2024,
          .next = 7,
          .points = 228480,
          .unsupported = 2,
          .disagree = 3,
          .milliseconds = 1234,
          .findings = {{.call = 13,
                        .signature = "memory/min/value/half/count",
                        .message = "step 1 \"Min\"",
                        .path = "a"}}};
}

std::string With(const std::string& old, const std::string& now) {
  std::string text = StateText(Sample());
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old << " in\n" << text;
  return text.replace(at, old.size(), now);
}

TEST(State, IsReadBackAsItWasWritten) {
  const auto read = ReadState(StateText(Sample()));
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(*read, Sample());
  EXPECT_FALSE(read->complete());
}

TEST(State, MalformedTextsAreOneLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "/: "},
      {"{}", "the field \"format\" is missing"},
      {StateText(Sample()).substr(0, 100), "/"},
      {With("lanediff-exhaust-state/1", "lanediff-exhaust-state/2"),
       "/format: found \"lanediff-exhaust-state/2\""},
      {With("\"next\": 7", "\"next\": 35"), "/next: found 35; 0 to 34"},
      {With("\"next\": 7", "\"next\": -1"), "/next: found -1"},
      {With("\"index\": 1", "\"index\": 3"), "/part/index: found 3; 0 to 2"},
      {With("\"count\": 3", "\"count\": 0"), "/part/count: found 0"},
      {With("\"points\": 228480", "\"points\": \"many\""), "/points: found"},
      {With("\"points\": 228480,", ""), "\"points\" is missing"},
      {With("\"call\": 13", "\"cal\": 13"), "/findings/0"}};
  for (const auto& [text, part] : cases) {
    const auto read = ReadState(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_NE(read.error().find(part), std::string::npos) << read.error();
    EXPECT_EQ(read.error().find('\n'), std::string::npos);
  }
}

TEST(State, GoesOnOnlyAsWhatItIs) {
  EXPECT_EQ(Mismatch(Sample(), Sample()), "");
  State other = Sample();
  other.next = 0;
  other.disagree = 9;
  EXPECT_EQ(Mismatch(Sample(), other), "");
  other.space = "min-half-ieee";
  EXPECT_EQ(Mismatch(Sample(), other),
            "is of space min-int16, not min-half-ieee");
  other = Sample();
  other.version = "f";
  EXPECT_EQ(Mismatch(Sample(), other),
            "is of another version of min-int16: 0123456789abcdef, not f");
  other = Sample();
  other.part.index = 2;
  EXPECT_EQ(Mismatch(Sample(), other),
            "is of part calls 10..110, shard 1/3, not calls 10..110, shard "
            "2/3");
  other = Sample();
  other.target = "x";
  EXPECT_EQ(Mismatch(Sample(), other), "is of target emulator, not x");
}

}  // namespace
}  // namespace lanediff::make::exhaust
