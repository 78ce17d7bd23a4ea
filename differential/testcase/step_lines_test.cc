#include "differential/testcase/step_lines.h"

#include <gtest/gtest.h>

namespace lanediff {
namespace {

using Lines = std::vector<std::size_t>;

TEST(StepLinesTest, AreWhereEachStepBegins) {
  EXPECT_EQ(
      StepLines("{\"id\": \"program\", \"memory\": {\"GM\":\n"
                "  {\"regions\": [{}, {}]}},\n"
                "\"program\": [{\"op\": \"A\", \"p\": {\"q\": [{}]}}, {},\n"
                "  {\"op\":\n \"B\"},\n {}], \"requirement\": [\n{}]}"),
      (Lines{3, 3, 4, 6}));
}

TEST(StepLinesTest, WhatFollowsTheProgramIsNoStep) {
  EXPECT_EQ(StepLines(R"({"program": [{}],
"memory": {"GM": {"size": 1}}})"),
            Lines{1});
}

TEST(StepLinesTest, WhatStandsInTextsIsNoStep) {
  EXPECT_EQ(StepLines(R"({"note": "\"program\": [{ \\", "program": [
{"op": "}{]["},
{}]})"),
            (Lines{2, 3}));
  EXPECT_EQ(StepLines("{\"note\": \"\\\"\", \"program\": [\n{}]}"), Lines{2});
  EXPECT_EQ(StepLines(""), Lines{});
  EXPECT_EQ(StepLines("\"\\"), Lines{});
}

}  // namespace
}  // namespace lanediff
