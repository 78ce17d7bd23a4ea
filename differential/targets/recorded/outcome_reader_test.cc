#include "differential/targets/recorded/outcome_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "differential/targets/recorded/testing.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"

namespace lanediff::diff {
namespace {

using isa::Memory;
using Status = Outcome::Status;

std::string Replaced(std::string_view old, std::string_view now) {
  std::string text(kGoodOutcome);
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  EXPECT_EQ(text.find(old, at + 1), std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

void ExpectRefused(const std::string& text, const std::string& pointer,
                   const std::string& message) {
  const auto outcome = ReadOutcome(text, TwoSums());
  ASSERT_FALSE(outcome) << "accepted: " << text.substr(0, 2000);
  EXPECT_EQ(outcome.error().pointer, pointer) << outcome.error().message;
  const std::string& found = outcome.error().message;
  EXPECT_NE(found.find(message), std::string::npos) << found;
  EXPECT_EQ(found.find_first_of("\n\r"), std::string::npos) << found;
  EXPECT_LT(found.size(), 600u);
}

Outcome Read(const std::string& text) {
  const auto outcome = ReadOutcome(text, TwoSums());
  EXPECT_TRUE(outcome) << outcome.error().pointer << ": "
                       << outcome.error().message;
  return outcome.value_or(Outcome());
}

TEST(OutcomeReader, AllMembers) {
  const Outcome outcome = Read(std::string(kGoodOutcome));
  EXPECT_EQ(outcome.status, Status::kExecuted);
  EXPECT_EQ(outcome.observed, "a device");
  EXPECT_FALSE(outcome.rules);
  ASSERT_TRUE(outcome.notes);
  EXPECT_EQ(outcome.notes->size(), 1u);
  ASSERT_TRUE(outcome.memory);
  const auto& ub = (*outcome.memory)[static_cast<std::size_t>(Memory::kUb)];
  ASSERT_EQ(ub.size(), 2u);
  EXPECT_EQ(ub[0].at, 0);
  EXPECT_EQ(ub[0].bytes, (std::vector<std::uint8_t>{0x00, 0x42, 0x00, 0x7e}));
  EXPECT_EQ(ub[1].at, 64);
}

TEST(OutcomeReader, WhatADeviceCannotReportMayBeLeftOut) {
  const Outcome executed = Read(R"({ "outcome": "executed", "memory": {} })");
  EXPECT_FALSE(executed.notes);
  EXPECT_EQ(executed.observed, "");
  EXPECT_EQ(*executed.memory, RegionsByMemory());
  const Outcome rejected = Read(R"({ "outcome": "rejected", "step": 1 })");
  EXPECT_EQ(rejected.status, Status::kRejected);
  EXPECT_EQ(rejected.step, 1u);
  EXPECT_FALSE(rejected.rules);
  EXPECT_FALSE(rejected.notes);
  EXPECT_FALSE(rejected.memory);
  const Outcome unsupported =
      Read(R"({ "outcome": "unsupported", "step": 2 })");
  EXPECT_EQ(unsupported.status, Status::kUnsupported);
}

TEST(OutcomeReader, TheMemoryIsWhatChanged) {
  // A whole operand with its unchanged bytes, in two regions that touch.
  const Outcome outcome = Read(R"({ "outcome": "executed", "memory": {
      "UB": [ { "at": 4, "hex": "a5a5" },
              { "at": 0, "dtype": "half", "values": [3, "nan"] } ] } })");
  const auto& ub = (*outcome.memory)[static_cast<std::size_t>(Memory::kUb)];
  ASSERT_EQ(ub.size(), 1u);
  EXPECT_EQ(ub[0].at, 0);
  EXPECT_EQ(ub[0].bytes.size(), 4u);
  EXPECT_FALSE(ub[0].dtype);
}

TEST(OutcomeReader, AnEmptyListMayBeOfAnyMemory) {
  const Outcome none = Read(R"({ "outcome": "executed", "memory": {} })");
  for (const auto form : {OutcomeForm::kDocument, OutcomeForm::kReply}) {
    const auto json = ParseJson(
        R"({ "outcome": "executed", "memory": {"L1": [], "UB": []} })");
    ASSERT_TRUE(json);
    EXPECT_EQ(ReadOutcomeAt(Cursor(*json), TwoSums(), form), none);
  }
  ExpectRefused(R"({ "outcome": "executed", "memory": {"L9": []} })",
                "/memory/L9", "no such memory");
}

TEST(OutcomeReader, WhatTheWriterWritesReadsBack) {
  for (const std::string& text : {
           std::string(kGoodOutcome),
           std::string(R"({ "outcome": "executed", "memory": {} })"),
           std::string(R"({ "outcome": "rejected", "step": 1 })"),
           std::string(R"({ "outcome": "rejected", "step": 1,
               "rules": ["RRS-REPEAT"], "notes": [], "memory": {} })"),
           std::string(R"({ "outcome": "unsupported", "step": 0 })"),
       }) {
    const Outcome outcome = Read(text);
    const std::string written = WriteOutcome(outcome, TwoSums().id);
    EXPECT_EQ(Read(written), outcome) << written;
    EXPECT_EQ(Read(WriteOutcome(outcome, "")), outcome);
  }
}

TEST(OutcomeReader, NoJson) {
  const std::string good(kGoodOutcome);
  ExpectRefused("", "", "empty");
  ExpectRefused("null", "", "found null; an object is allowed");
  ExpectRefused("[]", "", "found an array; an object is allowed");
  ExpectRefused("\xef\xbb\xbf" + good, "", "byte order mark");
  ExpectRefused(good + "{}", "", "not JSON at byte");
  ExpectRefused(good + std::string(1, '\0'), "", "a zero byte");
  ExpectRefused(Replaced("a device", "a \xc3\x28"), "/target", "not JSON");
  ExpectRefused(std::string(kMaxCaseFileBytes + 1, ' '), "", "at most");
  std::string deep = R"({ "memory": )";
  for (int i = 0; i < 100; ++i) deep += '[';
  ExpectRefused(deep, "/memory/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0",
                "nested deeper than 16");
}

struct Row {
  std::string old;
  std::string now;
  std::string pointer;
  std::string message;
};

TEST(OutcomeReader, RefusesWhatIsNoOutcomeOfTheCase) {
  const std::vector<Row> rows = {
      // Whose it is.
      {"\"two/sums\"", "\"two/sum\"", "/case",
       "found \"two/sum\"; \"two/sums\" is allowed"},
      {"\"two/sums\"", "7", "/case", "found 7; a string is allowed"},
      {"\"case\"", "\"id\"", "/id", "unknown field"},
      {"\"case\"", "\"format\"", "/format", "a case has"},
      // Members.
      {"\"target\"", "\"case\"", "/case", "given twice"},
      {"\"target\": \"a device\"", "\"target\": null", "/target",
       "found null; a string"},
      {"\"outcome\"", "\"Outcome\"", "", "\"outcome\" is missing"},
      {"\"executed\"", "\"Executed\"", "/outcome",
       "found \"Executed\"; executed, rejected or unsupported"},
      {"\"executed\"", "true", "/outcome", "a string"},
      {"\"executed\"", "\"executed\", \"step\": 0", "/step", "unknown field"},
      {"\"executed\"", "\"executed\", \"rules\": []", "/rules",
       "unknown field"},
      {"\"memory\"", "\"memories\"", "", "\"memory\" is missing"},
      // Steps: the program has three.
      {"\"executed\"", "\"rejected\"", "", "\"step\" is missing"},
      {"\"executed\"", "\"unsupported\"", "", "\"step\" is missing"},
      {"\"executed\"", "\"rejected\", \"step\": 3", "/step",
       "found 3; 0 to 2 is allowed"},
      {"\"executed\"", "\"rejected\", \"step\": -1", "/step", "0 to 2"},
      {"\"executed\"", "\"rejected\", \"step\": 18446744073709551616", "/step",
       "an integer of 64 bits"},
      {"\"executed\"", "\"rejected\", \"step\": 1.0", "/step", "64 bits"},
      {"\"executed\"", "\"unsupported\", \"step\": 0, \"rules\": []", "/rules",
       "unknown field"},
      // Rules and notes.
      {"\"executed\"", "\"rejected\", \"step\": 0, \"rules\": [\"RRS-NO\"]",
       "/rules/0", "found \"RRS-NO\"; an id of the rule catalogue"},
      {"\"executed\"", "\"rejected\", \"step\": 0, \"rules\": \"RRS-TREE\"",
       "/rules", "an array"},
      {"\"executed\"", "\"rejected\", \"step\": 0, \"rules\": null", "/rules",
       "an array"},
      {"[\"RRS-PREFER", "[7, \"RRS-PREFER", "/notes/0", "a string"},
      {"[\"RRS-PREFER", "[\"rrs-tree\", \"RRS-PREFER", "/notes/0",
       "rule catalogue"},
      // Memory: UB of 4096 bytes and nothing else.
      {"\"UB\"", "\"L1\"", "/memory/L1", "the case has no such memory"},
      {"\"UB\"", "\"ub\"", "/memory/ub", "the case has no such memory"},
      {"\"UB\"", "\"UB\": [], \"UB\"", "/memory/UB", "given twice"},
      {"\"at\": 64", "\"at\": 4095", "/memory/UB/1/values/0",
       "leave their memory"},
      {"\"at\": 64", "\"at\": 4097", "/memory/UB/1/at", "0 to 4096"},
      {"\"at\": 64", "\"at\": -1", "/memory/UB/1/at", "0 to 4096"},
      {"\"at\": 64", "\"at\": 9223372036854775808", "/memory/UB/1/at",
       "64 bits"},
      {"\"at\": 64", "\"at\": 3", "/memory/UB", "overlap"},
      {"\"0042007e\"", "\"0042007\"", "/memory/UB/0/hex", "hex digits"},
      {"\"0042007e\"", "\"0042007g\"", "/memory/UB/0/hex", "hex digits"},
      {"\"0042007e\"", "\"" + std::string(9000, '0') + "\"", "/memory/UB/0/hex",
       "leave their memory"},
      {"\"half\"", "\"fp16\"", "/memory/UB/1/dtype", "int8, uint8"},
      {"[10]", "[1e6]", "/memory/UB/1/values/0", "half"},
      {"[10]", "[{ \"value\": 0, \"count\": 1000000000000 }]",
       "/memory/UB/1/values/0/count", "leave their memory"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.old + " -> " + row.now.substr(0, 100));
    ExpectRefused(Replaced(row.old, row.now), row.pointer, row.message);
  }
}

TEST(OutcomeReader, ACaseIsNoOutcome) {
  ExpectRefused(WriteCase(TwoSums()), "/format", "not that of the cases");
}

}  // namespace
}  // namespace lanediff::diff
