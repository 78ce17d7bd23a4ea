#include "differential/records/exhaust_state.h"

#include <gtest/gtest.h>

#include <string>

#include "differential/testcase/testing.h"

namespace lanediff::make::exhaust {
namespace {

State Sample() {
  return {.space = "min-int16",
          .version = "0123456789abcdef",
          .part = {.from = 10, .to = 110, .index = 1, .count = 3},
          .target = "emulator",
          .edition = isa::Edition::k2024,
          .ulp = "Exp=2",
          .next = 7,
          .points = 228480,
          .unsupported = 2,
          .disagree = 3,
          .open = {{"Exp", 4, 1, 2}},
          .milliseconds = 1234,
          .findings = {{.call = 13,
                        .signature = "memory/min/value/half/count",
                        .message = "step 1 \"Min\"",
                        .path = "a"}}};
}

std::string With(std::string_view old, std::string_view now) {
  return Replaced(StateText(Sample()), old, now);
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
  const auto mismatch = [](auto change) {
    State other = Sample();
    change(other);
    return Mismatch(Sample(), other);
  };
  EXPECT_EQ(mismatch([](State& s) { s.next = 0, s.disagree = 9; }), "");
  EXPECT_EQ(mismatch([](State& s) { s.space = "min-half-ieee"; }),
            "is of space min-int16, not min-half-ieee");
  EXPECT_EQ(mismatch([](State& s) { s.version = "f"; }),
            "is of another version of min-int16: 0123456789abcdef, not f");
  EXPECT_EQ(mismatch([](State& s) { s.part.index = 2; }),
            "is of part calls 10..110, shard 1/3, not calls 10..110, shard "
            "2/3");
  EXPECT_EQ(mismatch([](State& s) { s.target = "x"; }),
            "is of target emulator, not x");
}

}  // namespace
}  // namespace lanediff::make::exhaust
